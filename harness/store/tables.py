"""The tables of a run: rows are added, and read by their trial; no other module knows both column and field names.

The trials of which one shard has found its share are in the file `shard.json`.
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import is_dataclass
from enum import EnumType
from functools import cache
from itertools import count, takewhile
from pathlib import Path
from typing import Any, TypeVar, cast, get_args, get_type_hints

from harness.checksums import read_whole, write_whole
from harness.errors import StoreError
from harness.kernel.inputs.suites import BLOCK
from harness.model.experiment import Approach, ExecutionMode, Provenance
from harness.model.outcome import Mutant, MutantResult, MutantStatus, OracleName, Verdict
from harness.model.pytest_suite import Evidence, PytestSuite, SuiteRecord, SuiteTest
from harness.model.sequence import Observation
from harness.store.database import Database, Row
from harness.store.facts import (
    DETAIL_COLUMNS,
    REPORTED,
    CoverageKind,
    FailedTrial,
    FunctionCoverage,
    InstrumentProof,
    KillRow,
    ProbeRow,
    StoredTrial,
    Timing,
    is_absent,
    latest_trials,
    mutant_set_hash,
    plain,
)

T = TypeVar("T")

_FAULT = ("mutant", "inputs_run", "steps", "phase", "input", "detail")
_LISTS = ("arguments", "containment")
"""Fields of Provenance that JSON makes lists of."""


class Table:
    """A part of a run's database."""

    def __init__(self, database: Database) -> None:
        self._database = database


class Sessions(Table):
    """Invocations of `run` that have added a fact, with their machine, versions and arguments."""

    def add_before_change(self, describe: Callable[[], Provenance]) -> None:
        """Record an invocation before it adds a fact; `describe` is called then."""
        self._database.before_change(lambda: self.add(describe()))

    def add(self, provenance: Provenance) -> None:
        """Record one invocation."""
        self._database.append("session", {"provenance": json.dumps(provenance.as_dict(), sort_keys=True)})

    def all(self) -> list[Provenance]:
        """Return the invocations, oldest first."""
        selected = self._database.select("SELECT * FROM session ORDER BY number")
        described = [json.loads(row["provenance"]) for row in selected]
        return [
            Provenance(**fields | {name: tuple(fields[name]) for name in _LISTS if fields.get(name) is not None})
            for fields in described
        ]


class MutantSets(Table):
    """Mutants by the hash of their set, which trials name (`StoredTrial.mutant_set`)."""

    def add(self, mutants: Iterable[Mutant]) -> str:
        """Store a set. Return its hash."""
        mutants = list(mutants)
        mutant_set = mutant_set_hash(mutants)
        with self._database.transaction():
            self._database.add("mutant_set", {"hash": mutant_set, "mutants": len(mutants)})
            for mutant in mutants:
                row = {"mutant_set": mutant_set} | row_of(mutant)
                self._database.add("mutant", {name: value for name, value in row.items() if name != "rule"})
        return mutant_set

    def of(self, mutant_set: str) -> list[Mutant]:
        """Return the mutants of a set by position in the source, then id."""
        query = "SELECT * FROM mutant WHERE mutant_set = ? ORDER BY line, column_, id"
        return self._database.read(reader_of(Mutant), query, mutant_set)


