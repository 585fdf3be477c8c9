"""Limits how large the files of a suite become."""

from __future__ import annotations

import os
from contextlib import suppress
from pathlib import Path

from harness.errors import UsageError
from harness.model.experiment import Trial
from harness.resources import positive_variable

_VARIABLE = "MUTASCOPE_SUITE_GB"
_MOST_GB = 1.0
_BYTES = 1_000_000_000


class SuiteTooLarge(Exception):
    """The files of a suite are larger than they may be; the text says how far the search has come."""


def most_bytes() -> float:
    """Return the limit: $MUTASCOPE_SUITE_GB gigabytes, or one gigabyte if it is not set.

    Raises:
        UsageError: the variable holds no positive number.
    """
    return positive_variable(_VARIABLE, _MOST_GB, "gigabytes") * _BYTES


def check_size(folder: Path, most: float, reached: str) -> str:
    """Return the size of the files that a suite has so far, as text.

    Args:
        folder: the files lie below it.
        reached: how far the search has come, as text.

    Raises:
        SuiteTooLarge: they are larger than `most` bytes.
    """
    size = _bytes_below(folder)
    if size > most:
        raise SuiteTooLarge(reached)
    return f"{size / _BYTES:.2f} GB"


def too_large(trial: Trial, most: float, reached: str) -> UsageError:
    """Return the error of a suite that is too large."""
    return UsageError(
        f"generate {trial}: its files are larger than {most / _BYTES:g} GB ({reached}); choose a lower scope, or set "
        f"{_VARIABLE} to the gigabytes that they may take"
    )


def _bytes_below(folder: Path) -> int:
    size = 0
    for place, _, files in os.walk(folder):
        for file in files:
            with suppress(FileNotFoundError):  # it has just got its final name
                size += os.lstat(os.path.join(place, file)).st_size
    return size
