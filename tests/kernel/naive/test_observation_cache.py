"""An observation about an input is made only once, and the cache of observations is bounded."""

from __future__ import annotations

import pytest

from harness.kernel.naive.observation_cache import MOST_KEPT, Remembered


def test_an_input_is_observed_again_only_where_too_many_others_came_between() -> None:
    observed: list[int] = []

    def observe(number: int) -> str:
        observed.append(number)
        return f"input {number}"

    cache = Remembered(observe)
    assert [cache.of(number) for number in (0, 1, 0, 1)] == ["input 0", "input 1"] * 2
    assert observed == [0, 1]
    for number in range(MOST_KEPT + 1):
        cache.of(number)
    assert cache.of(0) == "input 0"
    assert observed == [*range(MOST_KEPT + 1), 0]


def test_what_observing_raises_is_raised_each_time() -> None:
    cache = Remembered[int](lambda number: 1 // number)
    for _ in range(2):
        with pytest.raises(ZeroDivisionError):
            cache.of(0)
