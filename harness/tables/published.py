"""Printed values of the papers, read from `results/published/`: facts to compare with, never to compute with."""

from __future__ import annotations

import csv
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from decimal import Decimal, InvalidOperation
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar

from harness.checksums import FILE_NAME, is_changed
from harness.errors import UsageError
from harness.model.outcome import ScorePolicy

if TYPE_CHECKING:
    from harness.analysis.frames import RunFrames


@dataclass(frozen=True)
class PublishedValue:
    """A number as a paper printed it: `printed` keeps its digits (`99.26`); `value` and `exact` are the same number.

    Claims are decided on `exact`. `value` is for figures and JSON. Both are None where the text is empty or a mark.
    """

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


class PublishedRow(dict[str, PublishedValue]):
    """The values of one printed row by column, those of its key columns included; empty cells are missing.

    Attributes:
        key: the texts of the key columns, which name the row.
    """

    def __init__(self, key: tuple[str, ...], cells: Mapping[str, PublishedValue]) -> None:
        super().__init__(cells)
        self.key = key

    def exact(self, column: str) -> Decimal | None:
        """Return a number with the printed digits; None if the cell is empty or has no number."""
        cell = self.get(column)
        return None if cell is None else cell.exact

    def value(self, column: str) -> float | None:
        """Return a number for figures; None as in `exact`."""
        cell = self.get(column)
        return None if cell is None else cell.value


class PublishedTable:
    """The rows of one printed table, in printed order; each is named by the texts of its key columns."""

    def __init__(self, rows: Iterable[PublishedRow]) -> None:
        self.rows = list(rows)
        self._by_key = {row.key: row for row in self.rows}

    def row(self, *key: str | int) -> PublishedRow:
        """Return the row with this key; without values if none is printed."""
        texts = tuple(map(str, key))
        return self._by_key.get(texts, PublishedRow(texts, {}))


@dataclass(frozen=True)
class TableInputs:
    """A base of the inputs of a paper's tables: a run, the folder of published values, and which mutants count."""

    paper: ClassVar[str]
    frames: RunFrames
    published: Path
    policy: ScorePolicy = field(default=ScorePolicy.ALL_VIABLE, kw_only=True)

    def printed(self, table: str, keys: int) -> PublishedTable:
        """Read the published values of a table, whose first `keys` columns name the row."""
        return read_published(self.published, self.paper, table, keys)


def read_published(folder: Path, paper: str, table: str, keys: int) -> PublishedTable:
    """Read `<folder>/<paper>_<table>.csv`, whose first `keys` columns name the row.

    Raises:
        UsageError: the file is missing or unreadable, a line has another number of cells than the
            heading, or two lines name the same row.
    """
    path = folder / f"{paper}_{table}.csv"
    try:
        if is_changed(path):
            raise csv.Error(f"not what {FILE_NAME} beside it tells")
        lines = list(csv.reader(path.read_text(encoding="utf-8").splitlines()))
    except (OSError, UnicodeDecodeError, csv.Error) as error:
        reason = error.strerror if isinstance(error, OSError) else error
        raise UsageError(f"{path}: published values cannot be read ({reason}); restore the file") from None
    heading = lines[0] if lines else []
    rows: dict[tuple[str, ...], PublishedRow] = {}
    for number, line in enumerate(lines[1:], start=2):
        if len(line) != len(heading):
            raise UsageError(f"{path}:{number}: {len(line)} cells under {len(heading)} columns; restore the file")
        key = tuple(line[:keys])
        if key in rows:
            raise UsageError(f"{path}:{number}: a second line for {' '.join(key)}; restore the file")
        cells = zip(heading, line, strict=True)
        rows[key] = PublishedRow(key, {column: PublishedValue(text) for column, text in cells if text})
    return PublishedTable(rows.values())
