"""Defines the scale of a part of the audit, its result, and the report of its progress."""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from e2e.command_line import Place

PATIENCE = 3600
"""Seconds after which a command counts as hanging: enough that none does so on a busy machine."""
LONGEST = 1200
"""Seconds that a run or a verification of a subject may take on a quiet machine; subjects above take no part."""


@dataclass(frozen=True)
class Scale:
    """The scale of the audit: `small` for tests, and a seed for random choices."""

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
    """The result of a piece: `figures` count its work by unit, `notes` describe it, and `findings` are problems."""

    figures: Mapping[str, int]
    findings: Sequence[str] = ()
    notes: Sequence[str] = field(default=())


def told(text: str) -> None:
    """Show progress, on a terminal only."""
    if sys.stderr.isatty():
        print(f"\r\033[K{text[:100]}", end="", file=sys.stderr, flush=True)
