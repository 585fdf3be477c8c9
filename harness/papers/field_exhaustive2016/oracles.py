"""Measures the score that the postcondition oracle loses, from runs under it and under the differential one."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction

from harness.analysis.oracle_comparison import OracleCost, oracle_costs
from harness.analysis.score_caption import killed
from harness.papers.field_exhaustive2016.dataset import (
    DIFFERENTIAL,
    OPERATORS,
    POSTCONDITION,
    SUBJECTS,
    FieldExhaustiveInputs,
)
from harness.tables.cell import Unit
from harness.tables.table import Column, RowSource, Table


@dataclass(frozen=True)
class JudgedTwice:
    """A suite judged by both oracles, and the number of seeds with such suites."""

    cost: OracleCost
    seeds: int

    @property
    def scores(self) -> tuple[Fraction | int, Fraction | int]:
        """The scores by the postcondition and by the differential oracle."""
        return self.cost.other.ratio or 0, self.cost.differential.ratio or 0

    @property
    def reasons(self) -> str:
        """The reasons of kills by the differential oracle alone."""
        return ", ".join(f"{reason} {count}" for reason, count in sorted(self.cost.missed.items()))


COLUMNS: tuple[Column[JudgedTwice], ...] = (
    Column("seeds", Unit.COUNT, lambda one: one.seeds),
    Column("mutants", Unit.COUNT, lambda one: one.cost.differential.counted),
    Column("postcondition [%]", Unit.PERCENT, lambda one: one.scores[0]),
    Column("differential [%]", Unit.PERCENT, lambda one: one.scores[1]),
    Column("cost [points]", Unit.POINTS, lambda one: 100 * Fraction(one.scores[1] - one.scores[0])),
    Column("killed by differential only", Unit.COUNT, lambda one: sum(one.cost.missed.values())),
    Column("for", Unit.TEXT, lambda one: one.reasons),
    Column("by postcondition only", Unit.COUNT, lambda one: one.cost.only_other),
)


def oracles(dataset: FieldExhaustiveInputs) -> Table:
    """Return every suite that was run under both oracles; of several seeds the first."""
    counted = killed(dataset.policy, [POSTCONDITION, DIFFERENTIAL], f"operator set {OPERATORS}")
    caption = (
        f"The same runs judged twice. {counted} Postcondition: the mutant violates the postcondition of the "
        "routine, which includes the invariant; differential: its result or its state is another one than the "
        "original's, for which reasons is told. The cost is differential minus postcondition, in percentage points. Of "
        "several seeds the first is shown."
    )
    labels = ("subject", "generator", "scope")
    return Table.of("What the postcondition oracle costs", caption, labels, COLUMNS, _cases(dataset), compares=False)


def _cases(dataset: FieldExhaustiveInputs) -> Iterator[RowSource[JudgedTwice]]:
    """Yield the smallest seed of each subject, in the paper's order, generator and scope."""
    groups: dict[tuple[str, str, int], list[OracleCost]] = {}
    for cost in oracle_costs(dataset.frames, dataset.policy, dataset.proven):
        if cost.oracle.value != POSTCONDITION:
            continue
        trial = cost.trial
        groups.setdefault((trial["subject"], trial["generator"], int(trial["scope"])), []).append(cost)
    for title, subject in SUBJECTS.items():
        for (name, generator, scope), costs in sorted(groups.items()):
            if name == subject and costs[0].differential.counted:
                first = min(costs, key=lambda cost: int(cost.trial["seed"]))
                yield RowSource((title, generator, str(scope)), JudgedTwice(first, len(costs)))
