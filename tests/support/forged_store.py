"""Stores that somebody has changed by hand, behind the store's back."""

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from harness.store.database import FILE_NAME


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


def forge(folder: Path, statement: str, *values: object) -> None:
    """Changes one row."""
    with opened(folder) as connection:
        assert connection.execute(statement, values).rowcount == 1
