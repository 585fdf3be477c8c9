"""Table 1: bounded exhaustive and field-exhaustive suites by subject and scope."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from functools import partial

from harness.papers.field_exhaustive2016.dataset import (
    EXHAUSTIVE,
    FIELD_EXHAUSTIVE,
    NO_PROCESSOR_SECONDS,
    POSTCONDITION,
    SUBJECTS,
    FieldExhaustiveInputs,
)
from harness.papers.suites import Suite
from harness.tables.cell import Measured, Missing, Unit
from harness.tables.missing import NO_MUTANT_RUN, NOT_MEASURED, NOT_RUN
from harness.tables.table import Column, RowSource, Table

WAYS = {"be": EXHAUSTIVE, "fe": FIELD_EXHAUSTIVE}
"""The generators, by the end of the names of their columns among the published values."""

Ways = Mapping[str, Suite | None]
"""The suites of one scope, by WAYS; None where one was not run."""


def _columns(
    name: str, unit: Unit, published: str, look: Callable[[Suite], Measured | None], missing: Missing
) -> Iterator[Column[Ways]]:
    """Make a column for each way of making suites."""
    for way in WAYS:
        yield Column(
            f"{way.upper()} {name}",
            unit,
            partial(_look, way, look),
            f"{published}_{way}" * bool(published),
            missing,
        )


def _look(way: str, look: Callable[[Suite], Measured | None], suites: Ways) -> Measured | None:
    suite = suites[way]
    return NOT_RUN if suite is None else look(suite)


COLUMNS = (
    *_columns("inputs", Unit.COUNT, "size", lambda suite: suite.inputs, NOT_MEASURED),
    *_columns("gen. [s]", Unit.SECONDS, "gen_seconds", lambda suite: suite.generating, NO_PROCESSOR_SECONDS),
    *_columns("testing [s]", Unit.SECONDS, "test_seconds", lambda suite: suite.testing, NO_MUTANT_RUN),
    *_columns("score [%]", Unit.PERCENT, "mutation_score", lambda suite: suite.score(POSTCONDITION), NO_MUTANT_RUN),
    *_columns("branches [%]", Unit.PERCENT, "branch_coverage", lambda suite: suite.branches, NO_MUTANT_RUN),
    *_columns("structures", Unit.COUNT, "", lambda suite: suite.states, NOT_MEASURED),
    Column[Ways]("sum of extensions", Unit.COUNT, partial(_look, "fe", lambda suite: suite.extension)),
)


def table1(dataset: FieldExhaustiveInputs) -> Table:
    """Return every printed row, and every other scope that was run, by subject in the paper's order."""
    title = "Table 1: bounded exhaustive and field-exhaustive suites"
    return Table.of(title, _caption(dataset), ("subject", "scope"), COLUMNS, _cases(dataset))


def _cases(dataset: FieldExhaustiveInputs) -> Iterator[RowSource[Ways]]:
    published = dataset.printed("table1", 2)
    for title in SUBJECTS:
        printed = {int(row.key[1]) for row in published.rows if row.key[0] == title}
        for scope in sorted(printed.union(dataset.scopes(title, *WAYS.values()))):
            suites = {way: dataset.suite(title, generator, scope) for way, generator in WAYS.items()}
            yield RowSource((title, str(scope)), suites, published.row(title, scope))


def _caption(dataset: FieldExhaustiveInputs) -> str:
    return (
        f"BE: bounded exhaustive, by {EXHAUSTIVE}; FE: {FIELD_EXHAUSTIVE}. Inputs are structures with the arguments of "
        f"each routine. {dataset.counted} A mutant is killed when the postcondition of the routine, which "
        "includes the invariant, does not hold. gen. are processor seconds of making the suite, which is written, and "
        "testing those of the original with its oracles on all inputs, here "
        f"({dataset.frames.machine}, which others may have shared); the paper's are of Java on a 3.2 GHz Core i5-4460, "
        "so there is no difference to tell. The paper's mutants are muJava's "
        "of its Java programs. The sum of extensions bounds the number of FE structures (Theorem 2). IL: more than a "
        "million structures; TO: more than an hour. A blank published cell is not printed."
    )
