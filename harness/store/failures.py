"""The table `failure`."""

from __future__ import annotations

from harness.store.database import Database
from harness.store.facts import FailedTrial


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
