"""The table `finish`."""

from __future__ import annotations

from harness.errors import StoreError
from harness.model.mutant import MutantStatus
from harness.store.database import Database
from harness.store.results import Results
from harness.store.tables import MutantSets
from harness.store.trials import Trials


class FinishedTrials:
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
            self._database.add("finish", ("trial",), {"trial": trial, "results": len(done)})

    def has(self, trial: str) -> bool:
        """Return whether the trial is complete."""
        return bool(self._database.select("SELECT 1 FROM finish WHERE trial = ?", trial))

    def keys(self) -> frozenset[str]:
        """Return the keys of the trials."""
        return frozenset(row["trial"] for row in self._database.select("SELECT trial FROM finish"))
