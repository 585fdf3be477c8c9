"""Tables of a run of which little is asked: rows are added, and read by their trial."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import count, takewhile
from typing import TypeVar

from harness.errors import StoreError
from harness.kernel.inputs.suites import BLOCK
from harness.model.experiment import Provenance
from harness.model.mutant import Mutant
from harness.model.pytest_suite import SuiteRecord
from harness.store import rows
from harness.store.database import Database
from harness.store.facts import CoverageKind, FailedTrial, FunctionCoverage, InstrumentProof, Timing, mutant_set_hash
from harness.store.trials import Trials

_LISTS = ("arguments", "containment")
"""Fields of Provenance that JSON makes lists of."""


class Sessions:
    """Invocations of `run` that have added a fact, with their machine, versions and arguments."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def add_before_change(self, describe: Callable[[], Provenance]) -> None:
        """Record an invocation before it adds a fact; `describe` is called then."""
        self._database.before_change(lambda: self.add(describe()))

    def add(self, provenance: Provenance) -> None:
        """Record one invocation."""
        self._database.append("session", {"provenance": json.dumps(provenance.as_dict(), sort_keys=True)})

    def all(self) -> list[Provenance]:
        """Return the invocations, oldest first."""
        selected = self._database.select("SELECT * FROM session ORDER BY number")
        return [_provenance_of(row) for row in selected]


def _provenance_of(row: sqlite3.Row) -> Provenance:
    fields = json.loads(row["provenance"])
    return Provenance(**fields | {name: tuple(fields[name]) for name in _LISTS if fields.get(name) is not None})


class MutantSets:
    """Mutants by the hash of their set, which trials name (`StoredTrial.mutant_set`)."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def add(self, mutants: Iterable[Mutant]) -> str:
        """Store a set. Return its hash."""
        mutants = list(mutants)
        mutant_set = mutant_set_hash(mutants)
        with self._database.transaction():
            self._database.add("mutant_set", ("hash",), {"hash": mutant_set, "mutants": len(mutants)})
            for mutant in mutants:
                self._database.add("mutant", ("mutant_set", "id"), rows.mutant_row(mutant_set, mutant))
        return mutant_set

    def of(self, mutant_set: str) -> list[Mutant]:
        """Return the mutants of a set by position in the source, then id."""
        query = "SELECT * FROM mutant WHERE mutant_set = ? ORDER BY line, column_, id"
        return self._database.read(rows.mutant_of, query, mutant_set)


class Suites:
    """Suites of pytest with their tests and the text of the module under test, one for each of their trials."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def add(self, trial: str, record: SuiteRecord) -> None:
        """Store the suite of a trial."""
        with self._database.transaction():
            self._database.add("suite_record", ("trial",), rows.suite_row(trial, record))

    def of(self, trial: str) -> SuiteRecord | None:
        """Return the suite of a trial, or None of a trial of another kind."""
        records = self._database.read(rows.suite_of, "SELECT * FROM suite_record WHERE trial = ?", trial)
        return next(iter(records), None)


class Instruments:
    """The self-checks of each trial."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def add(self, trial: str, proof: InstrumentProof) -> None:
        """Store the self-checks of a trial."""
        with self._database.transaction():
            self._database.add("instrument", ("trial",), rows.instrument_row(trial, proof))

    def of(self, trial: str) -> InstrumentProof | None:
        """Return the self-checks of a trial, or None if not made yet."""
        proofs = self._database.read(rows.instrument_of, "SELECT * FROM instrument WHERE trial = ?", trial)
        return next(iter(proofs), None)


class Coverage:
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
                self._database.add("coverage", ("trial", "kind", "function"), rows.coverage_row(trial, function))

    def of(self, trial: str) -> list[FunctionCoverage]:
        """Return the counts of a trial by kind and function."""
        query = "SELECT * FROM coverage WHERE trial = ? ORDER BY kind, function"
        return self._database.read(rows.coverage_of, query, trial)

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


T = TypeVar("T")


def blocks_of(seconds: Mapping[str, T], what: str) -> list[T]:
    """Return the seconds of an activity after each block of `BLOCK` inputs (`Timings.add_blocks`), as far as known."""
    names = (f"{what}:{number * BLOCK}" for number in count(1))
    return [seconds[name] for name in takewhile(seconds.__contains__, names)]


class Timings:
    """Seconds of the activities of each trial. The latest ones count."""

    def __init__(self, database: Database) -> None:
        self._database = database

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
        return self._database.read(rows.timing_of, query, trial)


class Failures:
    """Trials that could not be run. The latest attempt of each counts."""

    def __init__(self, database: Database) -> None:
        self._database = database

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
        return self._database.read(lambda row: FailedTrial(**dict(row)), query)
