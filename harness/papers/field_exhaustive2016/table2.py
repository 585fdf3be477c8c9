"""Table 2: a refactoring engine: inputs, seconds and bugs of exhaustive, random and field-exhaustive programs."""

from __future__ import annotations

from collections.abc import Iterator

from harness.papers.field_exhaustive2016.dataset import FieldExhaustiveInputs
from harness.papers.field_exhaustive2016.refactorings import RANDOM, Refactored
from harness.tables.cell import Unit
from harness.tables.table import Column, RowSource, Table

COLUMNS: tuple[Column[Refactored], ...] = (
    Column("inputs", Unit.COUNT, lambda ours: ours.inputs, "inputs", differs=False),
    Column("seconds", Unit.SECONDS, lambda ours: ours.seconds, "seconds"),
    Column("bugs", Unit.COUNT, lambda ours: ours.bugs, "bugs_found", differs=False),
    Column("faults", Unit.COUNT, lambda ours: ours.faults),
    Column("seeds", Unit.COUNT, lambda ours: ours.seeds),
    Column("scope", Unit.COUNT, lambda ours: ours.scope),
)


def table2(dataset: FieldExhaustiveInputs) -> Table:
    """Return the printed rows by refactoring, next to ours of the same technique, then our other rows."""
    caption = (
        "The paper's engine is that of Eclipse 3.3, for Java; ours is rope, for Python. So rows stand beside each "
        "other, without differences, and nothing is reproduced: other refactorings, other programs, other bugs. "
        "astgen: all programs within the bounds. Bugs are places in rope that would have to change, as "
        "`python -m benchmarks.rope_faults` shows them; a bug may cause several faults, which the oracles tell apart. "
        "Both are those of the seed that shows most of them, inputs those of a seed's largest suite. Seconds are the "
        "mean of all seeds, of generating, by the clock of a machine that others shared, and of testing together. "
        "Nothing here is of the run: python -m benchmarks.refactoring has left it in results/frozen/refactoring."
    )
    title = "Table 2: a refactoring engine"
    return Table.of(title, caption, ("refactoring", "technique"), COLUMNS, _cases(dataset))


def _cases(dataset: FieldExhaustiveInputs) -> Iterator[RowSource[Refactored]]:
    printed = dataset.printed("table2", 3).rows
    left = list(dataset.refactored)
    for title in dict.fromkeys([*(row.key[0] for row in printed), *(refactored.title for refactored in left)]):
        for row in printed:
            row_title, technique, inputs = row.key
            if row_title == title:
                ours = next((r for r in left if _stands_beside(r, title, technique, int(inputs))), None)
                if ours is not None:
                    left.remove(ours)
                yield RowSource((title, technique), ours, row)
        yield from (RowSource((title, ours.technique), ours) for ours in left if ours.title == title)


def _stands_beside(ours: Refactored, title: str, technique: str, inputs: int) -> bool:
    same = (ours.title, ours.technique) == (title, technique)
    return same and (technique != RANDOM or ours.requested_programs == inputs)
