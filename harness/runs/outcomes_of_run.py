"""Tabulates condition outcomes of the suites of one run: reached and unreached ones, and the kills of selections by
them.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from pathlib import Path

from harness.analysis.compared import Part
from harness.analysis.kill_matrix import KillMatrix
from harness.analysis.outcome_matrix import OutcomeMatrix
from harness.analysis.score_caption import named
from harness.analysis.titles import titles_apart
from harness.did_you_mean import suggestion
from harness.errors import UsageError
from harness.measured.condition_outcome_cache import trials_with_outcomes
from harness.model.coverage import ConditionOutcome, CoverageCounts
from harness.model.experiment import ExecutionMode
from harness.model.pytest_suite import oracle_label
from harness.store import CoverageKind, RunStore, StoredTrial
from harness.tables.cell import Measured, Missing, Unit
from harness.tables.missing import ratio_or
from harness.tables.table import Column, RowSource, Table

NOT_MEASURED = Missing("branch coverage was not measured")
NO_BRANCH = Missing("there is no branch")
NO_MATRIX = Missing("the trial has no kill matrix; run it with --matrix")
NOTHING_KILLED = Missing("nothing is killed")
_LABELS = ("subject", "generator", "scope")


@dataclass(frozen=True)
class SuiteOutcomes:
    """One suite with its outcomes, the branch coverage of the run, and its kill matrix if there is one."""

    trial: StoredTrial
    title: str
    outcomes: OutcomeMatrix
    branches: CoverageCounts | None
    kills: KillMatrix | None

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

    @cached_property
    def selected(self) -> Sequence[int]:
        """The inputs that reach an outcome of the class which none before them does."""
        return self.outcomes.selected()

    def of_kills(self, measure: Callable[[KillMatrix], Measured | None]) -> Measured | None:
        """Return a number of the kill matrix, or why there is none."""
        if self.kills is None:
            return NO_MATRIX
        return measure(self.kills) if self.selected else NO_BRANCH

    def kill_share(self, kills: KillMatrix) -> Fraction | None:
        """Return the part of the kills that the selected inputs keep."""
        every = int(kills.killed_by().sum())
        return Fraction(int(kills.killed_by(self.selected).sum()), every) if every else None


_Columns = tuple[Column[SuiteOutcomes], ...]
COVERAGE_COLUMNS: _Columns = (
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
    Column("selected", Unit.COUNT, lambda one: len(one.selected)),
)
SELECTED_COLUMNS: _Columns = (
    Column("inputs", Unit.COUNT, lambda one: one.outcomes.inputs),
    Column("selected", Unit.COUNT, lambda one: len(one.selected)),
    Column("killed by all", Unit.COUNT, lambda one: one.of_kills(lambda kills: int(kills.killed_by().sum()))),
    Column(
        "killed by selected",
        Unit.COUNT,
        lambda one: one.of_kills(lambda kills: int(kills.killed_by(one.selected).sum())),
    ),
    Column("kept [%]", Unit.PERCENT, lambda one: one.of_kills(one.kill_share), missing=NOTHING_KILLED),
    Column(
        "killed by as many at random",
        Unit.FACTOR,
        lambda one: one.of_kills(lambda kills: float((1 - Part(kills.inputs, len(one.selected)).missed(kills)).sum())),
    ),
)


class OutcomesOfRun:
    """The condition outcomes of the suites of the run in `folder`, each suite once.

    They are measured on demand: only the original is run, once on each input.

    Raises:
        StoreError: there is no finished trial, or none whose outcomes can be measured.
    """

    def __init__(self, folder: Path) -> None:
        trials = trials_with_outcomes(folder)
        titles = titles_apart({trial.subject: trial.title for trial, _ in trials})
        self.suites: list[SuiteOutcomes] = []
        with RunStore.open_existing(folder) as store:
            for trial, outcomes in trials:
                counts = [one.counts for one in store.coverage.of(trial.key) if one.kind is CoverageKind.CODE]
                kills = KillMatrix.load(store, trial.key) if trial.mode is ExecutionMode.MATRIX else None
                branches = sum(counts, CoverageCounts()) if counts else None
                self.suites.append(SuiteOutcomes(trial, titles[trial.subject], outcomes, branches, kills))

    def tables(self, table: str | None = None) -> dict[str, Table]:
        """Return tables of the outcomes that each suite reaches, those that it misses, and the kills of selections by
        them.

        Raises:
            UsageError: there is no such table.
        """
        if table is not None and table not in OUTCOME_TABLES:
            raise UsageError(f"condition outcomes have no {table!r} here; {suggestion(table, OUTCOME_TABLES)}")
        return {name: make(self.suites) for name, make in OUTCOME_TABLES.items() if table in (None, name)}


def coverage_table(suites: list[SuiteOutcomes]) -> Table:
    """Compare outcomes with coverage.py's branches."""
    caption = (
        "Outcomes of atomic conditions, and entries, of the methods of the class itself that the suite's calls reach; "
        "with helpers: also those of other classes and functions. branches: as coverage.py counts them, of all these. "
        "selected: inputs that reach an outcome of the class that none before them does."
    )
    return _table("Condition outcomes", caption, suites, COVERAGE_COLUMNS)


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


def selected_table(suites: list[SuiteOutcomes]) -> Table:
    """Tabulate the kills of a suite selected by outcomes, of the whole suite and of as many random inputs."""
    caption = (
        f"{named(oracle_label(one.trial.generator, one.trial.oracle.value) for one in suites).capitalize()}. "
        "Mutants that the inputs kill which are selected by condition outcomes of the class, and those that as many "
        "random inputs kill: the mean over all draws, exactly (hypergeometric). The coverage of the selected ones is "
        "that of all."
    )
    return _table("Suites selected by coverage", caption, suites, SELECTED_COLUMNS)


def _table(title: str, caption: str, suites: list[SuiteOutcomes], columns: tuple[Column[SuiteOutcomes], ...]) -> Table:
    """Return a table with a row for each suite."""
    cases = (RowSource(_label(suite, suites), suite) for suite in suites)
    return Table.of(title, caption, _labels(suites), columns, cases, compares=False)


OUTCOME_TABLES: Mapping[str, Callable[[list[SuiteOutcomes]], Table]] = {
    "coverage": coverage_table,
    "missed": missed_table,
    "selected": selected_table,
}


def _labels(suites: list[SuiteOutcomes]) -> tuple[str, ...]:
    return (*_LABELS, "seed") if _has_seeds(suites) else _LABELS


def _label(suite: SuiteOutcomes, suites: list[SuiteOutcomes]) -> tuple[str, ...]:
    """Return the labels of a suite's row, with its seed where seeds differ."""
    trial = suite.trial
    label = suite.title, trial.generator, str(trial.scope)
    return (*label, str(trial.seed)) if _has_seeds(suites) else label


def _has_seeds(suites: list[SuiteOutcomes]) -> bool:
    return len({suite.trial.seed for suite in suites}) > 1


def _outcome_text(condition: str, value: bool | None) -> str:
    return "entered" if value is None else f"{condition}: {value}"
