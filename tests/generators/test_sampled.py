"""The sample that a second implementation checks."""

from harness.generators.sampled import SAMPLE, Sample


def test_the_first_items_and_every_so_many_are_in_the_sample() -> None:
    assert [number for number in range(1, 20) if Sample(first=3, every=8).has(number)] == [1, 2, 3, 8, 16]


def test_the_sample_of_generators_has_few_of_many_items() -> None:
    assert sum(map(SAMPLE.has, range(1, 10_001))) == 32 + 9
