"""Numbers as given on the command line: each is read strictly, and refused in one line."""

from __future__ import annotations

import argparse
import re
from typing import TYPE_CHECKING

from harness.model.experiment import LARGEST_SCOPE, LARGEST_SEED, SMALLEST_SEED

if TYPE_CHECKING:
    from fractions import Fraction

_WHOLE = re.compile(r"-?[0-9]{1,20}")
_BUDGET = re.compile(r"[0-9]{1,12}(\.[0-9]{1,9})?")
_LONGEST = 60


def positive(text: str) -> int:
    """A whole number from 1."""
    number = _whole(text)
    if number is None or number < 1:
        raise argparse.ArgumentTypeError(f"a whole number from 1, not {_shown(text)}")
    return number


def seed(text: str) -> int:
    """A whole number of at most 64 bits."""
    number = _whole(text)
    if number is None or not SMALLEST_SEED <= number <= LARGEST_SEED:
        raise argparse.ArgumentTypeError(f"a seed is a whole number of at most 64 bits, not {_shown(text)}")
    return number


def scope(text: str) -> int:
    """A bound on input size."""
    number = _whole(text)
    if number is None or not 1 <= number <= LARGEST_SCOPE:
        raise argparse.ArgumentTypeError(f"a scope is a whole number from 1 (to {LARGEST_SCOPE}), not {_shown(text)}")
    return number


def scopes(text: str) -> list[int]:
    """A scope, or a range of scopes such as 1-5."""
    first, _, last = text.partition("-")
    if not (first and last):
        return [scope(text)]
    found = list(range(scope(first), scope(last) + 1))
    if not found:
        raise argparse.ArgumentTypeError(f"{_shown(text)} is an empty range of scopes")
    return found


def sizes(text: str) -> list[Fraction]:
    """Budgets, such as 100,1000 inputs or 0.1,1 seconds; in ascending order."""
    from fractions import Fraction

    found = []
    for part in map(str.strip, text.split(",")):
        if not _BUDGET.fullmatch(part) or not Fraction(part):
            raise argparse.ArgumentTypeError(f"numbers from 1, or parts of a second such as 0.1, not {_shown(part)}")
        found.append(Fraction(part))
    return sorted(set(found))


def _whole(text: str) -> int | None:
    """The number that the text is, of few digits."""
    return int(text) if _WHOLE.fullmatch(text) else None


def _shown(text: str) -> str:
    return repr(text) if len(text) <= _LONGEST else f"{text[:_LONGEST]!r}..."
