"""What the postcondition oracle alone costs in score: the same runs under it and under the differential one."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

from harness.analysis.captions import killed
from harness.analysis.oracle_costs import OracleCost, oracle_costs
from harness.papers.field_exhaustive2016.given import OPERATORS, SUBJECTS, FieldExhaustiveInputs
from harness.papers.field_exhaustive2016.suites import DIFFERENTIAL, POSTCONDITION
from harness.tables.cell import Comparison, Measured, Unit
from harness.tables.table import Heading, Row, Table

COLUMNS = (
    Heading("seeds", Unit.COUNT),
    Heading("mutants", Unit.COUNT),
    Heading("postcondition [%]", Unit.PERCENT),
    Heading("differential [%]", Unit.PERCENT),
    Heading("cost [points]", Unit.POINTS),
    Heading("killed by differential only", Unit.COUNT),
    Heading("for", Unit.TEXT),
    Heading("by postcondition only", Unit.COUNT),
)


def oracles(given: FieldExhaustiveInputs) -> Table:
    """Every suite that was run under both oracles; of several seeds the first."""
    rows = [
        Row((title, cost.trial["generator"], str(cost.trial["scope"])), tuple(map(Comparison, _measured(cost, seeds))))
        for title, cost, seeds in _first_seeds(given)
    ]
    counted = killed(given.policy, [POSTCONDITION, DIFFERENTIAL], f"operator set {OPERATORS}")
    caption = (
        f"The same runs judged twice. {counted} Postcondition: the mutant violates the postcondition of the "
        "routine, which includes the invariant; differential: its result or its state is another one than the "
        "original's, for which reasons is told. The cost is differential minus postcondition, in percentage points. Of "
        "several seeds the first is shown."
    )
    return Table(
        "What the postcondition oracle costs",
        caption,
        ("subject", "generator", "scope"),
        COLUMNS,
        tuple(rows),
        compares=False,
    )


def _first_seeds(given: FieldExhaustiveInputs) -> Iterator[tuple[str, OracleCost, int]]:
    """By subject in the paper's order, generator and scope: the title, the smallest seed, and the number of seeds."""
    groups: dict[tuple[str, str, int], list[OracleCost]] = {}
    for cost in oracle_costs(given.frames, given.policy, given.proven):
        if cost.oracle.value != POSTCONDITION:
            continue
        trial = cost.trial
        groups.setdefault((trial["subject"], trial["generator"], int(trial["scope"])), []).append(cost)
    for title, subject in SUBJECTS.items():
        for (name, _, _), costs in sorted(groups.items()):
            if name == subject and costs[0].differential.counted:
                yield title, min(costs, key=lambda cost: int(cost.trial["seed"])), len(costs)


def _measured(cost: OracleCost, seeds: int) -> Iterator[Measured]:
    scores = (cost.other.ratio or 0, cost.differential.ratio or 0)
    reasons = ", ".join(f"{reason} {count}" for reason, count in sorted(cost.missed.items()))
    yield from (seeds, cost.differential.counted, *scores, 100 * Fraction(scores[1] - scores[0]))
    yield from (sum(cost.missed.values()), reasons, cost.only_other)
