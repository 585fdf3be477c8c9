"""The table `instrument`."""

from __future__ import annotations

from harness.store import rows
from harness.store.database import Database
from harness.store.facts import InstrumentProof


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
