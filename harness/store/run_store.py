"""RunStore: what a run found out, one committed fact at a time."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Callable, Iterable
from pathlib import Path
from types import TracebackType
from typing import TypeVar

from harness.errors import StoreError
from harness.model.experiment import Provenance
from harness.model.mutant import Mutant, MutantStatus
from harness.model.outcome import MutantResult, OracleName, Verdict
from harness.model.own_suite import Evidence, SuiteRecord
from harness.store import rows
from harness.store.checksums import Change, changes_of, checksums_of, unsealed
from harness.store.connect import FILE_NAME, connect_for_reading, connect_for_writing, reported, transaction
from harness.store.facts import (
    TOLD,
    CoverageKind,
    FunctionCoverage,
    InstrumentProof,
    KillRow,
    ProbeRow,
    StoredTrial,
    Timing,
    mutant_set_hash,
)
from harness.store.rows import Row

T = TypeVar("T")

_LISTS = ("arguments", "containment")
"""Fields of Provenance that JSON makes lists of."""


class RunStore:
    """One run's `run.sqlite`, with a single writer: the orchestrator.

    Every `add_*` is committed when it returns and outlives a kill of the process. Adding a fact
    again is a no-op if it is identical, and a StoreError if it differs: then the same sources and
    seeds gave two results, and determinism is broken. Use as a context manager.
    """

    def __init__(self, connection: sqlite3.Connection, folder: Path, writable: bool) -> None:
        connection.row_factory = sqlite3.Row
        self._connection = connection
        self._writable = writable
        self.folder = folder
        self.path = folder / FILE_NAME

    @classmethod
    def open(cls, folder: Path) -> RunStore:
        """The store of `folder` for writing; both are created where missing.

        Raises:
            StoreError: an unwritable folder; a corrupt, foreign or other-version file (left as it is).
        """
        return cls(connect_for_writing(folder), folder, writable=True)

    @classmethod
    def open_existing(cls, folder: Path) -> RunStore:
        """The store of `folder`, read-only; also while a run writes to it.

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
        """Closes; a store that was written becomes one plain file, readable from a read-only disk."""
        if self._writable:
            try:
                self._connection.execute("PRAGMA journal_mode = DELETE")
            except sqlite3.Error:
                pass  # A reader still looks at the file; it stays in WAL mode, which loses nothing.
        self._connection.close()

    # -- adding ------------------------------------------------------------------------------

    def add_session(self, provenance: Provenance) -> None:
        """Records one invocation of `run`: on what, with which versions and arguments."""
        self._append("session", {"provenance": json.dumps(provenance.as_dict(), sort_keys=True)})

    def add_mutants(self, mutants: Iterable[Mutant]) -> str:
        """Stores a mutant set; returns its hash, which `StoredTrial.mutant_set` names."""
        mutants = list(mutants)
        mutant_set = mutant_set_hash(mutants)
        with reported(self.path), transaction(self._connection):
            self._fact("mutant_set", ("hash",), {"hash": mutant_set, "mutants": len(mutants)})
            for mutant in mutants:
                self._fact("mutant", ("mutant_set", "id"), rows.mutant_row(mutant_set, mutant))
        return mutant_set

    def add_trial(self, trial: StoredTrial) -> str:
        """Stores a trial, its mutants being there already; returns its key.

        Of one that is there, what its generator told stays as it was: a run of before has kept nothing of it.
        """
        row = rows.trial_row(trial)
        query = f"SELECT {', '.join(TOLD)} FROM trial WHERE key = ?"  # noqa: S608 (names are our own)
        for stored in self._select(query, str(row["key"])):
            row |= dict(stored)
        self._add("trial", ("key",), row)
        return str(row["key"])

    def add_instrument(self, trial: str, proof: InstrumentProof) -> None:
        """Stores the self-checks of a trial."""
        self._add("instrument", ("trial",), rows.instrument_row(trial, proof))

    def add_result(
        self,
        trial: str,
        result: MutantResult,
        *,
        kill_row: KillRow | None = None,
        probe_row: ProbeRow | None = None,
        seconds: float | None = None,
        evidence: Evidence | None = None,
    ) -> None:
        """Stores a mutant's result, with its row of the kill matrix, that of the probes, its seconds, and what shows
        that its code was executed, in one commit.

        An INCONCLUSIVE result is kept as a fault: it blocks scoring, and a resumed run tries again.
        """
        with reported(self.path), transaction(self._connection):
            if result.verdict is Verdict.INCONCLUSIVE:
                self._insert("fault", rows.fault_row(trial, result))
            else:
                if kill_row is not None:
                    self._fact("kill_row", ("trial", "mutant"), rows.kill_row_row(trial, kill_row))
                if probe_row is not None:
                    self._fact("probe_row", ("trial", "mutant"), rows.probe_row_row(trial, probe_row))
                if evidence is not None:
                    self._fact("evidence", ("trial", "mutant"), {"trial": trial} | vars(evidence))
                self._fact("mutant_result", ("trial", "mutant"), rows.result_row(trial, result))
            if seconds is not None:
                self._insert("timing", {"trial": trial, "what": result.mutant, "seconds": seconds})

    def add_coverage(self, trial: str, coverage: Iterable[FunctionCoverage]) -> None:
        """Stores coverage counts, function by function, in one commit.

        Raises:
            StoreError: another trial on the same mutant set has other functions, statements or branches.
        """
        counts = list(coverage)
        self._check_denominators(trial, counts)
        with reported(self.path), transaction(self._connection):
            for function in counts:
                self._fact("coverage", ("trial", "kind", "function"), rows.coverage_row(trial, function))

    def add_suite(self, trial: str, record: SuiteRecord) -> None:
        """Stores a suite of pytest: its tests, and the text of the module under test."""
        self._add("suite_record", ("trial",), rows.suite_row(trial, record))

    def add_timing(self, trial: str, what: str, seconds: float, origin: str | None = None) -> None:
        """Records seconds of `generate`, `coverage`, `baseline` or a mutant; the latest one counts.

        Args:
            origin: where, how and when they were measured, if this run did not measure them.
        """
        self._append("timing", {"trial": trial, "what": what, "seconds": seconds, "origin": origin})

    def finish_trial(self, trial: str) -> None:
        """Marks a trial as complete, and keeps checksums of its facts.

        Raises:
            StoreError: a viable mutant of its set has no conclusive result yet.
        """
        done = self.finished_mutants(trial)
        missing = [
            m.id
            for m in self.mutants(self.trial(trial).mutant_set)
            if m.status is MutantStatus.VIABLE and m.id not in done
        ]
        if missing:
            raise StoreError(
                f"{self.path}: {self.trial(trial)} is not finished: {len(missing)} mutants have no conclusive "
                f"result ({missing[0]} is one); run the experiment again to resume"
            )
        with reported(self.path), transaction(self._connection):
            sums = checksums_of(self._connection, trial)
            self._fact("finish", ("trial",), {"trial": trial, "results": len(done), "checksums": sums})

    # -- reading -----------------------------------------------------------------------------

    def sessions(self) -> list[Provenance]:
        """Invocations of `run`, oldest first."""
        found = [json.loads(row["provenance"]) for row in self._select("SELECT * FROM session ORDER BY number")]
        return [
            Provenance(**fields | {name: tuple(fields[name]) for name in _LISTS if fields.get(name) is not None})
            for fields in found
        ]

    def trials(self, oracle: OracleName = OracleName.DIFFERENTIAL) -> list[StoredTrial]:
        """Trials under an oracle by subject, generator, scope, seed; of otherwise equal ones the latest comes last."""
        return [trial for trial in self.all_trials() if trial.oracle is oracle]

    def all_trials(self) -> list[StoredTrial]:
        """The trials under every oracle, in the order of `trials`."""
        return self._select_trials("ORDER BY subject, generator, scope, seed, number")

    def trial(self, key: str) -> StoredTrial:
        """The trial of that key.

        Raises:
            StoreError: there is none.
        """
        for trial in self._select_trials("WHERE key = ?", key):
            return trial
        raise StoreError(f"{self.path}: no trial {key}; run the experiment first")

    def _select_trials(self, clause: str, *parameters: str) -> list[StoredTrial]:
        columns, joined = ["trial.*"], ""
        if self._has("suite_record"):
            columns.append("suite_record.suite")
            joined = "LEFT JOIN suite_record ON suite_record.trial = trial.key"
        query = f"SELECT {', '.join(columns)} FROM trial {joined} {clause}"  # noqa: S608 (our own text)
        return self._read_rows(rows.trial_of, self._select(query, *parameters))

    def has_trial(self, key: str) -> bool:
        """Whether the trial was begun."""
        return bool(self._select("SELECT 1 FROM trial WHERE key = ?", key))

    def finished_trials(self) -> frozenset[str]:
        """Keys of the trials that are complete."""
        return frozenset(row["trial"] for row in self._select("SELECT trial FROM finish"))

    def instrument(self, trial: str) -> InstrumentProof | None:
        """The self-checks of a trial; None if not made yet."""
        found = self._select("SELECT * FROM instrument WHERE trial = ?", trial)
        return next(iter(self._read_rows(rows.instrument_of, found)), None)

    def mutants(self, mutant_set: str) -> list[Mutant]:
        """The mutants of a set by position in the source, then id."""
        found = self._select("SELECT * FROM mutant WHERE mutant_set = ? ORDER BY line, column_, id", mutant_set)
        return self._read_rows(rows.mutant_of, found)

    def finished_mutants(self, trial: str) -> frozenset[str]:
        """Ids of the mutants with a conclusive result: what a resumed run leaves out."""
        return frozenset(r["mutant"] for r in self._select("SELECT mutant FROM mutant_result WHERE trial = ?", trial))

    def results(self, trial: str) -> list[MutantResult]:
        """Results by mutant id; INCONCLUSIVE ones (the latest fault) where there is nothing better."""
        found = self._select("SELECT * FROM mutant_result WHERE trial = ?", trial)
        faults = self._select(
            "SELECT * FROM fault WHERE number IN (SELECT max(number) FROM fault WHERE trial = ? AND mutant NOT IN "
            "(SELECT mutant FROM mutant_result WHERE trial = ?) GROUP BY mutant)",
            trial,
            trial,
        )
        return sorted(self._read_rows(rows.result_of, [*found, *faults]), key=lambda result: result.mutant)

    def coverage(self, trial: str) -> list[FunctionCoverage]:
        """Coverage counts by kind and function."""
        found = self._select("SELECT * FROM coverage WHERE trial = ? ORDER BY kind, function", trial)
        return self._read_rows(rows.coverage_of, found)

    def kill_rows(self, trial: str) -> list[KillRow]:
        """Rows of the kill matrix by mutant id."""
        found = self._select("SELECT * FROM kill_row WHERE trial = ? ORDER BY mutant", trial)
        return self._read_rows(rows.kill_row_of, found)

    def probe_rows(self, trial: str) -> list[ProbeRow]:
        """Which inputs reach and infect which mutant, by mutant id."""
        found = self._select("SELECT * FROM probe_row WHERE trial = ? ORDER BY mutant", trial)
        return self._read_rows(rows.probe_row_of, found)

    def suite(self, trial: str) -> SuiteRecord | None:
        """The suite of pytest of a trial; None of a trial of another kind."""
        if not self._has("suite_record"):
            return None
        found = self._select("SELECT * FROM suite_record WHERE trial = ?", trial)
        return next(iter(self._read_rows(rows.suite_of, found)), None)

    def _has(self, table: str) -> bool:
        """Whether there is such a table: a store of before that is only read has none of suites of pytest."""
        return bool(self._select("SELECT 1 FROM sqlite_master WHERE name = ?", table))

    def evidence(self, trial: str) -> list[Evidence]:
        """What shows that the mutants of a trial of pytest were executed, by mutant id."""
        if not self._has("evidence"):
            return []
        found = self._select("SELECT * FROM evidence WHERE trial = ? ORDER BY mutant", trial)
        return [Evidence(row["mutant"], row["loaded"], row["entered"]) for row in found]

    def timings(self, trial: str) -> list[Timing]:
        """The latest seconds of each activity, by its name."""
        found = self._select(
            "SELECT * FROM timing WHERE number IN "
            "(SELECT max(number) FROM timing WHERE trial = ? GROUP BY what) ORDER BY what",
            trial,
        )
        return [Timing(row["what"], row["seconds"], dict(row).get("origin")) for row in found]  # not in older stores

    def changes(self) -> list[Change]:
        """Return what was changed by hand of the facts of finished trials, as their checksums show."""
        with reported(self.path):
            return list(changes_of(self._connection))

    def check_unchanged(self) -> None:
        """Refuses facts that were changed by hand.

        Raises:
            StoreError: names the first of them.
        """
        for change in self.changes()[:1]:
            raise StoreError(f"{self.path}: {change}; run again into another folder")

    def unsealed(self) -> int:
        """Return the number of trials that finished before checksums were kept."""
        with reported(self.path):
            return unsealed(self._connection)

    # -- one fact ----------------------------------------------------------------------------

    def _select(self, query: str, *parameters: str) -> list[sqlite3.Row]:
        with reported(self.path):
            return self._connection.execute(query, parameters).fetchall()

    def _read_rows(self, reader: Callable[[sqlite3.Row], T], stored: Iterable[sqlite3.Row]) -> list[T]:
        try:
            return [reader(row) for row in stored]
        except (ValueError, TypeError, KeyError) as error:
            raise StoreError(f"{self.path}: {error}; it was changed by hand, run again into another folder") from None

    def _add(self, table: str, key: tuple[str, ...], row: Row) -> None:
        with reported(self.path), transaction(self._connection):
            self._fact(table, key, row)

    def _append(self, table: str, row: Row) -> None:
        with reported(self.path):
            self._insert(table, row)

    def _insert(self, table: str, row: Row) -> None:
        names = ", ".join(row)
        marks = ", ".join("?" * len(row))
        query = f"INSERT INTO {table} ({names}) VALUES ({marks})"  # noqa: S608 (names are our own)
        self._connection.execute(query, tuple(row.values()))

    def _check_denominators(self, key: str, coverage: Iterable[FunctionCoverage]) -> None:
        """Refuse code coverage of other functions, statements or branches than other trials of the target have."""
        trial = self.trial(key)
        known = self._select(
            "SELECT trial.key, function, statements, branches FROM coverage JOIN trial ON trial.key = coverage.trial "
            "WHERE kind = ? AND mutant_set = ? AND subject_hash = ?",
            CoverageKind.CODE.value,
            trial.mutant_set,
            trial.subject_hash,
        )
        of_trials: dict[str, set[tuple[str, int, int]]] = {}
        for row in known:
            of_trials.setdefault(row["key"], set()).add((row["function"], row["statements"], row["branches"]))
        code = [one for one in coverage if one.kind is CoverageKind.CODE]
        mine = {(one.function, one.counts.statements, one.counts.branches) for one in code}
        if code and any(mine != theirs for other, theirs in of_trials.items() if other != key):
            raise StoreError(
                f"{self.path}: {trial} covers other functions, statements or branches than another trial on the same "
                "mutants; run them under one version of Python and coverage.py, into another folder"
            )

    def _fact(self, table: str, key: tuple[str, ...], row: Row) -> None:
        where = " AND ".join(f"{name} = ?" for name in key)
        identity = tuple(row[name] for name in key)
        query = f"SELECT * FROM {table} WHERE {where}"  # noqa: S608 (names are our own)
        stored = self._connection.execute(query, identity).fetchone()
        if stored is None:
            self._insert(table, row)
            return
        changed = [
            f"{name} {_short(stored[name])} is now {_short(value)}"
            for name, value in row.items()
            if stored[name] != value
        ]
        if changed:
            raise StoreError(
                f"{self.path}: {table} {' '.join(map(str, identity))}: {', '.join(changed)}; the same sources gave two "
                "results, so the subject or the harness is not deterministic; the first one is kept"
            )


def _short(value: object) -> str:
    text = repr(value)
    return text if len(text) <= 60 else f"{text[:57]}..."
