"""ComparisonTable: measured values, each beside the published one and the difference."""

from __future__ import annotations

from dataclasses import dataclass
from decimal import Decimal
from enum import Enum
from fractions import Fraction

from harness.analysis.percent import percent_text, rounded
from harness.model.published import PublishedValue
from harness.model.seconds import EARLIER, EarlierSeconds, note_on_earlier

MISSING = "–"  # noqa: RUF001 (an en dash, as tables have it)


class Unit(Enum):
    """What a column's values are, and so how they are printed."""

    COUNT = "count"
    PERCENT = "percent"
    """Measured as a Fraction; printed with two digits; differences in percentage points."""
    POINTS = "points"
    """Percentage points: a difference or spread of percentages; printed with two digits."""
    SECONDS = "seconds"
    FACTOR = "factor"
    """How many times as much; printed with two digits."""
    TEXT = "text"
    """Names; compared by the reader."""


@dataclass(frozen=True)
class Missing:
    """No measured value, and why: `not run`."""

    reason: str


Measured = Fraction | int | float | str | Missing


@dataclass(frozen=True)
class Column:
    """A heading and the unit of what stands below.

    `published` says whether the paper has such a column; `differs`, whether measured minus published means anything:
    seconds of other machines, say, stand beside each other only.
    """

    name: str
    unit: Unit
    published: bool = True
    differs: bool = True


@dataclass(frozen=True)
class Comparison:
    """A measured value and, where the paper prints one, the published value.

    The two are of types that do not mix, so a published number cannot enter a measured column. `comparable` says
    whether both are of the same, so that their difference means something.
    """

    measured: Measured
    published: PublishedValue | None = None
    comparable: bool = True

    def __post_init__(self) -> None:
        if not isinstance(self.measured, Measured) or isinstance(self.measured, bool):
            raise TypeError(f"{self.measured!r} is no measured value")

    def measured_text(self, unit: Unit) -> str:
        """The measured value as printed; a dash where it is missing."""
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
        """Measured minus published, of the numbers as printed; None where one is missing, or they do not compare."""
        if self.published is None or self.published.value is None or not self.comparable:
            return None
        if isinstance(self.measured, (Missing, str)):
            return None
        measured = Decimal(self.measured_text(unit).removeprefix("<"))
        return measured - Decimal(self.published.printed)

    def difference_text(self, unit: Unit) -> str:
        """The difference with its sign; blank where there is none."""
        difference = self.difference(unit)
        if difference is None:
            return ""
        return f"{difference:+f}" if difference else f"{abs(difference):f}"


@dataclass(frozen=True)
class Row:
    """Labels (benchmark, scope) and one comparison for each column."""

    labels: tuple[str, ...]
    cells: tuple[Comparison, ...]


@dataclass(frozen=True)
class ComparisonTable:
    """A table of a paper, regenerated, or of a run of one's own; `render` prints it.

    `caption` names the score policy and where the numbers come from.
    """

    title: str
    caption: str
    labels: tuple[str, ...]
    columns: tuple[Column, ...]
    rows: tuple[Row, ...]
    compares: bool = True
    """Whether it stands beside a paper; the tables of a run of one's own do not."""

    def __post_init__(self) -> None:
        for row in self.rows:
            if len(row.labels) != len(self.labels) or len(row.cells) != len(self.columns):
                raise ValueError(f"{self.title}: row {row.labels} does not fit the columns")

    @property
    def footnotes(self) -> dict[str, int | str]:
        """Return the mark of each note. Reasons for missing values have numbers from 1, in the order of reading;
        seconds that the run did not measure have a mark of their own."""
        values = [cell.measured for row in self.rows for cell in row.cells]
        reasons = dict.fromkeys(value.reason for value in values if isinstance(value, Missing))
        notes: dict[str, int | str] = {reason: number for number, reason in enumerate(reasons, start=1)}
        if earlier := {value.origin for value in values if isinstance(value, EarlierSeconds)}:
            notes[note_on_earlier(sorted(earlier))] = EARLIER
        return notes

    def records(self) -> list[dict[str, object]]:
        """For JSON: per row its labels, and per column measured, published and difference (or None) as numbers.

        The measured value alone, where the table compares nothing. `origin` says where, how and when seconds were
        measured that are not of the run.
        """
        found = []
        for row in self.rows:
            record: dict[str, object] = dict(zip(self.labels, row.labels, strict=True))
            for column, cell in zip(self.columns, row.cells, strict=True):
                values = _record(cell, column)
                record[column.name] = values if self.compares else values["measured"]
                if "origin" in values and not self.compares:
                    record[f"{column.name}, origin"] = values["origin"]
            found.append(record)
        return found


def _record(cell: Comparison, column: Column) -> dict[str, object]:
    measured, unit = cell.measured, column.unit
    difference = cell.difference(unit) if column.differs else None
    value: object = measured
    if isinstance(measured, Missing):
        value = None
    elif unit is Unit.PERCENT:
        value = float(cell.measured_text(unit))
    elif isinstance(measured, Fraction):
        value = float(measured)
    published: object = None
    if cell.published:
        published = cell.published.printed if cell.published.value is None else cell.published.value
    return {
        "measured": value,
        "published": published,
        "difference": None if difference is None else float(difference),
        **({"origin": measured.origin} if isinstance(measured, EarlierSeconds) else {}),
    }