class Trials(Table):
    """Trials that were begun."""

    def add(self, trial: StoredTrial) -> str:
        """Store a trial, its mutants being there already. Return its key.

        One that is there becomes the latest of its kind, and keeps what its generator reported then.
        """
        row = trial_row(trial)
        query = f"SELECT {', '.join(REPORTED)} FROM trial WHERE key = ?"  # noqa: S608 (names are our own)
        key = str(row["key"])
        stored = self._database.select(query, key)
        for reported in stored:
            row |= dict(reported)
        with self._database.transaction():
            self._database.add("trial", row)
        if stored:
            self.renew(key)
        return key

    def renew(self, key: str) -> None:
        """Let a trial be the latest one of those that differ only in the texts that were run."""
        trial = self.find(key)
        names = ("subject", "generator", "scope", "seed")
        versions = self._in_order("WHERE " + " AND ".join(f"{name} = ?" for name in names), *trial.values(names))
        if all(latest.key != key for latest in latest_trials(versions)):
            ((last,),) = self._database.select("SELECT max(number) FROM trial")
            self._database.append("renewal", {"trial": key, "last_trial": last})

    def all(self) -> list[StoredTrial]:
        """Return the trials by subject, generator, scope, seed. Of otherwise equal ones the latest comes last."""
        return self._in_order("")

    def _in_order(self, condition: str, *parameters: object) -> list[StoredTrial]:
        moments = "coalesce(last_trial, trial.number), coalesce(renewed, 0)"
        return self._select(f"{condition} ORDER BY subject, generator, scope, seed, {moments}", *parameters)

    def under(self, oracle: OracleName) -> list[StoredTrial]:
        """Return the trials that an oracle judged, in the order of `all`."""
        return [trial for trial in self.all() if trial.oracle is oracle]

    def find(self, key: str) -> StoredTrial:
        """Return the trial of that key.

        Raises:
            StoreError: there is none.
        """
        for trial in self._select("WHERE key = ?", key):
            return trial
        raise StoreError(f"{self._database.path}: no trial {key}; run the experiment first")

    def has(self, key: str) -> bool:
        """Return whether the trial was begun."""
        return bool(self._database.select("SELECT 1 FROM trial WHERE key = ?", key))

    def _select(self, clause: str, *parameters: object) -> list[StoredTrial]:
        latest = "SELECT trial, max(number) AS renewed, last_trial FROM renewal GROUP BY trial"
        query = (
            "SELECT trial.*, suite_record.suite FROM trial "  # noqa: S608 (our own text)
            "LEFT JOIN suite_record ON suite_record.trial = trial.key "
            f"LEFT JOIN ({latest}) AS renewal ON renewal.trial = trial.key {clause}"
        )
        return self._database.read(trial_of, query, *parameters)


class Results(Table):
    """Results of each trial's mutants, with rows of kills and probes, and evidence of execution."""

    def add(
        self,
        trial: str,
        result: MutantResult,
        *,
        kill_row: KillRow | None = None,
        probe_row: ProbeRow | None = None,
        seconds: float | None = None,
        evidence: Evidence | None = None,
    ) -> None:
        """Store a mutant's result in one commit with its row of the kill matrix, its row of the probes, its seconds and
        the evidence that its code was executed.

        An INCONCLUSIVE result is kept as a fault: it blocks scoring, and a resumed run tries again.
        """
        with self._database.transaction():
            row = {"trial": trial} | row_of(result)
            if result.verdict is Verdict.INCONCLUSIVE:
                self._database.append("fault", {name: row[name] for name in ("trial", *_FAULT)})
            else:
                for table, fact in (("kill_row", kill_row), ("probe_row", probe_row), ("evidence", evidence)):
                    if fact is not None:
                        self._database.add(table, {"trial": trial} | row_of(fact))
                self._database.add("mutant_result", row)
            if seconds is not None:
                self._database.append("timing", {"trial": trial, "what": result.mutant, "seconds": seconds})

    def of(self, trial: str) -> list[MutantResult]:
        """Return results by mutant id. INCONCLUSIVE ones (the latest fault) stand where there is nothing better."""
        read = reader_of(MutantResult)
        conclusive = self._database.read(read, "SELECT * FROM mutant_result WHERE trial = ?", trial)
        faults = self._database.read(
            read,
            "SELECT *, 'inconclusive' AS verdict FROM fault WHERE number IN (SELECT max(number) FROM fault "
            "WHERE trial = ? AND mutant NOT IN (SELECT mutant FROM mutant_result WHERE trial = ?) GROUP BY mutant)",
            trial,
            trial,
        )
        return sorted([*conclusive, *faults], key=lambda result: result.mutant)

    def finished_mutants(self, trial: str) -> frozenset[str]:
        """Return ids of the mutants with a conclusive result. A resumed run leaves them out."""
        selected = self._database.select("SELECT mutant FROM mutant_result WHERE trial = ?", trial)
        return frozenset(row["mutant"] for row in selected)

    def kill_rows(self, trial: str) -> list[KillRow]:
        """Return rows of the kill matrix by mutant id."""
        query = "SELECT * FROM kill_row WHERE trial = ? ORDER BY mutant"
        return self._database.read(reader_of(KillRow), query, trial)

    def probe_rows(self, trial: str) -> list[ProbeRow]:
        """Return rows of the inputs that reach and infect each mutant, by mutant id."""
        query = "SELECT * FROM probe_row WHERE trial = ? ORDER BY mutant"
        return self._database.read(reader_of(ProbeRow), query, trial)

    def evidence(self, trial: str) -> list[Evidence]:
        """Return the evidence that the mutants of a trial of pytest were executed, by mutant id."""
        query = "SELECT * FROM evidence WHERE trial = ? ORDER BY mutant"
        return self._database.read(reader_of(Evidence), query, trial)


