"""Compares the result of a call on symbolic integers with its result on plain ones."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from enum import Enum
from typing import Any

from harness.errors import SpecError
from harness.generators.symbolic.heap import MARK, Painter, StatePicture
from harness.generators.symbolic.runs import ConcreteRun
from harness.generators.symbolic.values import DECIDING

_ADDRESS = re.compile(r" at 0x[0-9a-f]+")


class ResultComparison(Enum):
    """The outcome of a comparison of results."""

    SAME = "same"
    """The results are equal or cannot be compared."""
    PASSING = "passing"
    """The result differs each time, like an address."""
    DIFFERENT = "different"
    """The result differs on plain integers."""


def compared(predicted: Any, values: Sequence[int], returned: Any, again: Callable[[], Any]) -> ResultComparison:
    """Compare results.

    Args:
        predicted: the result on symbolic integers, which have these `values`.
        returned: the result on plain integers.
        again: a function that returns the result on plain integers once more; `returned` is still alive then, so
            addresses differ.
    """
    mine, theirs = value_text(predicted, values), value_text(returned, ())
    if mine is None or theirs is None or mine == theirs:
        return ResultComparison.SAME
    is_address = _ADDRESS.sub("", mine) == _ADDRESS.sub("", theirs)
    return ResultComparison.PASSING if is_address or value_text(again(), ()) != theirs else ResultComparison.DIFFERENT


def value_text(value: Any, values: Sequence[int]) -> str | None:
    """Return a value as text, with values for symbolic integers; None if a shape cannot represent it."""
    run = DECIDING.run = ConcreteRun(values)
    try:
        return repr(plain_encoding(Painter().picture([value]), run.values))
    except SpecError:
        return None


def plain_encoding(picture: StatePicture, values: Sequence[int]) -> list[Any]:
    """Return a picture with values for its marks, and with names for classes, which differ between executions."""
    slots = iter(picture.slots)
    encoded: list[Any] = []
    for kind, names, *held in picture.shape:
        encoded.append([kind.__qualname__, names])
        for one in held:
            if one is MARK:
                x, added = next(slots)
                encoded.append(values[x] + added)
            else:
                encoded.append(repr(one[1]) if type(one) is tuple else getattr(one, "__qualname__", one))
    return encoded
