"""Table 1: bounded exhaustive and field-exhaustive suites by subject and scope."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from harness.papers.field_exhaustive2016.given import (
    EXHAUSTIVE,
    FIELD_EXHAUSTIVE,
    NO_PROCESSOR_SECONDS,
    SUBJECTS,
    FieldExhaustiveInputs,
)
from harness.papers.field_exhaustive2016.suites import POSTCONDITION, MeasuredSuite
from harness.tables.cell import Comparison, Measured, Missing, Unit
from harness.tables.missing import NO_MUTANT_RUN, NOT_MEASURED, NOT_RUN
from harness.tables.table import Heading, Row, Table

WAYS = {"be": EXHAUSTIVE, "fe": FIELD_EXHAUSTIVE}
"""The generators, by the end of the names of their columns among the published values."""

Look = Callable[[MeasuredSuite], Measured | None]

COMPARED: Sequence[tuple[str, Unit, str, Look, Missing]] = (
    ("inputs", Unit.COUNT, "size", lambda suite: suite.inputs, NOT_MEASURED),
    ("gen. [s]", Unit.SECONDS, "gen_seconds", lambda suite: suite.generating, NO_PROCESSOR_SECONDS),
    ("testing [s]", Unit.SECONDS, "test_seconds", lambda suite: suite.testing, NO_MUTANT_RUN),
    ("score [%]", Unit.PERCENT, "mutation_score", lambda suite: suite.score(POSTCONDITION), NO_MUTANT_RUN),
    ("branches [%]", Unit.PERCENT, "branch_coverage", lambda suite: suite.branches, NO_MUTANT_RUN),
)
"""What the paper compares: heading, unit, beginning of the published columns, the value, why it is missing."""

OURS = (
    Heading("BE structures", Unit.COUNT),
    Heading("FE structures", Unit.COUNT),
    Heading("sum of extensions", Unit.COUNT),
)


def table1(given: FieldExhaustiveInputs) -> Table:
    """Every printed row, and every other scope that was run, by subject in the paper's order."""
    published = given.printed("table1", 2)
    rows = []
    for title in SUBJECTS:
        for scope in _scopes(given, title):
            suites = {end: given.suite(title, generator, scope) for end, generator in WAYS.items()}
            cells = [
                Comparison(_value(suites[end], look, why), published.get((f"{title} {scope}", f"{name}_{end}")))
                for _, _, name, look, why in COMPARED
                for end in WAYS
            ]
            cells += [Comparison(value) for value in _structures(suites["be"], suites["fe"])]
            rows.append(Row((title, str(scope)), tuple(cells)))
    columns = tuple(
        Heading(f"{end.upper()} {name}", unit, differs=unit is not Unit.SECONDS, published=True)
        for name, unit, *_ in COMPARED
        for end in WAYS
    )
    return Table(
        "Table 1: bounded exhaustive and field-exhaustive suites",
        _caption(given),
        ("subject", "scope"),
        (*columns, *OURS),
        tuple(rows),
    )


def _scopes(given: FieldExhaustiveInputs, title: str) -> list[int]:
    rows = (row.split(" ") for row in given.printed("table1", 2).rows)
    return sorted({int(scope) for known, scope in rows if known == title} | set(given.scopes(title, *WAYS.values())))


def _value(suite: MeasuredSuite | None, look: Look, why: Missing) -> Measured:
    if suite is None:
        return NOT_RUN
    value = look(suite)
    return why if value is None else value


def _structures(exhaustive: MeasuredSuite | None, of_fields: MeasuredSuite | None) -> list[Measured]:
    return [
        *(_value(suite, lambda suite: suite.states, NOT_MEASURED) for suite in (exhaustive, of_fields)),
        _value(of_fields, lambda suite: suite.extension, NOT_MEASURED),
    ]


def _caption(given: FieldExhaustiveInputs) -> str:
    return (
        f"BE: bounded exhaustive, by {EXHAUSTIVE}; FE: {FIELD_EXHAUSTIVE}. Inputs are structures with the arguments of "
        f"each routine. {given.counted} A mutant is killed when the postcondition of the routine, which "
        "includes the invariant, does not hold. gen. are processor seconds of making the suite, which is written, and "
        "testing those of the original with its oracles on all inputs, here "
        f"({given.frames.machine}, which others may have shared); the paper's are of Java on a 3.2 GHz Core i5-4460, "
        "so there is no difference to tell. The paper's mutants are muJava's "
        "of its Java programs. The sum of extensions bounds the number of FE structures (Theorem 2). IL: more than a "
        "million structures; TO: more than an hour. A blank published cell is not printed."
    )
