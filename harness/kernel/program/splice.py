"""Splices a mutant's replacement into the source; standard library only."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache

from harness.errors import ManifestError
from harness.model.outcome import Location, Mutant

_NEWLINE = re.compile(r"\r\n?|\n")


@lru_cache(maxsize=8)
def line_starts(source: str) -> tuple[int, ...]:
    """Return the offset of the first character of each line; entry 0 is line 1.

    Only the newlines of Python's grammar count; `str.splitlines` would also break at form feeds.
    """
    return (0, *(match.end() for match in _NEWLINE.finditer(source)))


def span_offsets(location: Location, starts: Sequence[int]) -> tuple[int, int]:
    """Return the offsets of the span's first character and of the one after its last."""
    return starts[location.line - 1] + location.column, starts[location.end_line - 1] + location.end_column


def text_at(source: str, location: Location) -> str:
    """Return the source text at `location`; empty if the source has no such lines."""
    starts = line_starts(source)
    if location.end_line > len(starts):
        return ""
    start, end = span_offsets(location, starts)
    return source[start:end]


def mutated_source(source: str, mutant: Mutant) -> str:
    """Return the whole program with `mutant` applied: a separate module (exhaustive2003, section 7.1).

    Raises:
        ManifestError: the source does not have the mutant's original text at its location.
    """
    text = text_at(source, mutant.location)
    if text != mutant.original:
        raise ManifestError(
            f"mutant {mutant.id}: the source has {text!r} at {mutant.location}, not {mutant.original!r}; "
            "derive the mutants again from this source"
        )
    start, end = span_offsets(mutant.location, line_starts(source))
    return source[:start] + mutant.replacement + source[end:]
