"""The tables `mutant_set` and `mutant`."""

from __future__ import annotations

from collections.abc import Iterable

from harness.model.mutant import Mutant
from harness.store import rows
from harness.store.database import Database
from harness.store.facts import mutant_set_hash


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
