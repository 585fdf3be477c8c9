"""The pace of a search: how much is done at a stretch, and when more engines and processes are worthwhile."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Pace:
    """Limits of a search. They change how soon states are found, and never which."""

    beginning: int = 10_000
    """Executions of rep_ok, or valid vectors, after which it is worthwhile to compile: some hundredths of a second."""
    split_after: float = 0.3
    """Processor seconds of compiled search after which more processes are worthwhile; they take hundredths to start."""
    block: int = 4096
    """Vectors per call of the compiled code."""
    budget: int = 20_000_000
    """Steps per call: some hundredths of a second, so that signals are heard."""
    executions: int = 4096
    """Executions per call of a rep_ok in the interpreter: some milliseconds, after which progress shows."""
    pieces: int = 4
    """Parts per process into which a search is split at first."""
    short: float = 0.02
    """Processor seconds after which a process gives the rest of its part back, while parts are scarce."""
    long: float = 0.1
    """The same, while they are not."""
    states: int = 1 << 13
    """For so many states there is room in one step of writing, or for those of the largest template."""
    inputs: int = 1 << 16
    """The same of inputs."""


PACE = Pace()
