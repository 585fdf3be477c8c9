"""The table `trial`."""

from __future__ import annotations

from harness.errors import StoreError
from harness.model.outcome import OracleName
from harness.store import rows
from harness.store.database import Database
from harness.store.facts import REPORTED, StoredTrial


class Trials:
    """Trials that were begun."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def add(self, trial: StoredTrial) -> str:
        """Store a trial, its mutants being there already. Return its key.

        Of one that is there, what its generator told stays as it was: a run of before has kept nothing of it.
        """
        row = rows.trial_row(trial)
        query = f"SELECT {', '.join(REPORTED)} FROM trial WHERE key = ?"  # noqa: S608 (names are our own)
        for stored in self._database.select(query, str(row["key"])):
            row |= dict(stored)
        with self._database.transaction():
            self._database.add("trial", ("key",), row)
        return str(row["key"])

    def all(self) -> list[StoredTrial]:
        """Return the trials by subject, generator, scope, seed. Of otherwise equal ones the latest comes last."""
        return self._select("ORDER BY subject, generator, scope, seed, number")

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

    def _select(self, clause: str, *parameters: str) -> list[StoredTrial]:
        columns, joined = ["trial.*"], ""
        if self._database.has_table("suite_record"):
            columns.append("suite_record.suite")
            joined = "LEFT JOIN suite_record ON suite_record.trial = trial.key"
        query = f"SELECT {', '.join(columns)} FROM trial {joined} {clause}"  # noqa: S608 (our own text)
        return self._database.read(rows.trial_of, query, *parameters)
