"""Table 2: a refactoring engine: inputs, seconds and bugs of exhaustive, random and field-exhaustive programs."""

from __future__ import annotations

from collections.abc import Mapping

from harness.model.published import PublishedValue
from harness.papers.field_exhaustive2016.given import NAME, NOT_RUN, FieldExhaustiveInputs
from harness.papers.field_exhaustive2016.refactorings import Refactored
from harness.papers.tables import Column, Comparison, ComparisonTable, Measured, Row, Unit

COLUMNS = (
    (Column("inputs", Unit.COUNT), "inputs"),
    (Column("seconds", Unit.SECONDS), "seconds"),
    (Column("bugs", Unit.COUNT), "bugs_found"),
)
TECHNIQUES = ("astgen", "random", "field_exhaustive")
"""As the published values name them, in the order of the columns of the paper."""
EXHAUSTIVE, RANDOM, FIELD_EXHAUSTIVE = TECHNIQUES


def table2(given: FieldExhaustiveInputs) -> ComparisonTable:
    """Every printed row beside ours of the case that stands beside it, then our other rows."""
    published = given.printed("table2", 3)
    left = list(given.refactored)
    rows = []
    for key in published.rows:
        counterpart, technique, inputs = key.split(" ")
        ours = next((r for r in left if _stands_beside(r, counterpart, technique, int(inputs))), None)
        if ours is not None:
            left.remove(ours)
        printed = {name: published.get((key, name)) for _, name in COLUMNS}
        printed["inputs"] = PublishedValue(NAME, "table2", key, "inputs", inputs)
        rows.append(_row((counterpart, technique, "" if ours is None else ours.case), ours, printed))
    rows += [
        _row((refactored.counterpart, refactored.technique, refactored.case), refactored, {}) for refactored in left
    ]
    caption = (
        "The paper's engine is that of Eclipse 3.3, for Java; ours is rope, for Python. So rows stand beside each "
        "other and no difference says that something is reproduced: other refactorings, other programs, other bugs. "
        "astgen: all programs within the bounds; random: the printed bugs are the most of three suites, the seconds "
        "their mean; a row of random programs stands beside the printed one of as many inputs. Bugs are distinct ones, "
        "told apart by reading. Seconds are of generating and testing together."
    )
    columns = tuple(column for column, _ in COLUMNS)
    return ComparisonTable(
        "Table 2: a refactoring engine", caption, ("refactoring", "technique", "our case"), columns, tuple(rows)
    )


def _stands_beside(ours: Refactored, counterpart: str, technique: str, inputs: int) -> bool:
    same = (ours.counterpart, ours.technique) == (counterpart, technique)
    return same and (technique != RANDOM or ours.inputs == inputs)


def _row(labels: tuple[str, str, str], ours: Refactored | None, printed: Mapping[str, PublishedValue | None]) -> Row:
    measured: tuple[Measured, ...] = (NOT_RUN,) * len(COLUMNS)
    if ours is not None:
        measured = (ours.inputs, ours.seconds, ours.bugs)
    cells = (Comparison(value, printed.get(name)) for value, (_, name) in zip(measured, COLUMNS, strict=True))
    return Row(labels, tuple(cells))
