"""Opens `run.sqlite` without harming files of others, and reads and writes its rows.

Every failure is a StoreError in one line.
"""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from typing import Any, TypeVar

from harness.errors import StoreError

T = TypeVar("T")
Row = dict[str, Any]

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


APPLICATION_ID = 0x4D757473
"""`Muts` in ASCII: distinguishes our files from other SQLite databases."""

SCHEMA_VERSION = 14
"""A store of another version is read by the mutascope that wrote it."""

LATER_COLUMNS = ("oracle", "extension", "ended", "notices", "details")
"""Columns of `trial` that are not exported where they are NULL."""

KEYS = {
    "mutant_set": ("hash",),
    "mutant": ("mutant_set", "id"),
    "trial": ("key",),
    "suite_record": ("trial",),
    "instrument": ("trial",),
    "mutant_result": ("trial", "mutant"),
    "coverage": ("trial", "kind", "function"),
    "kill_row": ("trial", "mutant"),
    "probe_row": ("trial", "mutant"),
    "evidence": ("trial", "mutant"),
    "finish": ("trial",),
}
"""The columns that identify a row of each table of facts, the tables in the order of their references.

A fact is there once. The other tables depend on the machine: `session`, `fault`, `failure`, `renewal` and `timing`.
"""

ORDER = {name: ", ".join(key) for name, key in KEYS.items() if name != "suite_record"} | {
    "mutant": "mutant_set, line, column_, id",
    "trial": "subject, generator, scope, seed, key",
}
"""A total order of each table that the sources and seeds determine: all tables of facts but the one with a folder."""

