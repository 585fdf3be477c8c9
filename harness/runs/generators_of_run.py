"""Compares the generators of one run in tables and figures."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from pathlib import Path

from harness.analysis.comparable_suites import load_compared
from harness.analysis.compared import SECONDS, SIZES, Basis, points
from harness.analysis.curves import curves
from harness.analysis.measures import Proven
from harness.analysis.plots import save_figures
from harness.did_you_mean import suggestion
from harness.errors import UsageError
from harness.measured.fixed_domains import fixed_domains
from harness.measured.measured_branches import MeasuredBranches
from harness.model.outcome import OracleName
from harness.model.score import ScorePolicy
from harness.runs.comparison_tables import COMPARISON_TABLES, Comparisons
from harness.runs.curve_figures import branches_figure, calls_of_suite, killed_figure
from harness.tables.table import Table


class GeneratorsOfRun:
    """The generators of a run at each scope, at equal budgets and with whole suites.

    Killed mutants are read from the rows of the run. Branch coverage of sub-suites is measured once, and stored with
    them.

    Args:
        sizes: the budgets; default: SIZES, or SECONDS.
        basis: the unit of the budgets.
        proven: equivalent mutants by subject, which the policy may leave out.
        oracle: the oracle whose trials are compared.

    Raises:
        StoreError: no trial was run in mode matrix under the oracle, or the generators were not run on the same
            mutants.
    """

    def __init__(
        self,
        folder: Path,
        sizes: Sequence[Fraction | int] | None,
        policy: ScorePolicy,
        proven: Proven,
        basis: Basis = Basis.INPUTS,
        oracle: OracleName = OracleName.DIFFERENTIAL,
    ) -> None:
        if basis is not Basis.SECONDS and any(Fraction(size).denominator > 1 for size in sizes or ()):
            raise UsageError(f"numbers of {basis.value} are whole; give --at seconds for parts of a second")
        compared = load_compared(folder, policy, proven, oracle)
        limits = sizes or (SECONDS if basis is Basis.SECONDS else SIZES)
        self._branches = MeasuredBranches(folder)
        found = points(compared, limits, self._branches, basis, calls_of_suite)
        operators = {suite.trial.operator_set for one in compared for suites in one.suites.values() for suite in suites}
        fixed = [line for at_scope in compared for line in fixed_domains(at_scope)]
        self.found = Comparisons(compared, found, policy, ", ".join(sorted(operators)), basis, fixed)

    def tables(self, table: str | None = None) -> dict[str, Table]:
        """Return tables by budget and by pair, and of the mutants on which generators differ.

        Raises:
            UsageError: there is no such table.
        """
        if table is not None and table not in COMPARISON_TABLES:
            raise UsageError(f"a comparison has no {table!r} here; {suggestion(table, COMPARISON_TABLES)}")
        return {name: make(self.found) for name, make in COMPARISON_TABLES.items() if table in (None, name)}

    def draw(self, out: Path) -> list[Path]:
        """Draw the curves of killed mutants and covered branches by budget, as PNG and SVG; return the paths."""
        calls = calls_of_suite if self.found.basis is Basis.CALLS else lambda suite: None
        drawn = list(curves(self.found.compared, self._branches, calls))
        killed = killed_figure(drawn, self.found.basis, self.found.counted)
        branches = branches_figure(drawn, self.found.basis)
        return save_figures({"generators_killed": killed, "generators_branches": branches}, out)
