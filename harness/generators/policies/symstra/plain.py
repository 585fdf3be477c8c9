"""What a call returns on symbolic integers, beside what it returns on plain ones."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from enum import Enum
from typing import Any

from harness.errors import SpecError
from harness.generators.symbolic.heap import MARK, Painter, Picture
from harness.generators.symbolic.runs import GivenRun
from harness.generators.symbolic.values import DECIDING

_ADDRESS = re.compile(r" at 0x[0-9a-f]+")

CHECKED_FIRST, CHECKED_EVERY = 32, 1024
"""Which inputs of a program that asks no more of integers than proxies tell are carried out on plain ones, too."""


class Found(Enum):
    """What comparing results has found."""

    SAME = "same"
    """Equal, or such that it cannot be told."""
    PASSING = "passing"
    """Another one each time, as an address is."""
    DIFFERENT = "different"
    """Another one on plain integers."""


def compared(predicted: Any, values: Sequence[int], returned: Any, again: Callable[[], Any]) -> Found:
    """Compares results.

    Args:
        predicted: on symbolic integers, which have these `values`.
        returned: on plain integers.
        again: the result on plain integers once more, while that one is still there, so that addresses are others.
    """
    mine, theirs = shown(predicted, values), shown(returned, ())
    if mine is None or theirs is None or mine == theirs:
        return Found.SAME
    is_address = _ADDRESS.sub("", mine) == _ADDRESS.sub("", theirs)
    return Found.PASSING if is_address or shown(again(), ()) != theirs else Found.DIFFERENT


def shown(value: Any, values: Sequence[int]) -> str | None:
    """A value as text, with values for what is symbolic; None where a shape cannot tell it."""
    run = DECIDING.run = GivenRun(values)
    try:
        return repr(told_plainly(Painter().picture([value]), run.values))
    except SpecError:
        return None


def told_plainly(picture: Picture, values: Sequence[int]) -> list[Any]:
    """A picture with values for its marks, and names for the classes, which are others in another execution."""
    slots = iter(picture.slots)
    told: list[Any] = []
    for kind, names, *held in picture.shape:
        told.append([kind.__qualname__, names])
        for one in held:
            if one is MARK:
                x, added = next(slots)
                told.append(values[x] + added)
            else:
                told.append(repr(one[1]) if type(one) is tuple else getattr(one, "__qualname__", one))
    return told
