"""The samples that a second implementation checks."""

import pytest

from harness.generators.sampled import Sample


@pytest.mark.parametrize(
    ("sample", "numbers"),
    [
        (Sample(first=3, every=8), [0, 1, 2, 7, 15]),
        (Sample(first=0, every=4), [3, 7, 11, 15]),
        (Sample(first=3), [0, 1, 2, 4, 8, 16]),
        (Sample(first=0), [1, 2, 4, 8, 16]),
    ],
)
def test_the_first_items_and_ever_fewer_or_every_so_many_are_in_the_sample(sample, numbers):
    assert [number for number in range(19) if sample.has(number)] == numbers


@pytest.mark.parametrize("sample", [Sample(first=64), Sample(first=0), Sample(first=32, every=100)])
@pytest.mark.parametrize("start", [0, 1, 63, 64, 65, 1000, 1 << 20])
def test_the_numbers_of_a_stretch_are_those_of_its_items_in_the_sample(sample, start):
    for end in (start, start + 1, start + 100, start + 128):
        assert sample.numbers(start, end) == [number for number in range(start, end) if sample.has(number)]
