"""Details of a suite: facts that its generator alone knows, under names of its own, such as `sat.extension`.

The name of a detail begins with a word of the generator, and a dot. The header of a suite, the store, frames and tables
carry details along by their names, and read none of them.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from math import isfinite
from typing import Any, TypeAlias

from harness.errors import UsageError

Detail: TypeAlias = bool | int | float | str
"""A detail of one value, which is a fact of the trial, too."""

LONGEST_TEXT = 1000
_NAME = re.compile(r"[a-z][a-z0-9_-]*\.[a-z][a-z0-9_-]*")
_LARGEST = (1 << 63) - 1
"""The largest number that a store holds."""


def facts_among(details: Mapping[str, Any]) -> dict[str, Detail]:
    """Return the details of one value, by name. Lists and tables stay with the suite."""
    return {name: details[name] for name in sorted(details) if isinstance(details[name], Detail)}


def are_details(details: object) -> bool:
    """Return True if something that a process wrote has names of details, and each single value can be kept."""
    return isinstance(details, dict) and all(map(_is_name, details)) and all(map(_can_be_kept, details.values()))


def checked_details(details: Mapping[str, Any], generator: str) -> dict[str, Any]:
    """Return the details that a generator reports, after checking them.

    Raises:
        UsageError: one has no name of a detail, or its value cannot be kept.
    """
    for name, value in details.items():
        if not _is_name(name):
            raise UsageError(
                f"generator {generator!r}: {name!r} is no name of a detail; put a word of your own and a dot before "
                "it, as in 'sat.extension'"
            )
        if not _can_be_kept(value):
            raise UsageError(
                f"generator {generator!r}: detail {name!r} is neither JSON, a number of 64 bits nor a line of at most "
                f"{LONGEST_TEXT} characters"
            )
    return dict(details)


def _is_name(name: object) -> bool:
    return isinstance(name, str) and _NAME.fullmatch(name) is not None


def _can_be_kept(value: object) -> bool:
    if isinstance(value, int):
        return -_LARGEST <= value <= _LARGEST
    if isinstance(value, float):
        return isfinite(value)
    if isinstance(value, str):
        return len(value) <= LONGEST_TEXT and len(value.splitlines()) <= 1
    return isinstance(value, dict | list)
