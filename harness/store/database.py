"""The reading and writing of rows in `run.sqlite`."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TypeVar

from harness.errors import StoreError
from harness.store.connect import reported, transaction
from harness.store.rows import Row

T = TypeVar("T")


class Database:
    """A connection to a run's file. Errors of SQLite become a StoreError with the name of the file.

    Adding a fact again is a no-op if it is identical, and a StoreError if it differs. Then the same sources and seeds
    gave two results, and determinism is broken.
    """

    def __init__(self, connection: sqlite3.Connection, path: Path) -> None:
        connection.row_factory = sqlite3.Row
        self.connection = connection
        self.path = path
        self._before_change: Callable[[], None] | None = None

    def select(self, query: str, *parameters: object) -> list[sqlite3.Row]:
        """Return the rows that a query finds."""
        with reported(self.path):
            return self.connection.execute(query, parameters).fetchall()

    def read(self, reader: Callable[[sqlite3.Row], T], query: str, *parameters: object) -> list[T]:
        """Return the rows that a query finds, each converted by a reader.

        Raises:
            StoreError: the reader refuses a row.
        """
        selected = self.select(query, *parameters)
        try:
            return [reader(row) for row in selected]
        except (ValueError, TypeError, KeyError) as error:
            raise StoreError(f"{self.path}: {error}; it was changed by hand, run again into another folder") from None

    def before_change(self, do: Callable[[], None]) -> None:
        """Call a function once, before something is added."""
        self._before_change = do

    def _announce_change(self) -> None:
        do, self._before_change = self._before_change, None
        if do is not None:
            do()

    @contextmanager
    def transaction(self) -> Iterator[None]:
        """Commit all additions inside together, or none of them."""
        self._announce_change()
        with reported(self.path), transaction(self.connection):
            yield

    def append(self, table: str, row: Row) -> None:
        """Insert a row, whatever is there already."""
        self._announce_change()
        names = ", ".join(row)
        marks = ", ".join("?" * len(row))
        query = f"INSERT INTO {table} ({names}) VALUES ({marks})"  # noqa: S608 (names are our own)
        with reported(self.path):
            self.connection.execute(query, tuple(row.values()))

    def add(self, table: str, key: Iterable[str], row: Row) -> None:
        """Insert a fact, inside of a transaction.

        Args:
            key: names of the columns that identify it.

        Raises:
            StoreError: there is another fact of that identity.
        """
        identity = {name: row[name] for name in key}
        where = " AND ".join(f"{name} = ?" for name in identity)
        query = f"SELECT * FROM {table} WHERE {where}"  # noqa: S608 (names are our own)
        stored = self.connection.execute(query, tuple(identity.values())).fetchone()
        if stored is None:
            self.append(table, row)
            return
        changed = [
            f"{name} {_short(stored[name])} is now {_short(value)}"
            for name, value in row.items()
            if stored[name] != value
        ]
        if changed:
            raise StoreError(
                f"{self.path}: {table} {' '.join(map(str, identity.values()))}: {', '.join(changed)}; the same sources "
                "gave two results, so the subject or the harness is not deterministic; the first one is kept"
            )


def _short(value: object) -> str:
    text = repr(value)
    return text if len(text) <= 60 else f"{text[:57]}..."
