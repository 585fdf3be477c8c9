"""Table 2: a refactoring engine: inputs, seconds and bugs of exhaustive, random and field-exhaustive programs."""

from __future__ import annotations

from collections.abc import Mapping

from harness.model.published import PublishedValue
from harness.papers.field_exhaustive2016.given import NAME, FieldExhaustiveInputs
from harness.papers.field_exhaustive2016.refactorings import RANDOM, Refactored
from harness.tables.cell import Comparison, Measured, Unit
from harness.tables.missing import NOT_RUN
from harness.tables.table import Heading, Row, Table

COLUMNS = (
    (Heading("inputs", Unit.COUNT, differs=False, published=True), "inputs"),
    (Heading("seconds", Unit.SECONDS, differs=False, published=True), "seconds"),
    (Heading("bugs", Unit.COUNT, differs=False, published=True), "bugs_found"),
    (Heading("faults", Unit.COUNT), ""),
    (Heading("seeds", Unit.COUNT), ""),
    (Heading("scope", Unit.COUNT), ""),
)


def table2(given: FieldExhaustiveInputs) -> Table:
    """By refactoring every printed row beside ours of the same technique, then our other rows; then our other ones."""
    published = given.printed("table2", 3)
    printed = [(*key.split(" "), key) for key in published.rows]
    left = list(given.refactored)
    rows = []
    for title in dict.fromkeys([*(row[0] for row in printed), *(refactored.title for refactored in left)]):
        for known, technique, inputs, key in printed:
            if known == title:
                ours = next((r for r in left if _stands_beside(r, title, technique, int(inputs))), None)
                if ours is not None:
                    left.remove(ours)
                cells = {name: published[key, name] for _, name in COLUMNS if (key, name) in published}
                cells["inputs"] = PublishedValue(NAME, "table2", key, "inputs", inputs)
                rows.append(_row(title, technique, ours, cells))
        rows += [_row(title, ours.technique, ours, {}) for ours in left if ours.title == title]
    caption = (
        "The paper's engine is that of Eclipse 3.3, for Java; ours is rope, for Python. So rows stand beside each "
        "other, without differences, and nothing is reproduced: other refactorings, other programs, other bugs. "
        "astgen: all programs within the bounds. Bugs are places in rope that would have to change, as "
        "docs/rope_faults.md tells them; a bug may cause several faults, which the oracles tell apart. Both are those "
        "of the seed that shows most of them, inputs those of a seed's largest suite. Seconds are the mean of all "
        "seeds, of generating, by the clock of a machine that others shared, and of testing together. Nothing "
        "here is of the run: it is what python -m benchmarks.refactoring has left in results/frozen/refactoring."
    )
    columns = tuple(column for column, _ in COLUMNS)
    return Table("Table 2: a refactoring engine", caption, ("refactoring", "technique"), columns, tuple(rows))


def _stands_beside(ours: Refactored, title: str, technique: str, inputs: int) -> bool:
    same = (ours.title, ours.technique) == (title, technique)
    return same and (technique != RANDOM or ours.asked == inputs)


def _row(title: str, technique: str, ours: Refactored | None, printed: Mapping[str, PublishedValue]) -> Row:
    measured: tuple[Measured, ...] = (NOT_RUN,) * len(COLUMNS)
    if ours is not None:
        measured = (ours.inputs, ours.seconds, ours.bugs, ours.faults, ours.seeds, ours.scope)
    cells = (Comparison(value, printed.get(name)) for value, (_, name) in zip(measured, COLUMNS, strict=True))
    return Row((title, technique), tuple(cells))
