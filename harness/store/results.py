"""The tables with a row for each mutant of a trial: `mutant_result`, `fault`, `kill_row`, `probe_row`, `evidence`."""

from __future__ import annotations

from harness.model.outcome import MutantResult, Verdict
from harness.model.pytest_suite import Evidence
from harness.store import rows
from harness.store.database import Database
from harness.store.facts import KillRow, ProbeRow

_KEY = ("trial", "mutant")


class Results:
    """Results of each trial's mutants, with rows of kills and probes, and evidence of execution."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def add(
        self,
        trial: str,
        result: MutantResult,
        *,
        kill_row: KillRow | None = None,
        probe_row: ProbeRow | None = None,
        seconds: float | None = None,
        evidence: Evidence | None = None,
    ) -> None:
        """Store a mutant's result in one commit with its row of the kill matrix, its row of the probes, its seconds and
        the evidence that its code was executed.

        An INCONCLUSIVE result is kept as a fault: it blocks scoring, and a resumed run tries again.
        """
        with self._database.transaction():
            if result.verdict is Verdict.INCONCLUSIVE:
                self._database.append("fault", rows.fault_row(trial, result))
            else:
                if kill_row is not None:
                    self._database.add("kill_row", _KEY, rows.kill_row_row(trial, kill_row))
                if probe_row is not None:
                    self._database.add("probe_row", _KEY, rows.probe_row_row(trial, probe_row))
                if evidence is not None:
                    self._database.add("evidence", _KEY, {"trial": trial} | vars(evidence))
                self._database.add("mutant_result", _KEY, rows.result_row(trial, result))
            if seconds is not None:
                self._database.append("timing", {"trial": trial, "what": result.mutant, "seconds": seconds})

    def of(self, trial: str) -> list[MutantResult]:
        """Return results by mutant id. INCONCLUSIVE ones (the latest fault) stand where there is nothing better."""
        conclusive = self._database.read(rows.result_of, "SELECT * FROM mutant_result WHERE trial = ?", trial)
        faults = self._database.read(
            rows.result_of,
            "SELECT * FROM fault WHERE number IN (SELECT max(number) FROM fault WHERE trial = ? AND mutant NOT IN "
            "(SELECT mutant FROM mutant_result WHERE trial = ?) GROUP BY mutant)",
            trial,
            trial,
        )
        return sorted([*conclusive, *faults], key=lambda result: result.mutant)

    def finished_mutants(self, trial: str) -> frozenset[str]:
        """Return ids of the mutants with a conclusive result. A resumed run leaves them out."""
        selected = self._database.select("SELECT mutant FROM mutant_result WHERE trial = ?", trial)
        return frozenset(row["mutant"] for row in selected)

    def kill_rows(self, trial: str) -> list[KillRow]:
        """Return rows of the kill matrix by mutant id."""
        query = "SELECT * FROM kill_row WHERE trial = ? ORDER BY mutant"
        return self._database.read(rows.kill_row_of, query, trial)

    def probe_rows(self, trial: str) -> list[ProbeRow]:
        """Return rows of the inputs that reach and infect each mutant, by mutant id."""
        query = "SELECT * FROM probe_row WHERE trial = ? ORDER BY mutant"
        return self._database.read(rows.probe_row_of, query, trial)

    def evidence(self, trial: str) -> list[Evidence]:
        """Return the evidence that the mutants of a trial of pytest were executed, by mutant id."""
        query = "SELECT * FROM evidence WHERE trial = ? ORDER BY mutant"
        return self._database.read(rows.evidence_of, query, trial)
