"""The result of a search for the builders of a subject (beapi2023, section 3.3), as data."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any

BUILDERS_SCOPE = 5
"""The scope at which the paper identifies builders."""


@dataclass(frozen=True)
class SearchStep:
    """One step of the search: the routines that extend sequences, and the number of structures that they make."""

    builders: tuple[str, ...]
    structures: int


@dataclass(frozen=True)
class BuilderSearchResult:
    """The result of the search.

    Attributes:
        builders: the builders in the order in which they were chosen, without the constructors.
        structures: the number of structures that they make at `scope`.
        structures_by_all: the number of structures that all routines make.
        explored: the number of executed sequences.
        steps: the steps from constructors only to the builders.
    """

    subject: str
    scope: int
    builders: tuple[str, ...]
    structures: int
    structures_by_all: int
    explored: int
    steps: tuple[SearchStep, ...]

    @property
    def line(self) -> str:
        """The line that pins the builders in a spec."""
        return f"s.builders({', '.join(map(repr, self.builders))})".replace("'", '"')

    def to_data(self) -> dict[str, Any]:
        """Return the data for JSON."""
        return {**asdict(self), "line": self.line}
