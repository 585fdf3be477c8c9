"""Defines RunStore, which stores the facts of a run, one commit for each fact; and copies and exports of these."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from types import TracebackType
from typing import Any

from harness.model.outcome import OracleName
from harness.model.pytest_suite import PytestSuite
from harness.store.database import (
    FILE_NAME,
    KEYS,
    LATER_COLUMNS,
    ORDER,
    Database,
    connect_for_reading,
    connect_for_writing,
    reported,
)
from harness.store.facts import StoredTrial, latest_trials
from harness.store.tables import (
    Coverage,
    Failures,
    FinishedShares,
    FinishedTrials,
    Instruments,
    MutantSets,
    Results,
    Sessions,
    Suites,
    Timings,
    Trials,
)


class RunStore:
    """One run's `run.sqlite`, with a single writer: the orchestrator. Its parts read and write the tables.

    An `add` of a part commits before it returns, so the fact outlives a kill of the process. Adding a fact again is a
    no-op if it is identical, and a StoreError if it differs (`Database`). Use as a context manager.
    """

    def __init__(self, connection: sqlite3.Connection, folder: Path, writable: bool, is_shard: bool) -> None:
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
    def open(cls, folder: Path, is_shard: bool = False) -> RunStore:
        """Open the store of `folder` for writing. Both are created where missing.

        Args:
            is_shard: whether it is that of a shard, whose finished trials are in `shard.json`.

        Raises:
            StoreError: an unwritable folder; a corrupt, foreign or other-version file (left as it is).
        """
        return cls(connect_for_writing(folder), folder, True, is_shard)

    @classmethod
    def open_existing(cls, folder: Path, is_shard: bool = False) -> RunStore:
        """Open the store of `folder`, read-only; also while a run writes to it.

        Raises:
            StoreError: no store there; a corrupt, foreign or other-version file.
        """
        return cls(connect_for_reading(folder), folder, False, is_shard)

    def finished_under(self, oracle: OracleName) -> list[StoredTrial]:
        """Return the finished ones of the latest trials that an oracle judged."""
        finished = self.finished.keys()
        return [trial for trial in latest_trials(self.trials.under(oracle)) if trial.key in finished]

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


def export_facts(folder: Path) -> str:
    """JSON lines, one per fact, in an order that does not depend on that of insertion.

    Without seconds, faults and provenance: the same sources and seeds give the same text (law 5).

    Raises:
        StoreError: see `RunStore.open_existing`.
    """
    connection = connect_for_reading(folder)
    lines = []
    try:
        with reported(folder / FILE_NAME):
            connection.execute("BEGIN")  # One snapshot of all tables, also while a run writes.
            for table, order in ORDER.items():
                cursor = connection.execute(f"SELECT * FROM {table} ORDER BY {order}")  # noqa: S608 (our names)
                names = [column[0] for column in cursor.description]
                for row in cursor:
                    fact = {"table": table} | {n: _plain(value) for n, value in zip(names, row, strict=True)}
                    fact.pop("number", None)  # The order of insertion is no fact.
                    for name in LATER_COLUMNS:
                        if fact.get(name, "") is None:
                            del fact[name]
                    lines.append(json.dumps(fact, sort_keys=True))
    finally:
        connection.close()
    return "".join(f"{line}\n" for line in lines)


def _plain(value: Any) -> Any:
    return value.hex() if isinstance(value, bytes) else value


_OF_TRIAL = {
    "mutant_set": "hash = (SELECT mutant_set FROM trial WHERE key = ?)",
    "mutant": "mutant_set = (SELECT mutant_set FROM trial WHERE key = ?) ORDER BY id",
    "trial": "key = ?",
}
_APPENDED = ("fault", "timing")
_APART = ("coverage", "finish")
"""Tables that are added by `RunStore`, which checks them."""
_BY_CHANCE = ("trial", "suite_record")
"""Tables that hold steps of the original, which depend on chance in some pytest suites: the first ones count."""


def copy_trial(source: RunStore, target: RunStore, trial: str, projects: Sequence[str] = ()) -> None:
    """Copy the facts of a trial, all or none. A fact that is there already is compared.

    Of a pytest suite, the trial and its record stay as they are if they are there, as in a run that continues.

    Args:
        projects: folders of pytest suites here. A suite was run in a copy of one, below another folder.

    Raises:
        StoreError: the target has another fact instead of one.
    """
    is_there = target.trials.has(trial) and target.suites.of(trial) is not None
    coverage = source.coverage.of(trial)
    with target.database.transaction():
        for table in KEYS:
            if table in _APART or (is_there and table in _BY_CHANCE):
                continue
            for row in _rows(source, table, trial):
                if table == "suite_record":
                    row["suite"] = _moved(str(row["suite"]), projects)
                target.database.add(table, row)
        for table in _APPENDED:
            for row in _rows(source, table, trial):
                target.database.append(table, row)
    target.coverage.add(trial, coverage)


def _rows(source: RunStore, table: str, trial: str) -> list[dict[str, object]]:
    clause = _OF_TRIAL.get(table, "trial = ?")
    rows = source.database.select(f"SELECT * FROM {table} WHERE {clause}", trial)  # noqa: S608 (names are our own)
    return [{name: value for name, value in dict(row).items() if name != "number"} for row in rows]


def _moved(text: str, projects: Sequence[str]) -> str:
    suite = PytestSuite.of_json(text)
    here = [folder for folder in projects if suite.folder.endswith(folder)]
    return replace(suite, folder=here[0]).to_json() if here else text
