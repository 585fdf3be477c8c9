"""How much a part of the audit does, what it finds, and how it tells how far it is."""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from e2e.command_line import Place

PATIENCE = 1200
"""Seconds until a command is taken to hang: so many that none is taken to hang on a busy machine."""


@dataclass(frozen=True)
class Scale:
    """How much is done: `small` for tests, and a seed for what is random."""

    small: bool
    seed: int
    folder: Path

    def of(self, whole: int, small: int) -> int:
        """Return one of the two."""
        return small if self.small else whole

    def place(self, name: str, stands: str = "") -> Place:
        """Make a new folder to stand in, or one with a folder `stands` in it to stand in."""
        place = Place(self.folder / name, stands=stands)
        place.patience = PATIENCE
        return place


@dataclass(frozen=True)
class Found:
    """`figures`: how much was done, by what is counted; `notes`: more words on it; `findings`: what is wrong."""

    figures: Mapping[str, int]
    findings: Sequence[str] = ()
    notes: Sequence[str] = field(default=())


def told(text: str) -> None:
    """Show progress, on a terminal only."""
    if sys.stderr.isatty():
        print(f"\r\033[K{text[:100]}", end="", file=sys.stderr, flush=True)
