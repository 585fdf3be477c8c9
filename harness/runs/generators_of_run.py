"""Compares the generators of one run in tables and figures."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from fractions import Fraction
from pathlib import Path

from harness.analysis.comparable_suites import ComparedSuite, SubjectComparison, left_out, load_compared
from harness.analysis.compared import SECONDS, SIZES, Basis, Budget, Rule, curves
from harness.analysis.measures import Proven
from harness.analysis.plots import save_figures
from harness.did_you_mean import suggestion
from harness.errors import UsageError
from harness.measured.fixed_domains import fixed_domains
from harness.measured.suite_inputs import with_branches, with_inputs
from harness.model.outcome import OracleName
from harness.model.score import ScorePolicy
from harness.runner.logs import LOGGER
from harness.runs.comparison_tables import COMPARISON_TABLES, Comparisons
from harness.runs.curve_figures import CurveFigure, draw_curves
from harness.runs.score_panels import COVERED, KILLED
from harness.tables.table import Table


class GeneratorsOfRun:
    """The generators of a run at each scope, at equal budgets and with whole suites.

    Killed mutants are read from the rows of the run. The branches of each input are measured once, and stored with
    them.

    Args:
        budgets: see `budgets_of`.
        proven: equivalent mutants by subject, which the policy may leave out.
        oracle: the oracle whose trials are compared.
        rule: which inputs of a suite are taken.

    Raises:
        StoreError: no trial was run in mode matrix under the oracle, or the generators were not run on the same
            mutants.
    """

    def __init__(
        self,
        folder: Path,
        budgets: Sequence[Budget],
        policy: ScorePolicy,
        proven: Proven,
        oracle: OracleName = OracleName.DIFFERENTIAL,
        rule: Rule = Rule.DRAWN,
    ) -> None:
        loaded = with_inputs(load_compared(folder, policy, proven, oracle, needs_matrix=rule is Rule.DRAWN))
        self._absent = left_out(folder, loaded, oracle)
        remarks = [f"Left out: {name} ({reason})." for name, reason in self._absent.items()]
        remarks += [line for at_scope in loaded for line in (*fixed_domains(at_scope), *exhausted(at_scope))]
        compared = [distinct(at_scope) for at_scope in loaded] if rule is Rule.DRAWN else loaded
        self.found = Comparisons(compared, budgets, rule, policy, remarks)
        self._folder = folder

    def tables(self, table: str | None = None) -> dict[str, Table]:
        """Return tables by budget and by pair, and of the mutants on which generators differ.

        Raises:
            UsageError: there is no such table.
        """
        if table is not None and table not in COMPARISON_TABLES:
            raise UsageError(f"a comparison has no {table!r} here; {suggestion(table, COMPARISON_TABLES)}")
        if table in (None, "sizes"):
            self._measure_branches()
        return {name: make(self.found) for name, make in COMPARISON_TABLES.items() if table in (None, name)}

    def draw(self, out: Path) -> list[Path]:
        """Draw the curves of killed mutants and covered branches by budget, as PNG and SVG; return the paths."""
        self._measure_branches()
        drawn = list(curves(self.found.compared, self.found.rule))
        basis, rule = self.found.budgets[0].basis, self.found.rule
        figures = {
            name: draw_curves(drawn, CurveFigure(score, basis, rule), self.found.counted, self._absent)
            for name, score in (("generators_killed", KILLED), ("generators_branches", COVERED))
        }
        for name, one in figures.items():
            if one.left_out:
                LOGGER.warning("%s: %s: %s", self._folder, name, one.left_out)
        return save_figures({name: one.figure for name, one in figures.items()}, out)

    def _measure_branches(self) -> None:
        self.found = replace(self.found, compared=with_branches(self._folder, self.found.compared))


def budgets_of(sizes: Sequence[Fraction | int] | None, basis: Basis | None) -> list[Budget]:
    """Return the budgets at which generators are compared.

    Args:
        sizes: default: SIZES, or SECONDS.
        basis: None: inputs and calls, side by side.

    Raises:
        UsageError: a number of inputs or calls is not whole.
    """
    if basis is not Basis.SECONDS and any(Fraction(size).denominator > 1 for size in sizes or ()):
        raise UsageError("numbers of inputs and calls are whole; give --at seconds for parts of a second")
    limits = sizes or (SECONDS if basis is Basis.SECONDS else SIZES)
    return [
        Budget(one, Fraction(limit)) for one in ([basis] if basis else [Basis.INPUTS, Basis.CALLS]) for limit in limits
    ]


def distinct(compared: SubjectComparison) -> SubjectComparison:
    """Return the comparison with one suite of each set of inputs."""

    def one_of_each(suites: Sequence[ComparedSuite]) -> list[ComparedSuite]:
        return list({suite.inputs_digest or suite.trial.suite_digest: suite for suite in reversed(suites)}.values())[
            ::-1
        ]

    return replace(compared, suites={name: one_of_each(suites) for name, suites in compared.suites.items()})


def exhausted(compared: SubjectComparison) -> Iterator[str]:
    """Yield a line for each generator of which several suites have the same inputs, in other orders."""
    for name, suites in compared.suites.items():
        same = [suite for suite in suites if suite.inputs_digest == suites[0].inputs_digest != ""]
        if len(same) == len(suites) > 1:
            yield (
                f"{compared.title}, scope {compared.scope}: the {len(suites)} suites of {name} have the same "
                f"{suites[0].trial.inputs:,} inputs in several orders, so it has exhausted its space; as sets, they "
                "are one suite."
            )
