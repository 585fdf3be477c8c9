"""Limits how large the files of a suite become, and estimates how large they will be."""

from __future__ import annotations

import math
import os
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path

from harness.errors import UsageError
from harness.model.experiment import Trial
from harness.resources import positive_variable

STEPS = 2
"""The number of scopes beyond the largest known one that are estimated."""
_VARIABLE = "MUTASCOPE_SUITE_GB"
_MOST_GB = 1.0
_BYTES = 1_000_000_000
_UNLIKE = 4
"""If two estimates differ by a larger factor, neither is reported."""


class SuiteTooLarge(Exception):
    """The files of a suite are larger than they may be; the text says how far the search has come."""


def most_bytes() -> float:
    """Return the limit: $MUTASCOPE_SUITE_GB gigabytes, or one gigabyte if it is not set.

    Raises:
        UsageError: the variable holds no positive number.
    """
    return positive_variable(_VARIABLE, _MOST_GB, "gigabytes") * _BYTES


def check_size(folder: Path, most: float, reached: str) -> int:
    """Return the size of the files that a suite has so far.

    Args:
        folder: the files lie below it.
        reached: how far the search has come, as text.

    Raises:
        SuiteTooLarge: they are larger than `most` bytes.
    """
    size = _bytes_below(folder)
    if size > most:
        raise SuiteTooLarge(reached)
    return size


def size_text(size: int, expected: float | None) -> str:
    """Return a size as text, with the expected one if that is still ahead."""
    ahead = "" if expected is None or expected <= size else f" of about {expected / _BYTES:.2g}"
    return f"{size / _BYTES:.2f} GB{ahead}"


def too_large(trial: Trial, most: float, reached: str, smaller: Mapping[int, int]) -> UsageError:
    """Return the error of a suite that is too large.

    Args:
        smaller: bytes of its suites at smaller scopes.
    """
    expected, scope = expected_bytes(smaller, trial.scope), max(smaller, default=0)
    about = ""
    if expected is not None and expected > most:
        about = f"; about {expected / _BYTES:.2g} GB are expected, as scope {scope} takes {smaller[scope] / _BYTES:.2g}"
    return UsageError(
        f"generate {trial}: its files are larger than {most / _BYTES:g} GB ({reached}){about}; choose a lower scope, "
        f"or set {_VARIABLE} to the gigabytes that they may take"
    )


def expected_bytes(smaller: Mapping[int, int], scope: int) -> float | None:
    """Return about how large a suite will be, or None if its suites at smaller scopes do not suffice to estimate it.

    From the largest three in a row, growth goes on by the last factor, or by a factor that grows as it did last. The
    estimate lies between the two, and is told only if they are alike.

    Args:
        smaller: bytes of these suites, by scope.
    """
    last = max(smaller, default=0)
    size, below, two_below = (smaller.get(last - back, 0) for back in range(3))
    if not (size and below and two_below and 0 < scope - last <= STEPS):
        return None
    factor, steady, growing = size / below, float(size), float(size)
    acceleration = factor / (below / two_below)
    for step in range(1, scope - last + 1):
        steady *= factor
        growing *= factor * acceleration**step
    alike = max(steady, growing) <= _UNLIKE * min(steady, growing)
    return math.sqrt(steady * growing) if alike else None


def _bytes_below(folder: Path) -> int:
    size = 0
    for place, _, files in os.walk(folder):
        for file in files:
            with suppress(FileNotFoundError):  # it has just got its final name
                size += os.lstat(os.path.join(place, file)).st_size
    return size
