"""Table 1: benchmarks and target methods."""

from __future__ import annotations

from harness.analysis.frames import RunFrames
from harness.errors import UsageError
from harness.papers.exhaustive2003.dataset import PaperInputs, order
from harness.papers.source_facts import SubjectFacts
from harness.store import CoverageKind
from harness.tables.cell import Unit
from harness.tables.missing import NOT_RUN
from harness.tables.table import Column, RowSource, Table

_Benchmark = tuple[SubjectFacts, "int | None"]
"""The facts of a subject, and its branch outcomes if they were measured."""

COLUMNS: tuple[Column[_Benchmark], ...] = (
    Column("target methods", Unit.TEXT, lambda one: " ".join(one[0].targets), "target_methods"),
    Column("helper methods", Unit.TEXT, lambda one: " ".join(one[0].helpers), "some_helper_methods"),
    Column("ncnb lines", Unit.COUNT, lambda one: one[0].ncnb_lines, "ncnb_lines"),
    Column("branching points", Unit.COUNT, lambda one: one[0].branching_points, "branches"),
    Column("branching statements", Unit.COUNT, lambda one: one[0].branching_statements),
    Column("branch outcomes", Unit.COUNT, lambda one: one[1], missing=NOT_RUN),
    Column("mutants", Unit.COUNT, lambda one: one[0].mutants, "mutants"),
)


def table1(dataset: PaperInputs) -> Table:
    """Tabulate benchmarks and target methods.

    Raises:
        UsageError: no subject is given.
    """
    if not dataset.subjects:
        raise UsageError("Table 1 describes subjects and none is given; name at least one")
    published = dataset.printed("table1", keys=1)
    outcomes = _branch_outcomes(dataset.frames)
    cases = (
        RowSource((facts.title,), (facts, outcomes.get(facts.title)), published.row(facts.title))
        for facts in sorted(dataset.subjects, key=lambda facts: order(facts.title))
    )
    caption = (
        f"Measured from the subjects' sources and mutants ({dataset.operators}): lines that are neither comment nor "
        "blank and branching points of the target and helper methods, and the number of mutants. The paper does not "
        "say what it counts as a branch. Branching points are if, elif, while, for, case, conditional expressions, and "
        "the loops and filters of comprehensions; branching statements are the first five alone; branch outcomes are "
        "what coverage.py counts, and branch coverage is of: where each of these statements can go. The paper's "
        f"programs are Java; it names some of the helper methods.{dataset.samples}"
    )
    return Table.of("Table 1: benchmarks and target methods", caption, ("benchmark",), COLUMNS, cases)


def _branch_outcomes(frames: RunFrames) -> dict[str, int]:
    """Return, by title, the branches of the code, as coverage.py counted them in the latest trial."""
    code = frames.coverage[frames.coverage["kind"] == CoverageKind.CODE.value]
    sums = code.groupby("trial")["branches"].sum()
    trials = frames.trials[frames.trials["trial"].isin(sums.index)]
    return {str(title): int(sums[trial]) for title, trial in zip(trials["title"], trials["trial"], strict=True)}
