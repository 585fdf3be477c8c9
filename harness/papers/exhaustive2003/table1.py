"""Table 1: benchmarks and target methods."""

from __future__ import annotations

from harness.analysis.frames import RunFrames
from harness.errors import UsageError
from harness.papers.exhaustive2003.given import PaperInputs, columns_of, compared_row, order
from harness.store import CoverageKind
from harness.tables.cell import Measured, Unit
from harness.tables.missing import NOT_RUN
from harness.tables.table import Heading, Table

_TABLE1 = (
    (Heading("target methods", Unit.TEXT, published=True), "target_methods"),
    (Heading("helper methods", Unit.TEXT, published=True), "some_helper_methods"),
    (Heading("ncnb lines", Unit.COUNT, published=True), "ncnb_lines"),
    (Heading("branching points", Unit.COUNT, published=True), "branches"),
    (Heading("branching statements", Unit.COUNT), ""),
    (Heading("branch outcomes", Unit.COUNT), ""),
    (Heading("mutants", Unit.COUNT, published=True), "mutants"),
)


def table1(given: PaperInputs) -> Table:
    """Benchmarks and target methods.

    Raises:
        UsageError: no subject is given.
    """
    if not given.subjects:
        raise UsageError("Table 1 describes subjects and none is given; name at least one")
    published = given.printed("table1", keys=1)
    outcomes = _branch_outcomes(given.frames)
    rows = []
    for facts in sorted(given.subjects, key=lambda facts: order(facts.title)):
        measured: tuple[Measured, ...] = (
            " ".join(facts.targets), " ".join(facts.helpers), facts.ncnb_lines, facts.branching_points,
            facts.branching_statements, outcomes.get(facts.title, NOT_RUN), facts.mutants,
        )  # fmt: skip
        rows.append(compared_row((facts.title,), facts.title, measured, _TABLE1, published))
    caption = (
        f"Measured from the subjects' sources and mutants ({given.operators}): lines that are neither comment nor "
        "blank and branching points of the target and helper methods, and the number of mutants. The paper does not "
        "say what it counts as a branch. Branching points are if, elif, while, for, case, conditional expressions, and "
        "the loops and filters of comprehensions; branching statements are the first five alone; branch outcomes are "
        "what coverage.py counts, and branch coverage is of: where each of these statements can go. The paper's "
        "programs are Java; it names some of the helper methods."
    )
    return Table("Table 1: benchmarks and target methods", caption, ("benchmark",), columns_of(_TABLE1), tuple(rows))


def _branch_outcomes(frames: RunFrames) -> dict[str, int]:
    """By title, the branches of the code, as coverage.py counted them in the latest trial."""
    code = frames.coverage[frames.coverage["kind"] == CoverageKind.CODE.value]
    sums = code.groupby("trial")["branches"].sum()
    trials = frames.trials[frames.trials["trial"].isin(sums.index)]
    return {str(title): int(sums[trial]) for title, trial in zip(trials["title"], trials["trial"], strict=True)}
