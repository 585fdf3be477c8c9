"""Table 6.1: the classes, their methods, lines and branches."""

from __future__ import annotations

from harness.papers.jtestcraft2010.given import SUBJECTS, WHOLE, JtestcraftInputs
from harness.tables.cell import Comparison, Measured, Unit
from harness.tables.missing import NOT_MEASURED
from harness.tables.table import Heading, Row, Table

COLUMNS = (
    (Heading("methods under test", Unit.TEXT, published=True), "methods_under_test"),
    (Heading("private methods", Unit.TEXT, published=True), "relevant_private_methods"),
    (Heading("lines", Unit.COUNT, published=True), "lines"),
    (Heading("outcomes", Unit.COUNT, published=True), "branches"),
)


def table6_1(given: JtestcraftInputs) -> Table:
    """A row per class, in the order of the paper."""
    published = given.printed("table6_1", keys=1)
    rows = []
    for title in SUBJECTS:
        facts, evaluated = given.classes[title], given.of(title, WHOLE)
        measured: tuple[Measured, ...] = (
            " ".join(facts.tested),
            " ".join(facts.private),
            facts.lines,
            max(part.outcomes for part in evaluated) if evaluated else NOT_MEASURED,
        )
        cells = [
            Comparison(value, published.get((title, name))) for value, (_, name) in zip(measured, COLUMNS, strict=True)
        ]
        rows.append(Row((title, SUBJECTS[title]), tuple(cells)))
    caption = (
        "Methods and lines are read off the sources that ship, which were written anew from what the paper tells: "
        "lines of Python, those of comments and blank ones included, where the paper's are of Java. outcomes, "
        "the paper's "
        "branches: two of each atomic condition in the methods of the class itself, and one entry of each of its "
        "methods and of its constructor, as they were measured in the run (docs/jtestcraft2010.md)."
    )
    return Table(
        "Table 6.1: the classes", caption, ("class", "our subject"), tuple(column for column, _ in COLUMNS), tuple(rows)
    )
