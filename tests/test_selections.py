"""Random selections are those of their definition, and rows decide them as soon as they can."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from harness.errors import UsageError
from harness.selections import Selections, random_selection


def splitmix64(state):
    """The sequence as its definition has it, one number at a time."""
    while True:
        state = (state + 0x9E3779B97F4A7C15) % 2**64
        word = state
        word = (word ^ (word >> 30)) * 0xBF58476D1CE4E5B9 % 2**64
        word = (word ^ (word >> 27)) * 0x94D049BB133111EB % 2**64
        yield word ^ (word >> 31)


def selected_plainly(inputs, size, seed):
    start = next(splitmix64((seed - 0x9E3779B97F4A7C15) % 2**64))
    keys = [key for key, _ in zip(splitmix64(start), range(inputs), strict=False)]
    return sorted(sorted(range(inputs), key=keys.__getitem__)[:size])


@settings(derandomize=True, max_examples=50, deadline=None)
@given(st.integers(1, 60), st.integers(0, 2**40), st.data())
def test_a_selection_is_the_inputs_with_the_smallest_keys(inputs, seed, data):
    size = data.draw(st.integers(1, inputs))
    chosen = np.flatnonzero(random_selection(inputs, size, seed)).tolist()
    assert chosen == selected_plainly(inputs, size, seed)
    assert len(chosen) == size


def test_every_input_is_selected_about_equally_often():
    times = sum(random_selection(50, 10, seed).astype(int) for seed in range(2000))
    assert times.sum() == 20_000
    assert 300 < times.min() < times.max() < 500  # 400 expected, with a standard deviation of 18


@pytest.mark.parametrize("size", [0, 11])
def test_a_selection_of_no_input_or_of_too_many_is_refused(size):
    with pytest.raises(UsageError, match="between 1 and all 10 inputs"):
        random_selection(10, size, 0)


@settings(derandomize=True, max_examples=60, deadline=None)
@given(st.integers(1, 100), st.data())
def test_a_row_decides_when_every_selection_has_one_of_its_kills(inputs, data):
    size = data.draw(st.integers(1, inputs))
    end = data.draw(st.integers(1, (inputs + 7) // 8))
    kills = data.draw(st.sets(st.integers(0, min(8 * end, inputs) - 1)))
    bits = sum(1 << number for number in kills).to_bytes(end, "little")
    plainly = all(kills & set(selected_plainly(inputs, size, seed)) for seed in range(3))
    assert Selections(inputs, size, range(3)).decided_by(bits) is plainly
