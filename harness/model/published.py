"""A number as a paper printed it, with where it stands."""

from __future__ import annotations

from dataclasses import dataclass
from decimal import Decimal, InvalidOperation


@dataclass(frozen=True)
class PublishedValue:
    """`printed` keeps the paper's digits (`99.26`); `value` and `exact` are the same as a number.

    Claims are decided on `exact`. `value` is for figures and JSON. Both are None where the text is empty or a mark.
    """

    paper: str
    table: str
    row: str
    column: str
    printed: str

    @property
    def value(self) -> float | None:
        """The printed text as a number, or None (empty, `TO`, `IL`, names)."""
        return None if self.exact is None else float(self.exact)

    @property
    def exact(self) -> Decimal | None:
        """The printed text as a number with just these digits, or None."""
        try:
            return Decimal(self.printed)
        except InvalidOperation:
            return None