class FinishedTrials(Table):
    """Trials that are complete."""

    def __init__(self, database: Database, trials: Trials, mutants: MutantSets, results: Results) -> None:
        self._database = database
        self._trials = trials
        self._mutants = mutants
        self._results = results

    def add(self, trial: str) -> None:
        """Mark a trial as complete.

        Raises:
            StoreError: a viable mutant of its set has no conclusive result yet.
        """
        stored = self._trials.find(trial)
        done = self._results.finished_mutants(trial)
        missing = [
            mutant.id
            for mutant in self._mutants.of(stored.mutant_set)
            if mutant.status is MutantStatus.VIABLE and mutant.id not in done
        ]
        if missing:
            raise StoreError(
                f"{self._database.path}: {stored} is not finished: {len(missing)} mutants have no conclusive "
                f"result ({missing[0]} is one); run the experiment again to resume"
            )
        with self._database.transaction():
            self._database.add("finish", {"trial": trial, "results": len(done)})

    def has(self, trial: str) -> bool:
        """Return whether the trial is complete."""
        return bool(self._database.select("SELECT 1 FROM finish WHERE trial = ?", trial))

    def keys(self) -> frozenset[str]:
        """Return the keys of the trials."""
        return frozenset(row["trial"] for row in self._database.select("SELECT trial FROM finish"))


class Suites(Table):
    """Suites of pytest with their tests and the text of the module under test, one for each of their trials."""

    def add(self, trial: str, record: SuiteRecord) -> None:
        """Store the suite of a trial."""
        with self._database.transaction():
            self._database.add("suite_record", suite_row(trial, record))

    def of(self, trial: str) -> SuiteRecord | None:
        """Return the suite of a trial, or None of a trial of another kind."""
        records = self._database.read(suite_of, "SELECT * FROM suite_record WHERE trial = ?", trial)
        return next(iter(records), None)


class Instruments(Table):
    """The self-checks of each trial."""

    def add(self, trial: str, proof: InstrumentProof) -> None:
        """Store the self-checks of a trial."""
        with self._database.transaction():
            self._database.add("instrument", {"trial": trial} | row_of(proof))

    def of(self, trial: str) -> InstrumentProof | None:
        """Return the self-checks of a trial, or None if not made yet."""
        proofs = self._database.read(reader_of(InstrumentProof), "SELECT * FROM instrument WHERE trial = ?", trial)
        return next(iter(proofs), None)


class Coverage(Table):
    """Coverage counts of each trial, function by function."""

    def __init__(self, database: Database, trials: Trials) -> None:
        self._database = database
        self._trials = trials

    def add(self, trial: str, coverage: Iterable[FunctionCoverage]) -> None:
        """Store the counts of a trial in one commit.

        Raises:
            StoreError: another trial on the same mutant set has other functions, statements or branches.
        """
        counts = list(coverage)
        self._check_denominators(trial, counts)
        with self._database.transaction():
            for function in counts:
                self._database.add("coverage", {"trial": trial} | row_of(function))

    def of(self, trial: str) -> list[FunctionCoverage]:
        """Return the counts of a trial by kind and function."""
        query = "SELECT * FROM coverage WHERE trial = ? ORDER BY kind, function"
        return self._database.read(reader_of(FunctionCoverage), query, trial)

    def _check_denominators(self, key: str, coverage: Iterable[FunctionCoverage]) -> None:
        """Refuse code coverage of other functions, statements or branches than other trials of the target have."""
        trial = self._trials.find(key)
        counted = self._database.select(
            "SELECT trial.key, function, statements, branches FROM coverage JOIN trial ON trial.key = coverage.trial "
            "WHERE kind = ? AND mutant_set = ? AND subject_hash = ?",
            CoverageKind.CODE.value,
            trial.mutant_set,
            trial.subject_hash,
        )
        of_trials: dict[str, set[tuple[str, int, int]]] = {}
        for row in counted:
            of_trials.setdefault(row["key"], set()).add((row["function"], row["statements"], row["branches"]))
        code = [one for one in coverage if one.kind is CoverageKind.CODE]
        mine = {(one.function, one.counts.statements, one.counts.branches) for one in code}
        if code and any(mine != theirs for other, theirs in of_trials.items() if other != key):
            raise StoreError(
                f"{self._database.path}: {trial} covers other functions, statements or branches than another trial on "
                "the same mutants; run them under one version of Python and coverage.py, into another folder"
            )


