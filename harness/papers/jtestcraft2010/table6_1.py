"""Table 6.1: the classes, their methods, lines and branches."""

from __future__ import annotations

from harness.papers.jtestcraft2010.classes import ClassFacts
from harness.papers.jtestcraft2010.dataset import SUBJECTS, WHOLE, EvaluatedPart, JtestcraftInputs
from harness.tables.cell import Unit
from harness.tables.table import Column, RowSource, Table

_Class = tuple[ClassFacts, "list[EvaluatedPart]"]
"""The facts of a class, and its suites with the condition outcomes that they reach."""

COLUMNS = (
    Column[_Class]("methods under test", Unit.TEXT, lambda one: " ".join(one[0].tested), "methods_under_test"),
    Column[_Class]("private methods", Unit.TEXT, lambda one: " ".join(one[0].private), "relevant_private_methods"),
    Column[_Class]("lines", Unit.COUNT, lambda one: one[0].lines, "lines"),
    Column[_Class](
        "outcomes", Unit.COUNT, lambda one: max((part.outcomes for part in one[1]), default=None), "branches"
    ),
)


def table6_1(dataset: JtestcraftInputs) -> Table:
    """Return a row per class, in the order of the paper."""
    published = dataset.printed("table6_1", keys=1)
    caption = (
        "Methods and lines are read off the sources that ship, which were written from the description in the paper: "
        "lines of Python, those of comments and blank ones included, where the paper's are of Java. outcomes, "
        "the paper's "
        "branches: two of each atomic condition in the methods of the class itself, and one entry of each of its "
        "methods and of its constructor, as they were measured in the run (docs/jtestcraft2010.md)."
    )
    cases = (
        RowSource((title, subject), (dataset.classes[title], list(dataset.of(title, WHOLE))), published.row(title))
        for title, subject in SUBJECTS.items()
    )
    return Table.of("Table 6.1: the classes", caption, ("class", "our subject"), COLUMNS, cases)
