"""Reads numbers strictly; an argument that is none is refused in one line."""

from __future__ import annotations

import argparse
import re
from typing import TYPE_CHECKING

from harness.model.experiment import LARGEST_SCOPE, LARGEST_SEED, SMALLEST_SEED

if TYPE_CHECKING:
    from fractions import Fraction

_WHOLE = re.compile(r"-?[0-9]{1,20}")
_BUDGET = re.compile(r"[0-9]{1,12}(\.[0-9]{1,9})?")
_WIDTH = re.compile(r"([0-9]{1,3}(?:\.[0-9]{1,3})?)(in|cm|mm)")
_UNITS = {"in": 1.0, "cm": 2.54, "mm": 25.4}
_LEAST_WIDTH, _GREATEST_WIDTH = 2, 40


def positive(text: str) -> int:
    """Read a whole number from 1."""
    number = _whole(text)
    if number is None or number < 1:
        raise argparse.ArgumentTypeError(f"a whole number from 1, not {text!r}")
    return number


def seed(text: str) -> int:
    """Read a whole number of at most 64 bits."""
    number = _whole(text)
    if number is None or not SMALLEST_SEED <= number <= LARGEST_SEED:
        raise argparse.ArgumentTypeError(f"a seed is a whole number of at most 64 bits, not {text!r}")
    return number


def scope(text: str) -> int:
    """Read a bound on input size."""
    number = _whole(text)
    if number is None or not 1 <= number <= LARGEST_SCOPE:
        raise argparse.ArgumentTypeError(f"a scope is a whole number from 1 (to {LARGEST_SCOPE}), not {text!r}")
    return number


def scopes(text: str) -> list[int]:
    """Read a scope, or a range of scopes such as 1-5."""
    first, _, last = text.partition("-")
    if not (first and last):
        return [scope(text)]
    numbers = list(range(scope(first), scope(last) + 1))
    if not numbers:
        raise argparse.ArgumentTypeError(f"{text!r} is an empty range of scopes")
    return numbers


def width(text: str) -> float:
    """Read a width, such as 3.3in, 84mm or 8.4cm; return inches."""
    match = _WIDTH.fullmatch(text.strip())
    inches = float(match[1]) / _UNITS[match[2]] if match else 0.0
    if not _LEAST_WIDTH <= inches <= _GREATEST_WIDTH:
        raise argparse.ArgumentTypeError(
            f"a width is {_LEAST_WIDTH} to {_GREATEST_WIDTH} inches, such as 3.3in, 84mm or 8.4cm, not {text!r}"
        )
    return inches


def budgets(text: str) -> list[Fraction]:
    """Read budgets, such as 100,1000 inputs or 0.1,1 seconds; return them in ascending order."""
    from fractions import Fraction

    numbers = set()
    for part in map(str.strip, text.split(",")):
        if not _BUDGET.fullmatch(part) or not Fraction(part):
            raise argparse.ArgumentTypeError(f"numbers from 1, or parts of a second such as 0.1, not {part!r}")
        numbers.add(Fraction(part))
    return sorted(numbers)


def _whole(text: str) -> int | None:
    """Return the number that the text is; None if it is none, or has too many digits."""
    return int(text) if _WHOLE.fullmatch(text) else None
