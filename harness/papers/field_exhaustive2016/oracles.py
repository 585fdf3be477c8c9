"""What the postcondition oracle alone costs in score: the same runs under it and under the differential one."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

from harness.papers.field_exhaustive2016.given import SUBJECTS, FieldExhaustiveInputs
from harness.papers.field_exhaustive2016.suites import DIFFERENTIAL, POSTCONDITION, MeasuredSuite
from harness.papers.tables import Column, Comparison, ComparisonTable, Row, Unit

COLUMNS = (
    Column("seeds", Unit.COUNT, published=False),
    Column("mutants", Unit.COUNT, published=False),
    Column("postcondition [%]", Unit.PERCENT, published=False),
    Column("differential [%]", Unit.PERCENT, published=False),
    Column("cost [points]", Unit.POINTS, published=False),
    Column("killed by differential only", Unit.COUNT, published=False),
    Column("by postcondition only", Unit.COUNT, published=False),
)


def oracles(given: FieldExhaustiveInputs) -> ComparisonTable:
    """Every suite that was run under both oracles; of several seeds the first."""
    rows = [
        Row((title, suite.generator, str(suite.scope)), tuple(Comparison(value) for value in (seeds, *_judged(suite))))
        for title in SUBJECTS
        for suite, seeds in _first_seeds(given, title)
    ]
    caption = (
        f"The same runs judged twice ({given.counted}). Postcondition: the mutant violates the postcondition of the "
        "routine, which includes the invariant; differential: its result or its state is another one than the "
        "original's. The cost is differential minus postcondition, in percentage points. Of several seeds the first "
        "is shown."
    )
    return ComparisonTable(
        "What the postcondition oracle costs",
        caption,
        ("subject", "generator", "scope"),
        COLUMNS,
        tuple(rows),
        compares=False,
    )


def _first_seeds(given: FieldExhaustiveInputs, title: str) -> Iterator[tuple[MeasuredSuite, int]]:
    """By generator and scope the suite of the smallest seed, with the number of seeds."""
    groups: dict[tuple[str, int], list[MeasuredSuite]] = {}
    for suite in given.of(title):
        if suite.mutants(POSTCONDITION) and suite.mutants(DIFFERENTIAL):
            groups.setdefault((suite.generator, suite.scope), []).append(suite)
    for _, suites in sorted(groups.items()):
        yield min(suites, key=lambda suite: suite.seed), len(suites)


def _judged(suite: MeasuredSuite) -> tuple[int, Fraction, Fraction, float, int, int]:
    kills = suite.first_kills
    by_postcondition, by_difference = (
        {mutant for mutant, first in kills[oracle].items() if first is not None}
        for oracle in (POSTCONDITION, DIFFERENTIAL)
    )
    mutants = len(kills[POSTCONDITION])
    scores = (Fraction(len(by_postcondition), mutants), Fraction(len(by_difference), mutants))
    only = (len(by_difference - by_postcondition), len(by_postcondition - by_difference))
    return (mutants, *scores, 100 * float(scores[1] - scores[0]), *only)
