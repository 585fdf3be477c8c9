"""The table `finish`."""

from __future__ import annotations

from harness.errors import StoreError
from harness.model.mutant import MutantStatus
from harness.store.checksums import ChangedFacts, changes_of, checksums_of, unsealed
from harness.store.connect import reported
from harness.store.database import Database
from harness.store.mutant_sets import MutantSets
from harness.store.results import Results
from harness.store.trials import Trials


class FinishedTrials:
    """Trials that are complete, and the checksums of their facts."""

    def __init__(self, database: Database, trials: Trials, mutants: MutantSets, results: Results) -> None:
        self._database = database
        self._trials = trials
        self._mutants = mutants
        self._results = results

    def add(self, trial: str) -> None:
        """Mark a trial as complete, and keep checksums of its facts.

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
            sums = checksums_of(self._database.connection, trial)
            self._database.add("finish", ("trial",), {"trial": trial, "results": len(done), "checksums": sums})

    def has(self, trial: str) -> bool:
        """Return whether the trial is complete."""
        return bool(self._database.select("SELECT 1 FROM finish WHERE trial = ?", trial))

    def keys(self) -> frozenset[str]:
        """Return the keys of the trials."""
        return frozenset(row["trial"] for row in self._database.select("SELECT trial FROM finish"))

    def changes(self) -> list[ChangedFacts]:
        """Return what was changed by hand of their facts, as the checksums show."""
        with reported(self._database.path):
            return list(changes_of(self._database.connection))

    def check_unchanged(self) -> None:
        """Refuse facts that were changed by hand.

        Raises:
            StoreError: names the first of them.
        """
        for change in self.changes()[:1]:
            raise StoreError(f"{self._database.path}: {change}; run again into another folder")

    def unsealed(self) -> int:
        """Return the number of trials that finished before checksums were kept."""
        with reported(self._database.path):
            return unsealed(self._database.connection)
