"""Table 6.2: seconds, tests and coverage of JTestCraft, Rostra and Symstra by length of sequences."""

from __future__ import annotations

from harness.model.published import PublishedValue
from harness.papers.jtestcraft2010.claims import MOST_TESTS
from harness.papers.jtestcraft2010.given import (
    CSS,
    NAME,
    ROSTRA,
    SELECTED,
    SUBJECTS,
    SYMSTRA,
    WHOLE,
    JtestcraftInputs,
    MeasuredSuite,
)
from harness.tables.cell import Comparison, Measured, Missing, Unit
from harness.tables.missing import NOT_MEASURED, NOT_RUN
from harness.tables.published import PublishedTable
from harness.tables.table import Heading, Row, Table

TABLE = "table6_2"
TOOLS = {"jtestcraft": CSS, "rostra": ROSTRA, "symstra": SYMSTRA}
"""The paper's tools, and our generators."""
LIMITS = {ROSTRA: MOST_TESTS, CSS: 5_000}
"""Our own limits: the first suite of more tests than this is the last one that was made of a class."""
BEYOND = {
    name: Missing(f"fewer calls have more than {most:,} tests already, which is our limit of {name}")
    for name, most in LIMITS.items()
}
_COVERAGE = "branch_coverage_pct"

COLUMNS = (
    (Heading("time [s]", Unit.SECONDS, published=True), "seconds"),
    (Heading("tests", Unit.COUNT, published=True), "tests"),
    (Heading("tests that increase coverage", Unit.COUNT, published=True), "tests_selected"),
    (Heading("coverage [%]", Unit.PERCENT, published=True), _COVERAGE),
)
_MARKED = {"timeout": "*", "memory": "-", "timeout+memory": "- *"}


def table6_2(given: JtestcraftInputs) -> Table:
    """Every printed row, in the order of print."""
    published = given.printed(TABLE, keys=3)
    rows = []
    for row in published.rows:
        title, tool, length = row.split()
        generator, scope = TOOLS[tool], scope_of(tool, int(length))
        suite = given.suite(title, generator, scope)
        printed = as_printed(published, row)
        measured = _missing(given, title, generator, scope) if suite is None else _measured(given, suite)
        cells = [
            Comparison(value, printed.get(name), is_comparable(published, row, name))
            for value, (_, name) in zip(measured, COLUMNS, strict=True)
        ]
        rows.append(Row((title, tool, length, generator, str(scope)), tuple(cells)))
    return Table(
        "Table 6.2: JTestCraft, Rostra and Symstra",
        _caption(given),
        ("class", "tool", "N", "generator", "calls"),
        tuple(column for column, _ in COLUMNS),
        tuple(rows),
    )


def scope_of(tool: str, length: int) -> int:
    """The calls behind the constructor's that a printed N stands for.

    Rostra's and Symstra's N counts the constructor, and of each call the call and its argument. JTestCraft's counts
    calls; our integers are no objects, so that all but the constructor's are calls of methods.
    """
    return length - 1 if tool == "jtestcraft" else (length + 1) // 2


def as_printed(table: PublishedTable, row: str) -> dict[str, PublishedValue]:
    """The cells of a row with the marks of limits as they are printed, by which they are no numbers any more.

    JTestCraft's tests have no mark where its seconds have one.
    """
    cells = {name: table[row, name] for _, name in COLUMNS if (row, name) in table}
    note = table.get((row, "note"))
    if note is None:
        return cells
    mark = _MARKED[note.printed]
    marked = ("seconds",) if " jtestcraft " in row else ("seconds", "tests")
    for name in ("seconds", "tests"):
        cell = cells.get(name)
        if cell is None or name in marked:
            text = mark if cell is None else f"{mark} {cell.printed}" if "-" in mark else f"{mark}{cell.printed}"
            cells[name] = PublishedValue(NAME, TABLE, row, name, text)
    return cells


def made_tests(table: PublishedTable, row: str) -> bool:
    """Whether the paper prints a number of tests there; a run that met its limit may have made some."""
    return (row, "tests") in table and table[row, "tests"].value is not None


def met_limit(table: PublishedTable, row: str) -> bool:
    """Whether the paper's run met a limit of time or of memory there."""
    return (row, "note") in table


def is_comparable(table: PublishedTable, row: str, column: str) -> bool:
    """Whether a printed cell is of what a whole run made: no limit was met.

    Coverage is printed once for all lengths. So it is that of the longest sequences of which there are tests.
    """
    if column != _COVERAGE or met_limit(table, row):
        return not met_limit(table, row)
    title, tool, _ = row.split()
    of_tool = [one for one in table.rows if one.split()[:2] == [title, tool] and made_tests(table, one)]
    return row == max(of_tool, key=lambda one: int(one.split()[2]))


def tests_of(suite: MeasuredSuite) -> int:
    """The inputs without the constructor's own, which is no test of the paper's."""
    return suite.inputs - 1


def _missing(given: JtestcraftInputs, title: str, generator: str, scope: int) -> tuple[Measured, ...]:
    """Why there is no suite: fewer calls have more tests already than our limit, or it was not run."""
    most = LIMITS.get(generator)
    shorter = [s for s in given.suites if (s.subject, s.generator) == (SUBJECTS[title], generator) and s.scope < scope]
    is_beyond = most is not None and any(tests_of(suite) > most for suite in shorter)
    return (BEYOND[generator] if is_beyond else NOT_RUN,) * len(COLUMNS)


def _measured(given: JtestcraftInputs, suite: MeasuredSuite) -> tuple[Measured, ...]:
    whole, selected = given.part(suite, WHOLE), given.part(suite, SELECTED)
    return (
        NOT_MEASURED if suite.seconds is None else suite.seconds,
        tests_of(suite),
        NOT_MEASURED if selected is None else int(selected.inputs),
        NOT_MEASURED if whole is None else whole.reached,
    )


def _caption(given: JtestcraftInputs) -> str:
    return (
        "calls: behind the constructor's, for N as printed, which counts the constructor, and of Rostra and Symstra "
        "the argument of each call as well. Tests are those of up to so many calls: of rostra each call on "
        "each state, of "
        "symstra and css each path. * and - are limits of time and of memory that the paper's runs met; no number of "
        "such a row is compared with ours. Ours are that the first suite of more than 50,000 tests of "
        "rostra, and of more than "
        "5,000 of css, is the last of its class; cells beyond it have no number. Seconds are processor "
        f"seconds of making the suite here ({given.frames.machine}), on other machines in the paper. Coverage is of "
        "condition outcomes, of the suite in the row; the paper prints it once for all lengths, so that it is compared "
        "in the row of the longest sequences of which the tool made tests, if it met no limit there. Tests that "
        "increase coverage hang on the order of trying, which the paper does not tell; those of JTestCraft are "
        "selected by paths of methods."
    )
