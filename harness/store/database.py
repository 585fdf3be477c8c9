"""Opens `run.sqlite` without harming files of others, and reads and writes its rows.

Every failure is a StoreError in one line.
"""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from typing import TypeVar

from harness.errors import StoreError
from harness.store.rows import Row
from harness.store.schema import APPLICATION_ID, KEYS, SCHEMA_VERSION, statements

T = TypeVar("T")

FILE_NAME = "run.sqlite"
_MAGIC = b"SQLite format 3\0"
_BUSY_SECONDS = 30.0
_PRIMARY = 0xFF
"""The part of an error's code that says which kind it is of."""
_LEAST_ROOM = 1 << 15
"""Bytes by which the index of the log grows at a time."""


@contextmanager
def reported(path: Path) -> Iterator[None]:
    """Turn SQLite's errors into a StoreError that names the file."""
    try:
        yield
    except sqlite3.Error as error:
        if _is_full(error, path.parent):
            raise StoreError(
                f"{path}: no room on its disk ({error}); make room: what was finished is kept, the same command goes on"
            ) from None
        raise StoreError(f"{path}: {error}; the file was left as it is, move it away or use another folder") from None


def _is_full(error: sqlite3.Error, folder: Path) -> bool:
    """Return whether the disk has no room. SQLite reports an I/O error if a memory-mapped file cannot grow."""
    code = getattr(error, "sqlite_errorcode", sqlite3.SQLITE_OK) & _PRIMARY
    if code != sqlite3.SQLITE_IOERR:
        return bool(code == sqlite3.SQLITE_FULL)
    disk = os.statvfs(folder)
    return disk.f_bavail * disk.f_frsize < _LEAST_ROOM


def connect_for_writing(folder: Path) -> sqlite3.Connection:
    """Return the run's database, created with its folder if there is none.

    WAL with synchronous=NORMAL: a commit that returned outlives a kill of the process, and
    readers (a notebook) do not wait. In autocommit; `transaction` groups.

    Raises:
        StoreError: the folder is unwritable, or what is there is not a store of this schema.
    """
    path = folder / FILE_NAME
    try:
        folder.mkdir(parents=True, exist_ok=True)
        fresh = not path.exists() or path.stat().st_size == 0
        if fresh:
            path.touch()
    except OSError as error:
        raise StoreError(f"{folder}: cannot write there ({error.strerror}); choose another output folder") from None
    if not fresh:
        fresh = _checked(path)
    with reported(path):
        connection = sqlite3.connect(path, timeout=_BUSY_SECONDS, isolation_level=None)
    try:
        with reported(path):
            connection.execute("PRAGMA foreign_keys = ON")
            connection.execute("PRAGMA synchronous = NORMAL")
            if fresh:
                # One transaction: a kill in between leaves an empty database, which is fresh again.
                _create(connection)
            connection.execute("PRAGMA journal_mode = WAL")
    except StoreError:
        connection.close()
        raise
    return connection


def connect_for_reading(folder: Path) -> sqlite3.Connection:
    """Return the run's database, read-only.

    Raises:
        StoreError: there is none, or what is there is not a store of this schema.
    """
    path = folder / FILE_NAME
    if not path.is_file() or path.stat().st_size == 0:
        raise StoreError(f"{folder}: no run is stored there; give the folder that `mutascope run --out` wrote")
    if _checked(path):
        raise StoreError(f"{path}: the store is empty; run the experiment first")
    with reported(path):
        return _open(path, "ro")


@contextmanager
def transaction(connection: sqlite3.Connection) -> Iterator[None]:
    """Commit all changes of the block or none, also when the process is killed inside."""
    connection.execute("BEGIN IMMEDIATE")
    try:
        yield
        connection.execute("COMMIT")
    except BaseException:
        if connection.in_transaction:  # SQLite rolls back by itself when, say, the disk is full.
            connection.execute("ROLLBACK")
        raise


def _create(connection: sqlite3.Connection) -> None:
    with transaction(connection):
        # Another process may have created it while this one waited for the lock.
        if not connection.execute("SELECT count(*) FROM sqlite_master").fetchone()[0]:
            for statement in statements():
                connection.execute(statement)


def _open(path: Path, mode: str) -> sqlite3.Connection:
    uri = f"{path.resolve().as_uri()}?mode={mode}"
    return sqlite3.connect(uri, uri=True, timeout=_BUSY_SECONDS, isolation_level=None)


def _checked(path: Path) -> bool:
    """Check an existing file, once nothing is half done in it, read-only; return True if it is empty.

    Raises:
        StoreError: the file is not SQLite, damaged, another program's, or of another schema.
    """
    try:
        with path.open("rb") as file:
            magic = file.read(len(_MAGIC))
    except OSError as error:
        raise StoreError(f"{path}: cannot be read ({error.strerror})") from None
    if magic != _MAGIC:
        raise StoreError(f"{path}: not a run's store (not SQLite); it was left as it is, use another folder")
    with reported(path):
        with suppress(sqlite3.Error), closing(_open(path, "rw")) as settling:  # undoes the work of a killed process
            settling.execute("SELECT count(*) FROM sqlite_master").fetchone()
        if path.stat().st_size == 0:
            return True
        connection = _open(path, "ro")
    try:
        with reported(path):
            application = connection.execute("PRAGMA application_id").fetchone()[0]
            version = connection.execute("PRAGMA user_version").fetchone()[0]
            tables = connection.execute("SELECT count(*) FROM sqlite_master").fetchone()[0]
            if application == 0 and version == 0 and tables == 0:
                return True
            if application != APPLICATION_ID:
                raise StoreError(
                    f"{path}: a database of another program (application_id {application}); "
                    "it was left as it is, use another folder"
                )
            if version != SCHEMA_VERSION:
                raise StoreError(
                    f"{path}: schema version {version}, this mutascope reads {SCHEMA_VERSION}; "
                    "use the mutascope that wrote it, or run again into another folder"
                )
    finally:
        connection.close()
    return False


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

    def add(self, table: str, row: Row) -> None:
        """Insert a fact, inside of a transaction.

        Raises:
            StoreError: there is another fact of that identity.
        """
        identity = {name: row[name] for name in KEYS[table]}
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
