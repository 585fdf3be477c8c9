"""Tabulates condition outcomes of the suites of one run, reached and unreached ones."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path

from harness.analysis.kill_matrix import OutcomeMatrix
from harness.analysis.titles import labels_apart, text_of, titles_apart
from harness.measured.condition_outcome_cache import trials_with_outcomes
from harness.model.coverage import ConditionOutcome, CoverageCounts
from harness.store import CoverageKind, RunStore, StoredTrial
from harness.tables.table import Column, Measured, Missing, RowSource, Table, Unit, ratio_or

NOT_MEASURED = Missing("branch coverage was not measured")
NO_BRANCH = Missing("there is no branch")


@dataclass(frozen=True)
class SuiteOutcomes:
    """One suite with its outcomes, and the branch coverage of the run."""

    trial: StoredTrial
    title: str
    outcomes: OutcomeMatrix
    branches: CoverageCounts | None

    @property
    def in_class(self) -> int:
        """The number of outcomes of the class itself."""
        return int(self.outcomes.of_class.sum())

    @property
    def reached_in_class(self) -> int:
        """The number of these outcomes that are reached."""
        return int((self.outcomes.reached_by() & self.outcomes.of_class).sum())

    @property
    def reached_with_helpers(self) -> Fraction | None:
        """The part of all outcomes that are reached, those of helpers included."""
        reached = self.outcomes.reached_by()
        return Fraction(int(reached.sum()), len(reached)) if len(reached) else None

    @property
    def branch_coverage(self) -> Measured:
        """The branch coverage of the run, or why there is none."""
        if self.branches is None:
            return NOT_MEASURED
        return ratio_or(self.branches.branch_coverage, NO_BRANCH)


COVERAGE_COLUMNS: tuple[Column[SuiteOutcomes], ...] = (
    Column("outcomes", Unit.COUNT, lambda one: one.in_class),
    Column("reached", Unit.COUNT, lambda one: one.reached_in_class),
    Column(
        "reached [%]",
        Unit.PERCENT,
        lambda one: Fraction(one.reached_in_class, one.in_class) if one.in_class else None,
        missing=NO_BRANCH,
    ),
    Column("with helpers [%]", Unit.PERCENT, lambda one: one.reached_with_helpers, missing=NO_BRANCH),
    Column("branches [%]", Unit.PERCENT, lambda one: one.branch_coverage),
    Column("inputs", Unit.COUNT, lambda one: one.outcomes.inputs),
    Column("selected", Unit.COUNT, lambda one: len(one.outcomes.selected())),
)


def measured_suites(folder: Path) -> list[SuiteOutcomes]:
    """Return the suites of the run in `folder`, each once, with the condition outcomes that they reach.

    These are measured on demand: only the original is run, once on each input.

    Raises:
        StoreError: there is no finished trial, or none whose outcomes can be measured.
    """
    trials = trials_with_outcomes(folder)
    titles = titles_apart({trial.subject: trial.title for trial, _ in trials})
    suites = []
    with RunStore.open_existing(folder) as store:
        for trial, outcomes in trials:
            counts = [one.counts for one in store.coverage.of(trial.key) if one.kind is CoverageKind.CODE]
            branches = sum(counts, CoverageCounts()) if counts else None
            suites.append(SuiteOutcomes(trial, titles[trial.subject], outcomes, branches))
    return suites


def coverage_table(suites: list[SuiteOutcomes]) -> Table:
    """Compare outcomes with coverage.py's branches."""
    caption = (
        "Outcomes of atomic conditions, and entries, of the methods of the class itself that the suite's calls reach; "
        "with helpers: also those of other classes and functions. branches: as coverage.py counts them, of all these. "
        "selected: inputs that reach an outcome of the class that none before them does."
    )
    cases = (RowSource(_label(suite, suites), suite) for suite in suites)
    return Table.of("Condition outcomes", caption, _labels(suites), COVERAGE_COLUMNS, cases, compares=False)


def missed_table(suites: list[SuiteOutcomes]) -> Table:
    """Tabulate each outcome that no input reaches."""
    columns = (Column[ConditionOutcome]("outcome", Unit.TEXT, lambda one: _outcome_text(one.condition, one.value)),)
    cases = (
        RowSource((*_label(suite, suites), outcome.function, str(outcome.line)), outcome)
        for suite in suites
        for outcome in suite.outcomes.missed()
    )
    caption = "Condition outcomes that no input of the suite reaches: it cannot be told from here whether any could."
    labels = (*_labels(suites), "function", "line")
    return Table.of("Outcomes never reached", caption, labels, columns, cases, compares=False)


OUTCOME_TABLES: Mapping[str, Callable[[list[SuiteOutcomes]], Table]] = {
    "coverage": coverage_table,
    "missed": missed_table,
}


def _labels(suites: list[SuiteOutcomes]) -> tuple[str, ...]:
    return ("subject", *labels_apart(vars(suite.trial) for suite in suites))


def _label(suite: SuiteOutcomes, suites: list[SuiteOutcomes]) -> tuple[str, ...]:
    """Return the labels of a suite's row."""
    return (suite.title, *(text_of(getattr(suite.trial, name)) for name in _labels(suites)[1:]))


def _outcome_text(condition: str, value: bool | None) -> str:
    return "entered" if value is None else f"{condition}: {value}"
