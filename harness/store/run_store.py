"""Defines RunStore, which stores the facts of a run, one commit for each fact."""

from __future__ import annotations

import sqlite3
from pathlib import Path
from types import TracebackType

from harness.store.connect import FILE_NAME, connect_for_reading, connect_for_writing
from harness.store.database import Database
from harness.store.finished_shares import FinishedShares
from harness.store.finished_trials import FinishedTrials
from harness.store.results import Results
from harness.store.tables import Coverage, Failures, Instruments, MutantSets, Sessions, Suites, Timings
from harness.store.trials import Trials


class RunStore:
    """One run's `run.sqlite`, with a single writer: the orchestrator. Its parts read and write the tables.

    An `add` of a part commits before it returns, so the fact outlives a kill of the process. Adding a fact again is a
    no-op if it is identical, and a StoreError if it differs (`Database`). Use as a context manager.
    """

    def __init__(self, connection: sqlite3.Connection, folder: Path, writable: bool, is_shard: bool = False) -> None:
        self.folder = folder
        self.path = folder / FILE_NAME
        self._connection = connection
        self._writable = writable
        self.database = database = Database(connection, self.path)
        self.sessions = Sessions(database)
        self.mutants = MutantSets(database)
        self.trials = Trials(database)
        self.failures = Failures(database)
        self.instruments = Instruments(database)
        self.suites = Suites(database)
        self.results = Results(database)
        self.coverage = Coverage(database, self.trials)
        self.timings = Timings(database)
        self.finished = (
            FinishedShares(folder) if is_shard else FinishedTrials(database, self.trials, self.mutants, self.results)
        )

    @classmethod
    def open(cls, folder: Path) -> RunStore:
        """Open the store of `folder` for writing. Both are created where missing.

        Raises:
            StoreError: an unwritable folder; a corrupt, foreign or other-version file (left as it is).
        """
        return cls(connect_for_writing(folder), folder, writable=True)

    @classmethod
    def open_shard(cls, folder: Path) -> RunStore:
        """Open the store of a shard for writing: its finished trials are in `shard.json`.

        Raises:
            StoreError: as `open`.
        """
        return cls(connect_for_writing(folder), folder, writable=True, is_shard=True)

    @classmethod
    def open_existing_shard(cls, folder: Path) -> RunStore:
        """Open the store of a shard, read-only.

        Raises:
            StoreError: as `open_existing`.
        """
        return cls(connect_for_reading(folder), folder, writable=False, is_shard=True)

    @classmethod
    def open_existing(cls, folder: Path) -> RunStore:
        """Open the store of `folder`, read-only; also while a run writes to it.

        Raises:
            StoreError: no store there; a corrupt, foreign or other-version file.
        """
        return cls(connect_for_reading(folder), folder, writable=False)

    def __enter__(self) -> RunStore:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """Close; a store that was written becomes one plain file, readable from a read-only disk."""
        if self._writable:
            try:
                self._connection.execute("PRAGMA journal_mode = DELETE")
            except sqlite3.Error:
                pass  # A reader still looks at the file; it stays in WAL mode, which loses nothing.
        self._connection.close()
