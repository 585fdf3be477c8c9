"""Table 1: benchmarks and target methods."""

from __future__ import annotations

from harness.errors import UsageError
from harness.papers.exhaustive2003.given import PaperInputs, columns_of, compared_row, order
from harness.papers.tables import Column, ComparisonTable, Measured, Unit

_TABLE1 = (
    (Column("target methods", Unit.TEXT), "target_methods"),
    (Column("helper methods", Unit.TEXT), "some_helper_methods"),
    (Column("ncnb lines", Unit.COUNT), "ncnb_lines"),
    (Column("branches", Unit.COUNT), "branches"),
    (Column("mutants", Unit.COUNT), "mutants"),
)


def table1(given: PaperInputs) -> ComparisonTable:
    """Benchmarks and target methods.

    Raises:
        UsageError: no subject is given.
    """
    if not given.subjects:
        raise UsageError("Table 1 describes subjects and none is given; name at least one")
    published = given.printed("table1", keys=1)
    rows = []
    for facts in sorted(given.subjects, key=lambda facts: order(facts.title)):
        measured: tuple[Measured, ...] = (
            " ".join(facts.targets), " ".join(facts.helpers), facts.ncnb_lines, facts.branches, facts.mutants,
        )  # fmt: skip
        rows.append(compared_row((facts.title,), facts.title, measured, _TABLE1, published))
    caption = (
        "Measured from the subjects' sources and pinned mutant sets: lines that are neither comment nor blank and "
        "branching statements of the target and helper methods, and the number of mutants. The paper's programs are "
        "Java; it names some of the helper methods."
    )
    return ComparisonTable(
        "Table 1: benchmarks and target methods", caption, ("benchmark",), columns_of(_TABLE1), tuple(rows)
    )
