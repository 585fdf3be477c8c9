"""The table `coverage`."""

from __future__ import annotations

from collections.abc import Iterable

from harness.errors import StoreError
from harness.store import rows
from harness.store.database import Database
from harness.store.facts import CoverageKind, FunctionCoverage
from harness.store.trials import Trials


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
