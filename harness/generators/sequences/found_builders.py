"""What a climb to the builders of a subject came to (beapi2023, section 3.3), as data."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any

BUILDERS_SCOPE = 5
"""Scope at which the paper identifies builders."""


@dataclass(frozen=True)
class Step:
    """One step up: what sequences were extended with, and how many structures that makes."""

    builders: tuple[str, ...]
    structures: int


@dataclass(frozen=True)
class FoundBuilders:
    """What the climb came to.

    Attributes:
        builders: in the order of being chosen; constructors apart, which always are.
        structures: that they make at `scope`.
        structures_by_all: that all routines make.
        explored: sequences executed.
        steps: from constructors alone to the builders.
    """

    subject: str
    scope: int
    builders: tuple[str, ...]
    structures: int
    structures_by_all: int
    explored: int
    steps: tuple[Step, ...]

    @property
    def line(self) -> str:
        """What pins them in a spec."""
        return f"s.builders({', '.join(map(repr, self.builders))})".replace("'", '"')

    def to_data(self) -> dict[str, Any]:
        """For JSON."""
        return {**asdict(self), "line": self.line}
