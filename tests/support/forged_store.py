"""Stores that somebody has changed by hand: behind the store's back, and with checksums to match."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from harness.store.checksums import checksums_of
from harness.store.connect import FILE_NAME

NO_EVIDENCE = {
    ("session", "*"): "says on which machine and with which command a run was made: several sessions fill one trial",
    ("fault", "*"): "says why a mutant could not be judged at first: it is never scored, and a trial that has one is "
    "not finished until a later session has judged the mutant",
    ("failure", "*"): "says why a trial could not be run: it has no verdicts",
    ("renewal", "*"): "says which of several versions of a trial a run has asked for last",
    ("timing", "*"): "has seconds, which are of the machine and of the moment",
}
"""Columns on which no verdict stands, with the reason."""


@contextmanager
def opened(folder: Path) -> Iterator[sqlite3.Connection]:
    """The database of a run, without what keeps it append-only; what is changed in it is kept."""
    connection = sqlite3.connect(folder / FILE_NAME)
    connection.row_factory = sqlite3.Row
    connection.execute("PRAGMA ignore_check_constraints = ON")
    with connection:
        for (trigger,) in connection.execute("SELECT name FROM sqlite_master WHERE type = 'trigger'").fetchall():
            connection.execute(f"DROP TRIGGER {trigger}")
        yield connection
    connection.close()


def columns(folder: Path) -> list[tuple[str, str]]:
    """Each column of each table that is evidence, as the schema has them."""
    connection = sqlite3.connect(folder / FILE_NAME)
    tables = [name for (name,) in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")]
    columns_of_table = [
        (table, row[1])
        for table in sorted(tables)
        if (table, "*") not in NO_EVIDENCE
        for row in connection.execute(f"PRAGMA table_info({table})")
    ]
    connection.close()
    return columns_of_table


def overwrite(folder: Path, table: str, column: str) -> None:
    """Gives the column another value of its kind in one row, the first that has any, or else the first."""
    with opened(folder) as connection:
        rows = connection.execute(f"SELECT * FROM {table} ORDER BY {column} IS NULL, 1, 2 LIMIT 1").fetchall()
        assert rows, f"no row of {table} to overwrite"
        row = dict(rows[0])
        where = " AND ".join(f"{name} IS ?" for name in row)
        changed = connection.execute(
            f"UPDATE {table} SET {column} = ? WHERE {where}", (_other(row[column]), *row.values())
        )
        assert changed.rowcount == 1


def forge(folder: Path, statement: str, *values: object) -> None:
    """Changes one row, and the checksums of all trials with it."""
    with opened(folder) as connection:
        assert connection.execute(statement, values).rowcount == 1
        seal(connection)


def seal(connection: sqlite3.Connection) -> None:
    """Write the checksums of all finished trials again."""
    for (trial,) in connection.execute("SELECT trial FROM finish").fetchall():
        connection.execute("UPDATE finish SET checksums = ? WHERE trial = ?", (checksums_of(connection, trial), trial))


def _other(value: Any) -> Any:
    if isinstance(value, bytes):
        return bytes([value[0] ^ 1]) + value[1:]
    if isinstance(value, int):
        return value + 1
    return f"{value or ''}x"