TABLES = """
CREATE TABLE session (
    number INTEGER PRIMARY KEY,
    provenance TEXT NOT NULL
);
CREATE TABLE mutant_set (
    hash TEXT PRIMARY KEY,
    mutants INTEGER NOT NULL
) WITHOUT ROWID;
CREATE TABLE mutant (
    mutant_set TEXT NOT NULL REFERENCES mutant_set,
    id TEXT NOT NULL,
    operator TEXT NOT NULL,
    function TEXT NOT NULL,
    line INTEGER NOT NULL,
    column_ INTEGER NOT NULL,
    end_line INTEGER NOT NULL,
    end_column INTEGER NOT NULL,
    original TEXT NOT NULL,
    replacement TEXT NOT NULL,
    source_hash TEXT NOT NULL,
    status TEXT NOT NULL,
    same_as TEXT,
    PRIMARY KEY (mutant_set, id)
) WITHOUT ROWID;
CREATE TABLE trial (
    number INTEGER PRIMARY KEY,
    key TEXT NOT NULL UNIQUE,
    version TEXT NOT NULL,
    subject TEXT NOT NULL,
    title TEXT NOT NULL,
    generator TEXT NOT NULL,
    generator_version TEXT NOT NULL,
    scope INTEGER NOT NULL,
    seed INTEGER NOT NULL,
    subject_hash TEXT NOT NULL,
    source_hash TEXT NOT NULL,
    suite_digest TEXT NOT NULL,
    inputs INTEGER NOT NULL,
    states INTEGER NOT NULL,
    explored INTEGER NOT NULL,
    inputs_by_target TEXT NOT NULL,
    operator_set TEXT NOT NULL,
    mutant_set TEXT NOT NULL REFERENCES mutant_set,
    mode TEXT NOT NULL,
    approach TEXT NOT NULL,
    concrete INTEGER NOT NULL,
    original_steps INTEGER,
    original_raised INTEGER,
    sequences TEXT,
    observed TEXT,
    oracle TEXT,
    extension INTEGER,
    ended TEXT,
    notices TEXT,
    details TEXT
);
CREATE TABLE instrument (
    trial TEXT PRIMARY KEY REFERENCES trial (key),
    original_inputs INTEGER NOT NULL,
    planted_reason TEXT NOT NULL,
    planted_phase TEXT NOT NULL,
    no_op_inputs INTEGER NOT NULL,
    no_op_steps INTEGER NOT NULL
) WITHOUT ROWID;
CREATE TABLE mutant_result (
    trial TEXT NOT NULL REFERENCES trial (key),
    mutant TEXT NOT NULL,
    verdict TEXT NOT NULL,
    inputs_run INTEGER NOT NULL,
    steps INTEGER,
    reason TEXT,
    phase TEXT,
    input INTEGER,
    detail TEXT NOT NULL,
    executed INTEGER,
    reached INTEGER,
    infected INTEGER,
    PRIMARY KEY (trial, mutant)
) WITHOUT ROWID;
CREATE TABLE fault (
    number INTEGER PRIMARY KEY,
    trial TEXT NOT NULL REFERENCES trial (key),
    mutant TEXT NOT NULL,
    inputs_run INTEGER NOT NULL,
    steps INTEGER,
    phase TEXT,
    input INTEGER,
    detail TEXT NOT NULL
);
CREATE TABLE coverage (
    trial TEXT NOT NULL REFERENCES trial (key),
    kind TEXT NOT NULL CHECK (kind IN ('code', 'spec')),
    function TEXT NOT NULL,
    statements INTEGER NOT NULL,
    statements_executed INTEGER NOT NULL,
    branches INTEGER NOT NULL,
    branches_executed INTEGER NOT NULL,
    PRIMARY KEY (trial, kind, function)
) WITHOUT ROWID;
CREATE TABLE kill_row (
    trial TEXT NOT NULL REFERENCES trial (key),
    mutant TEXT NOT NULL,
    inputs INTEGER NOT NULL,
    bits BLOB NOT NULL,
    PRIMARY KEY (trial, mutant)
);
CREATE TABLE probe_row (
    trial TEXT NOT NULL REFERENCES trial (key),
    mutant TEXT NOT NULL,
    reached BLOB NOT NULL,
    infected BLOB NOT NULL,
    PRIMARY KEY (trial, mutant)
);
CREATE TABLE suite_record (
    trial TEXT PRIMARY KEY REFERENCES trial (key),
    suite TEXT NOT NULL,
    source TEXT NOT NULL,
    tests TEXT NOT NULL,
    excluded TEXT NOT NULL,
    files TEXT
) WITHOUT ROWID;
CREATE TABLE evidence (
    trial TEXT NOT NULL REFERENCES trial (key),
    mutant TEXT NOT NULL,
    loaded INTEGER NOT NULL,
    entered INTEGER,
    PRIMARY KEY (trial, mutant)
) WITHOUT ROWID;
CREATE TABLE failure (
    number INTEGER PRIMARY KEY,
    subject TEXT NOT NULL,
    title TEXT NOT NULL,
    generator TEXT NOT NULL,
    scope INTEGER NOT NULL,
    seed INTEGER NOT NULL,
    reason TEXT
);
CREATE TABLE renewal (
    number INTEGER PRIMARY KEY,
    trial TEXT NOT NULL REFERENCES trial (key),
    last_trial INTEGER NOT NULL
);
CREATE TABLE finish (
    trial TEXT PRIMARY KEY REFERENCES trial (key),
    results INTEGER NOT NULL
) WITHOUT ROWID;
CREATE TABLE timing (
    number INTEGER PRIMARY KEY,
    trial TEXT NOT NULL REFERENCES trial (key),
    what TEXT NOT NULL,
    seconds REAL NOT NULL,
    origin TEXT
);
CREATE INDEX timing_of_trial ON timing (trial, what);
CREATE INDEX fault_of_trial ON fault (trial, mutant);
"""
"""The tables. Trials that could not be run are failures; their reason is NULL once such a trial was run.

A renewal is of a trial that a run has asked for again after an edit was taken back. Its `last_trial` is the greatest
number of a trial that there was.
"""


def statements() -> list[str]:
    """Return the statements that create our tables in an empty database, to be run in one transaction."""
    created = [statement for statement in TABLES.split(";\n") if statement.strip()]
    refused = [
        f"CREATE TRIGGER no_{action.lower()}_of_{table} BEFORE {action} ON {table} "
        "BEGIN SELECT RAISE(ABORT, 'the store is append-only'); END"
        for table in (*KEYS, "session", "fault", "failure", "renewal", "timing")
        for action in ("UPDATE", "DELETE")
    ]
    marks = [f"PRAGMA application_id = {APPLICATION_ID}", f"PRAGMA user_version = {SCHEMA_VERSION}"]
    return [*created, *refused, *marks]
