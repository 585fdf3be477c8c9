"""Represents a table: measured values by row and column, each with the published one and the difference."""

from __future__ import annotations

from collections.abc import Callable, Collection, Container, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from enum import Enum
from fractions import Fraction
from typing import Any, Generic, TypeVar

from harness.analysis.percent import percent_text, rounded
from harness.did_you_mean import suggestion
from harness.errors import UsageError
from harness.model.experiment import EARLIER, EarlierSeconds, note_on_earlier
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


_Source = TypeVar("_Source")


@dataclass(frozen=True)
class Column(Generic[_Source]):
    """A column of a table.

    Attributes:
        measured: reads the value of a row from its source; None if there is none, for the reason `missing`.
        published: the column's name among the published values; empty where the paper has no such column.
        differs: whether measured minus published means anything.
    """

    name: str
    unit: Unit
    measured: Callable[[_Source], Measured | None] = field(compare=False)
    published: str = ""
    missing: Missing = NOT_MEASURED
    differs: bool = True

    @property
    def has_difference(self) -> bool:
        """Whether measured minus published is shown: never for names, nor for seconds of two machines."""
        return bool(self.published) and self.differs and self.unit not in (Unit.TEXT, Unit.SECONDS)


@dataclass(frozen=True)
class RowSource(Generic[_Source]):
    """A row of a table that is to be made.

    Attributes:
        labels: the row's name, a text for each label of the table.
        source: the object that the columns read; None if nothing was measured, for the reason `missing`.
        printed: the published values by the names of their columns.
        failure: why the trial of the row could not be run; empty if it was, or if it was not to be.
        incomparable: published columns whose difference from the measured value has no meaning in this row.
    """

    labels: tuple[str, ...]
    source: _Source | None
    printed: Mapping[str, PublishedValue] = field(default_factory=dict)
    missing: Missing = NOT_RUN
    incomparable: Container[str] = ()
    failure: str = ""

    def cell(self, column: Column[_Source]) -> Cell:
        """Return the measured and the published value of a column."""
        missing = Missing(self.failure) if self.failure else self.missing
        value = missing if self.source is None else column.measured(self.source)
        return Cell(
            column.missing if value is None else value,
            self.printed.get(column.published),
            column.published not in self.incomparable,
        )


@dataclass(frozen=True)
class Row:
    """Labels (benchmark, scope) and one comparison for each column. `failure` is as in `RowSource`.

    A label is `MISSING` where the row has none, as of the seed of a generator that uses none.
    """

    labels: tuple[str, ...]
    cells: tuple[Cell, ...]
    failure: str = ""


@dataclass(frozen=True)
class Table:
    """A regenerated table of a paper, or a table of any run; `render` prints it.

    `caption` names the score policy and the origin of the numbers. The modules that make tables write it, in `runs/`,
    `papers/` and `tables/criteria.py`.
    """

    title: str
    caption: str
    labels: tuple[str, ...]
    columns: tuple[Column[Any], ...]
    rows: tuple[Row, ...]
    compares: bool = True
    """Whether the table is compared with a paper; tables of other runs are not."""

    def __post_init__(self) -> None:
        for row in self.rows:
            if len(row.labels) != len(self.labels) or len(row.cells) != len(self.columns):
                raise ValueError(f"{self.title}: row {row.labels} does not fit the columns")

    @classmethod
    def of(
        cls,
        title: str,
        caption: str,
        labels: tuple[str, ...],
        columns: Sequence[Column[_Source]],
        cases: Iterable[RowSource[_Source]],
        *,
        compares: bool = True,
    ) -> Table:
        """Make a table from its declaration: each column reads the source of each row."""
        rows = tuple(Row(case.labels, tuple(map(case.cell, columns)), case.failure) for case in cases)
        return cls(title, caption, labels, tuple(columns), rows, compares)

    @property
    def footnotes(self) -> dict[str, int | str]:
        """The mark of each note.

        Reasons for missing values have numbers from 1, in the order of reading. Seconds that the run did not measure
        have a mark of their own.
        """
        values = [cell.measured for row in self.rows for cell in row.cells]
        reasons = dict.fromkeys(value.reason for value in values if isinstance(value, Missing))
        notes: dict[str, int | str] = {reason: number for number, reason in enumerate(reasons, start=1)}
        if earlier := {value.origin for value in values if isinstance(value, EarlierSeconds)}:
            notes[note_on_earlier(sorted(earlier))] = EARLIER
        return notes

    @property
    def failures(self) -> list[str]:
        """The texts that say why trials could not be run, by row; none if all could be run."""
        return [row.failure for row in self.rows] if any(row.failure for row in self.rows) else []

    def records(self) -> list[dict[str, object]]:
        """Return the rows for JSON: labels, and per column measured, published and difference (or None) as numbers.

        If the table compares nothing, there is only the measured value. `origin` says where, how and when seconds were
        measured that are not of the run. If a trial could not be run, `failed` says why.
        """
        records = []
        for row in self.rows:
            labels = (None if label == MISSING else label for label in row.labels)
            record: dict[str, object] = dict(zip(self.labels, labels, strict=True))
            for column, cell in zip(self.columns, row.cells, strict=True):
                values = _record(cell, column)
                record[column.name] = values if self.compares else values["measured"]
                if "origin" in values and not self.compares:
                    record[f"{column.name}, origin"] = values["origin"]
            if self.failures:
                record["failed"] = row.failure or None
            records.append(record)
        return records


def check_table(makers: Collection[str], table: str | None, of: str) -> None:
    """Check that a table that is asked for is one of the makers; `of` says what the tables are of.

    Raises:
        UsageError: it is none.
    """
    if table is not None and table not in makers:
        raise UsageError(f"no table {table!r} of {of}; {suggestion(table, makers)}")


def made_tables(
    makers: Mapping[str, Callable[[_Source], Table]], source: _Source, table: str | None, of: str
) -> dict[str, Table]:
    """Return the tables that are made of a source, or the named one alone.

    Raises:
        UsageError: there is no such table; `of` says what the tables are of.
    """
    check_table(makers, table, of)
    return {name: make(source) for name, make in makers.items() if table in (None, name)}


def _record(cell: Cell, column: Column[Any]) -> dict[str, object]:
    measured, unit = cell.measured, column.unit
    difference = cell.difference(unit) if column.has_difference else None
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
