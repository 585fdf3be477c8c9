"""Represents a cell of a table: a measured value, or a reason why there is none, next to the published one."""

from __future__ import annotations

from dataclasses import dataclass
from decimal import Decimal
from enum import Enum
from fractions import Fraction

from harness.analysis.percent import percent_text, rounded
from harness.tables.published import PublishedValue

MISSING = "–"  # noqa: RUF001 (an en dash, as tables have it)


class Unit(Enum):
    """The unit of a column's values, which determines how they are printed."""

    COUNT = "count"
    PERCENT = "percent"
    """Measured as a Fraction; printed with two digits; differences in percentage points."""
    POINTS = "points"
    """Percentage points: a difference or spread of percentages; printed with two digits."""
    SECONDS = "seconds"
    FACTOR = "factor"
    """A ratio, printed with two digits."""
    TEXT = "text"
    """Names; compared by the reader."""


@dataclass(frozen=True)
class Missing:
    """No measured value, and why: `not run`."""

    reason: str


Measured = Fraction | int | float | str | Missing


@dataclass(frozen=True)
class Cell:
    """A measured value and, where the paper prints one, the published value.

    The two have types that do not mix, so a published number cannot enter a measured column. `comparable` says whether
    both measure the same, so that their difference has a meaning.
    """

    measured: Measured
    published: PublishedValue | None = None
    comparable: bool = True

    def __post_init__(self) -> None:
        if not isinstance(self.measured, Measured) or isinstance(self.measured, bool):
            raise TypeError(f"{self.measured!r} is no measured value")

    def measured_text(self, unit: Unit) -> str:
        """Return the measured value as printed; a dash if it is missing."""
        value = self.measured
        if isinstance(value, Missing):
            return MISSING
        if isinstance(value, str):
            return value
        if unit is Unit.PERCENT:
            return percent_text(Fraction(value))
        if unit in (Unit.POINTS, Unit.FACTOR):
            return f"{rounded(Fraction(value)):f}"
        if unit is Unit.SECONDS:
            return f"{rounded(Fraction(value)):f}" if value == 0 or value >= 0.005 else "<0.01"
        return str(value)

    @property
    def published_text(self) -> str:
        """The published value with the paper's digits; blank where the paper has none."""
        return self.published.printed if self.published else ""

    def difference(self, unit: Unit) -> Decimal | None:
        """Return measured minus published, as printed; None if one is missing or they are not comparable."""
        if self.published is None or self.published.value is None or not self.comparable:
            return None
        if isinstance(self.measured, (Missing, str)):
            return None
        measured = Decimal(self.measured_text(unit).removeprefix("<"))
        return measured - Decimal(self.published.printed)

    def difference_text(self, unit: Unit) -> str:
        """Return the difference with its sign; blank if there is none."""
        difference = self.difference(unit)
        if difference is None:
            return ""
        return f"{difference:+f}" if difference else f"{abs(difference):f}"


NOT_RUN = Missing("not run")
NOT_MEASURED = Missing("not measured")
NO_MUTANT_RUN = Missing("no mutant was run with it")
NOT_FINISHED = Missing("not finished: mutants are left to run; run the experiment again to resume")
NOTHING_TO_COVER = Missing("nothing to cover")
NO_MUTANTS = Missing("no mutant counts under the policy")


def ratio_or(ratio: Fraction | None, otherwise: Missing) -> Measured:
    """Return the ratio, or the reason why there is none."""
    return otherwise if ratio is None else ratio
