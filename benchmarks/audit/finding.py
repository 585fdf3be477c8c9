"""What a part of the audit finds, and how it tells how far it is."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from e2e.command_line import Place


@dataclass(frozen=True)
class Scale:
    """How much is done: `small` for tests, and a seed for what is random."""

    small: bool
    seed: int
    folder: Path

    def of(self, whole: int, small: int) -> int:
        """One of the two."""
        return small if self.small else whole

    def place(self, name: str) -> Place:
        """A new folder to stand in."""
        return Place(self.folder / name)


@dataclass(frozen=True)
class Found:
    """`figures`: what was done, in words with numbers; `findings`: what is wrong, a line each."""

    title: str
    figures: Sequence[str]
    findings: Sequence[str] = ()


def told(text: str) -> None:
    """Progress, on a terminal only."""
    if sys.stderr.isatty():
        print(f"\r\033[K{text[:100]}", end="", file=sys.stderr, flush=True)
