"""Printed values of the papers, read from `results/published/`: facts to compare with, never to compute with."""

from __future__ import annotations

import csv
from collections.abc import Iterator, Mapping
from pathlib import Path

from harness.checksums import FILE_NAME, is_changed
from harness.errors import UsageError
from harness.model.published import PublishedValue


class PublishedTable(Mapping[tuple[str, str], PublishedValue]):
    """The cells of one printed table, by row and column; a cell that is empty in print is not there.

    The row of `SearchTree,7,...` with two key columns is `SearchTree 7`.
    """

    def __init__(self, cells: Mapping[tuple[str, str], PublishedValue]) -> None:
        self._cells = dict(cells)

    def __getitem__(self, cell: tuple[str, str]) -> PublishedValue:
        return self._cells[cell]

    def __iter__(self) -> Iterator[tuple[str, str]]:
        return iter(self._cells)

    def __len__(self) -> int:
        return len(self._cells)

    @property
    def rows(self) -> list[str]:
        """Rows in printed order."""
        return list(dict.fromkeys(row for row, _ in self._cells))


def read_published(folder: Path, paper: str, table: str, keys: int) -> PublishedTable:
    """`<folder>/<paper>_<table>.csv`, whose first `keys` columns name the row.

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
    cells: dict[tuple[str, str], PublishedValue] = {}
    seen: set[str] = set()
    heading = lines[0] if lines else []
    for number, line in enumerate(lines[1:], start=2):
        if len(line) != len(heading):
            raise UsageError(f"{path}:{number}: {len(line)} cells under {len(heading)} columns; restore the file")
        row = " ".join(line[:keys])
        if row in seen:
            raise UsageError(f"{path}:{number}: a second line for {row}; restore the file")
        seen.add(row)
        for column, printed in zip(heading[keys:], line[keys:], strict=True):
            if printed:
                cells[row, column] = PublishedValue(paper, table, row, column, printed)
    return PublishedTable(cells)
