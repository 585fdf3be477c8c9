"""The table `suite_record`."""

from __future__ import annotations

from harness.model.pytest_suite import SuiteRecord
from harness.store import rows
from harness.store.database import Database


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
