"""The pace of a search: how much is done at a stretch, and when a faster engine is worthwhile."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Pace:
    """Limits of a search. They change how soon states are found, and never which."""

    beginning: int = 10_000
    """Executions of rep_ok, or valid vectors, after which it is worthwhile to compile: some hundredths of a second."""
    block: int = 4096
    """Vectors per call of the compiled code."""
    budget: int = 20_000_000
    """Steps per call: some hundredths of a second, so that signals are heard."""
    states: int = 1 << 13
    """For so many states there is room in one step of writing, or for those of the largest template."""


PACE = Pace()
