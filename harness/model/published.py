"""A number as a paper printed it, with where it stands."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class PublishedValue:
    """`printed` keeps the paper's digits (`99.26`); `value` is the same as a number, None where empty or a mark."""

    paper: str
    table: str
    row: str
    column: str
    printed: str

    @property
    def value(self) -> float | None:
        """The printed text as a number, or None (empty, `TO`, `IL`, names)."""
        try:
            return float(self.printed)
        except ValueError:
            return None
