"""Condition outcomes of the suites of one run: those reached, those never reached, and what selections by them kill."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path

from harness.analysis.captions import named
from harness.analysis.hypergeometric import expected_reached
from harness.analysis.kill_matrix import KillMatrix
from harness.analysis.outcome_matrix import OutcomeMatrix
from harness.errors import UsageError
from harness.measured.known_outcomes import trials_with_outcomes
from harness.model.coverage import CoverageCounts
from harness.model.experiment import ExecutionMode
from harness.model.own_suite import shown_oracle
from harness.names import meant
from harness.store import CoverageKind, RunStore, StoredTrial
from harness.tables.cell import Comparison, Measured, Missing, Unit
from harness.tables.table import Heading, Row, Table

NOT_MEASURED = Missing("branch coverage was not measured")
NO_BRANCH = Missing("there is no branch")
NO_MATRIX = Missing("the trial has no kill matrix; run it with --matrix")
NOTHING_KILLED = Missing("nothing is killed")
_LABELS = ("subject", "generator", "scope")


@dataclass(frozen=True)
class SuiteOutcomes:
    """One suite with its outcomes, the branch coverage of the run, and its kill matrix where there is one."""

    trial: StoredTrial
    outcomes: OutcomeMatrix
    branches: CoverageCounts | None
    kills: KillMatrix | None


class OutcomesOfRun:
    """The condition outcomes of the suites of the run in `folder`, each suite once.

    They are measured when they are first asked for: only the original is run, once on each input.

    Raises:
        StoreError: there is no finished trial, or none whose outcomes can be measured.
    """

    def __init__(self, folder: Path) -> None:
        found = trials_with_outcomes(folder)
        self.suites: list[SuiteOutcomes] = []
        with RunStore.open_existing(folder) as store:
            for trial, outcomes in found:
                counts = [one.counts for one in store.coverage(trial.key) if one.kind is CoverageKind.CODE]
                kills = KillMatrix.load(store, trial.key) if trial.mode is ExecutionMode.MATRIX else None
                branches = sum(counts, CoverageCounts()) if counts else None
                self.suites.append(SuiteOutcomes(trial, outcomes, branches, kills))

    def tables(self, table: str | None = None) -> dict[str, Table]:
        """How many outcomes each suite reaches, which it never does, and what a selection by them kills.

        Raises:
            UsageError: there is no such table.
        """
        if table is not None and table not in _TABLES:
            raise UsageError(f"condition outcomes have no {table!r} here; {meant(table, _TABLES)}")
        return {name: make(self.suites) for name, make in _TABLES.items() if table in (None, name)}


def coverage_table(suites: list[SuiteOutcomes]) -> Table:
    """Outcomes beside coverage.py's branches."""
    columns = (
        Heading("outcomes", Unit.COUNT),
        Heading("reached", Unit.COUNT),
        Heading("reached [%]", Unit.PERCENT),
        Heading("with helpers [%]", Unit.PERCENT),
        Heading("branches [%]", Unit.PERCENT),
        Heading("inputs", Unit.COUNT),
        Heading("selected", Unit.COUNT),
    )
    caption = (
        "Outcomes of atomic conditions, and entries, of the methods of the class itself that the suite's calls reach; "
        "with helpers: also those of other classes and functions. branches: as coverage.py counts them, of all these. "
        "selected: inputs that reach an outcome of the class that none before them does."
    )
    rows = tuple(Row(_label(suite, suites), tuple(map(Comparison, _coverage(suite)))) for suite in suites)
    return Table("Condition outcomes", caption, _labels(suites), columns, rows, compares=False)


def missed_table(suites: list[SuiteOutcomes]) -> Table:
    """Each outcome that no input reaches."""
    columns = (Heading("outcome", Unit.TEXT),)
    rows = tuple(
        Row(
            (*_label(suite, suites), outcome.function, str(outcome.line)),
            (Comparison(_shown(outcome.condition, outcome.value)),),
        )
        for suite in suites
        for outcome in suite.outcomes.missed()
    )
    caption = "Condition outcomes that no input of the suite reaches: it cannot be told from here whether any could."
    labels = (*_labels(suites), "function", "line")
    return Table("Outcomes never reached", caption, labels, columns, rows, compares=False)


def selected_table(suites: list[SuiteOutcomes]) -> Table:
    """What a suite selected by outcomes kills, beside the whole one and as many random inputs."""
    columns = (
        Heading("inputs", Unit.COUNT),
        Heading("selected", Unit.COUNT),
        Heading("killed by all", Unit.COUNT),
        Heading("killed by selected", Unit.COUNT),
        Heading("kept [%]", Unit.PERCENT),
        Heading("killed by as many at random", Unit.FACTOR),
    )
    caption = (
        f"{named(shown_oracle(one.trial.generator, one.trial.oracle.value) for one in suites).capitalize()}. "
        "Mutants that the inputs kill which are selected by condition outcomes of the class, and those that as many "
        "random inputs kill: the mean over all draws, exactly (hypergeometric). The coverage of the selected ones is "
        "that of all."
    )
    rows = tuple(Row(_label(suite, suites), tuple(map(Comparison, _selected(suite)))) for suite in suites)
    return Table("Suites selected by coverage", caption, _labels(suites), columns, rows, compares=False)


_TABLES: Mapping[str, Callable[[list[SuiteOutcomes]], Table]] = {
    "coverage": coverage_table,
    "missed": missed_table,
    "selected": selected_table,
}


def _labels(suites: list[SuiteOutcomes]) -> tuple[str, ...]:
    return (*_LABELS, "seed") if _has_seeds(suites) else _LABELS


def _label(suite: SuiteOutcomes, suites: list[SuiteOutcomes]) -> tuple[str, ...]:
    """Return the labels of a suite's row, with its seed where seeds differ."""
    trial = suite.trial
    label = trial.title, trial.generator, str(trial.scope)
    return (*label, str(trial.seed)) if _has_seeds(suites) else label


def _has_seeds(suites: list[SuiteOutcomes]) -> bool:
    return len({suite.trial.seed for suite in suites}) > 1


def _coverage(suite: SuiteOutcomes) -> list[Measured]:
    reached, own = suite.outcomes.reached_by(), suite.outcomes.of_class
    of_class, in_class = int(own.sum()), int((reached & own).sum())
    branches: Measured = NOT_MEASURED
    if suite.branches is not None:
        ratio = suite.branches.branch_coverage
        branches = NO_BRANCH if ratio is None else ratio
    return [
        of_class,
        in_class,
        Fraction(in_class, of_class) if of_class else NO_BRANCH,
        Fraction(int(reached.sum()), len(reached)) if len(reached) else NO_BRANCH,
        branches,
        suite.outcomes.inputs,
        len(suite.outcomes.selected()),
    ]


def _selected(suite: SuiteOutcomes) -> list[Measured]:
    chosen = suite.outcomes.selected()
    counts: list[Measured] = [suite.outcomes.inputs, len(chosen)]
    if suite.kills is None:
        return [*counts, *[NO_MATRIX] * 4]
    if not chosen:
        return [*counts, *[NO_BRANCH] * 4]
    every = int(suite.kills.killed_by().sum())
    kept = int(suite.kills.killed_by(chosen).sum())
    random = expected_reached(suite.kills.killing_inputs(), suite.outcomes.inputs, len(chosen))
    return [*counts, every, kept, Fraction(kept, every) if every else NOTHING_KILLED, random]


def _shown(condition: str, value: bool | None) -> str:
    return "entered" if value is None else f"{condition}: {value}"
