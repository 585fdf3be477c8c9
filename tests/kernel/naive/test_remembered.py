"""An observation about an input is made only once, and the cache of observations is bounded."""

from __future__ import annotations

import pytest

from harness.kernel.naive.remembered import MOST_KEPT, Remembered


def test_an_input_is_observed_again_only_where_too_many_others_came_between() -> None:
    asked: list[int] = []

    def observe(number: int) -> str:
        asked.append(number)
        return f"input {number}"

    kept = Remembered(observe)
    assert [kept.of(number) for number in (0, 1, 0, 1)] == ["input 0", "input 1"] * 2
    assert asked == [0, 1]
    for number in range(MOST_KEPT + 1):
        kept.of(number)
    assert kept.of(0) == "input 0"
    assert asked == [*range(MOST_KEPT + 1), 0]


def test_what_observing_raises_is_raised_each_time() -> None:
    kept = Remembered[int](lambda number: 1 // number)
    for _ in range(2):
        with pytest.raises(ZeroDivisionError):
            kept.of(0)