def blocks_of(seconds: Mapping[str, T], what: str) -> list[T]:
    """Return the seconds of an activity after each block of `BLOCK` inputs (`Timings.add_blocks`), as far as known."""
    names = (f"{what}:{number * BLOCK}" for number in count(1))
    return [seconds[name] for name in takewhile(seconds.__contains__, names)]


class Timings(Table):
    """Seconds of the activities of each trial. The latest ones count."""

    def add(self, trial: str, what: str, seconds: float, origin: str | None = None) -> None:
        """Record seconds of an activity.

        Args:
            what: `generate`, `coverage`, `baseline` or the id of a mutant. `made:32` is the generation of the first 32
                inputs, `baseline:32` the original on them.
            origin: where, how and when they were measured, if this run did not measure them.
        """
        self._database.append("timing", {"trial": trial, "what": what, "seconds": seconds, "origin": origin})

    def add_blocks(self, trial: str, what: str, seconds: Sequence[float], origin: str | None = None) -> None:
        """Record the seconds of an activity after each block of `BLOCK` inputs, as `made:32`, `made:64` and so on."""
        for number, spent in enumerate(seconds, start=1):
            self.add(trial, f"{what}:{number * BLOCK}", spent, origin)

    def of(self, trial: str) -> list[Timing]:
        """Return the latest seconds of each activity, by its name."""
        query = (
            "SELECT * FROM timing WHERE number IN "
            "(SELECT max(number) FROM timing WHERE trial = ? GROUP BY what) ORDER BY what"
        )
        return self._database.read(reader_of(Timing), query, trial)


class Failures(Table):
    """Trials that could not be run. The latest attempt of each counts."""

    def add(self, failed: FailedTrial) -> None:
        """Record a trial that could not be run."""
        if failed not in self.all():
            self._database.append("failure", vars(failed))

    def end(self, failed: FailedTrial) -> None:
        """Record that a trial that failed was run, or has been replaced by another one."""
        self._database.append("failure", vars(failed) | {"reason": None})

    def all(self) -> list[FailedTrial]:
        """Return the trials whose last attempt failed, by subject, generator, scope and seed."""
        query = (
            "SELECT subject, title, generator, scope, seed, reason FROM failure WHERE reason IS NOT NULL AND number IN "
            "(SELECT max(number) FROM failure GROUP BY subject, generator, scope, seed) "
            "ORDER BY subject, generator, scope, seed"
        )
        return self._database.read(reader_of(FailedTrial), query)


_READERS: Mapping[str, Callable[[Any], Any]] = {
    "suite": lambda text: PytestSuite.of_json(text).name,
    "inputs_by_target": json.loads,
    "mode": ExecutionMode,
    "approach": Approach,
    "concrete": bool,
    "observed": Observation,
    "oracle": OracleName,
    "details": json.loads,
    "notices": lambda text: tuple(json.loads(text)),
}
"""The functions that make a trial's field of its column, if the column stores something else."""


def trial_row(trial: StoredTrial) -> Row:
    """Return the columns of a trial, except for the name of its suite, which its record has."""
    generator_details = {name: value for name, value in trial.details.items() if name not in DETAIL_COLUMNS}
    fields = {name: value for name, value in vars(trial).items() if name != "suite"} | {"details": generator_details}
    row = {name: None if is_absent(name, value) else _cell(plain(value)) for name, value in fields.items()}
    return {"key": trial.key} | row | {column: trial.details.get(name) for name, column in DETAIL_COLUMNS.items()}


