"""The size of sweeps: a part of them runs by default, and all of them in `make thorough`."""

import os
from collections.abc import Collection, Iterable
from typing import Any

import pytest

WHOLE = "MUTASCOPE_EVERY_SUBJECT" in os.environ
"""Whether sweeps are run as a whole, as in `make thorough`."""


def examples(most: int) -> int:
    """Return how many random examples a test takes: `most` in `make thorough`, a quarter of them by default."""
    return most if WHOLE else max(2, most // 4)


def slow_unless_chosen(chosen: Collection[Any], everything: Iterable[Any]) -> list[Any]:
    """Return `everything` as parameters of a test, those outside `chosen` for `make thorough` only."""
    slow_marks = [pytest.mark.slow, pytest.mark.thorough]
    return [one if one in chosen else pytest.param(*_values(one), marks=slow_marks) for one in everything]


def _values(parameter: Any) -> tuple[Any, ...]:
    return parameter if isinstance(parameter, tuple) else (parameter,)
