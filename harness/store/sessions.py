"""The table `session`."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Callable

from harness.model.experiment import Provenance
from harness.store.database import Database

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