def trial_of(row: sqlite3.Row | Row) -> StoredTrial:
    """Return the trial of a row, which has the suite of its record, if there is one, in a column of that name."""
    cells = {name: value for name, value in dict(row).items() if value is not None and name not in ("number", "key")}
    details = {name: cells.pop(column) for name, column in DETAIL_COLUMNS.items() if column in cells}
    fields = {name: _READERS[name](value) if name in _READERS else value for name, value in cells.items()}
    return StoredTrial(**fields | {"details": details | fields.get("details", {})})


def _cell(value: Any) -> Any:
    """Return a value as SQLite keeps it: texts and numbers, and JSON of everything else."""
    if isinstance(value, bool):
        return int(value)
    return json.dumps(value, sort_keys=True) if isinstance(value, dict | tuple) else value


_COLUMNS = {"column": "column_"}
"""Columns whose fields have another name, which is a word of SQL."""


def row_of(fact: Any) -> Row:
    """Return the columns of a fact: its fields, and those of a record in it."""
    row: Row = {}
    for name, value in vars(fact).items():
        row |= row_of(value) if is_dataclass(value) else {_COLUMNS.get(name, name): plain(value)}
    return row


@cache
def reader_of(kind: type[T]) -> Callable[[sqlite3.Row | Row], T]:
    """Return the function that makes a fact of its columns; a field without a column has its default."""
    readers: dict[str, Callable[[Any], Any]] = {}
    records: dict[str, Callable[[Any], Any]] = {}
    for name, hint in get_type_hints(kind).items():
        enums = [one for one in (hint, *get_args(hint)) if isinstance(one, EnumType)]
        readers[name] = enums[0] if enums else lambda value: value
        if is_dataclass(hint):
            records[name] = reader_of(cast(Any, hint))

    def read(row: sqlite3.Row | Row) -> T:
        cells = dict(row)
        fields = {name: record(cells) for name, record in records.items()}
        for name, make in readers.items():
            if (column := _COLUMNS.get(name, name)) in cells:
                fields[name] = None if cells[column] is None else make(cells[column])
        return kind(**fields)

    return read


def suite_row(trial: str, record: SuiteRecord) -> Row:
    return {
        "trial": trial,
        "suite": record.suite.to_json(),
        "source": record.source,
        "tests": json.dumps([[test.node_id, test.steps, test.line] for test in record.tests]),
        "excluded": json.dumps(dict(record.excluded), sort_keys=True),
        "files": json.dumps(dict(record.files), sort_keys=True),
    }


def suite_of(row: sqlite3.Row) -> SuiteRecord:
    tests = tuple(SuiteTest(*test) for test in json.loads(row["tests"]))
    files = json.loads(row["files"])
    return SuiteRecord(PytestSuite.of_json(row["suite"]), row["source"], tests, json.loads(row["excluded"]), files)


SHARD_FILE = "shard.json"
"""The file in the folder of a shard that says which shard it is, and what is finished."""

_FINISHED = "finished"


def read_shard_file(folder: Path) -> dict[str, Any]:
    """Return the content of a folder's `shard.json`.

    Raises:
        StoreError: there is none, or it is no JSON.
    """
    path = folder / SHARD_FILE
    if not path.exists():
        raise StoreError(f"{folder}: no shard is stored there; give a folder that `mutascope shard --out` wrote")
    content = read_whole(path)
    if content is None:
        raise StoreError(f"{path}: no JSON; run the shard again into another folder")
    return content


def write_shard_file(folder: Path, content: Mapping[str, Any]) -> None:
    """Write `shard.json`, as a whole or not at all.

    Raises:
        StoreError: it cannot be written.
    """
    write_whole(folder / SHARD_FILE, content)


class FinishedShares(FinishedTrials):
    """Trials of which a shard has found its share. The table `finish` does not have them, as they are not complete."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def add(self, trial: str) -> None:
        """Mark the share of a trial as found."""
        content = read_shard_file(self._folder)
        write_shard_file(self._folder, content | {_FINISHED: sorted({*content.get(_FINISHED, ()), trial})})

    def has(self, trial: str) -> bool:
        """Return whether the share of a trial was found."""
        return trial in self._finished

    def keys(self) -> frozenset[str]:
        """Return the keys of the trials."""
        return frozenset(self._finished)

    @property
    def _finished(self) -> list[str]:
        finished: list[str] = read_shard_file(self._folder).get(_FINISHED, [])
        return finished
