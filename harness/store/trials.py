"""The table `trial`."""

from __future__ import annotations

from harness.errors import StoreError
from harness.model.outcome import OracleName
from harness.store import rows
from harness.store.database import Database
from harness.store.facts import REPORTED, StoredTrial, latest_trials


class Trials:
    """Trials that were begun."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def add(self, trial: StoredTrial) -> str:
        """Store a trial, its mutants being there already. Return its key.

        One that is there becomes the latest of its kind, and keeps what its generator reported then.
        """
        row = rows.trial_row(trial)
        query = f"SELECT {', '.join(REPORTED)} FROM trial WHERE key = ?"  # noqa: S608 (names are our own)
        key = str(row["key"])
        stored = self._database.select(query, key)
        for reported in stored:
            row |= dict(reported)
        with self._database.transaction():
            self._database.add("trial", ("key",), row)
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
        return self._database.read(rows.trial_of, query, *parameters)
