"""Table 6.2: seconds, tests and coverage of JTestCraft, Rostra and Symstra by length of sequences."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass

from harness.model.published import PublishedValue
from harness.papers.jtestcraft2010.claims import MOST_TESTS
from harness.papers.jtestcraft2010.dataset import (
    CSS,
    NAME,
    ROSTRA,
    SELECTED,
    SUBJECTS,
    SYMSTRA,
    WHOLE,
    EvaluatedPart,
    JtestcraftInputs,
)
from harness.papers.suites import Suite
from harness.tables.cell import Missing, Unit
from harness.tables.missing import NOT_RUN
from harness.tables.published import PublishedRow, PublishedTable
from harness.tables.table import Column, RowSource, Table

TABLE = "table6_2"
TOOLS = {"jtestcraft": CSS, "rostra": ROSTRA, "symstra": SYMSTRA}
"""The paper's tools, and our generators."""
LIMITS = {ROSTRA: MOST_TESTS, CSS: 5_000}
"""Our own limits: the first suite of more tests than this is the last one that was made of a class."""
BEYOND = {
    name: Missing(f"fewer calls have more than {most:,} tests already, which is our limit of {name}")
    for name, most in LIMITS.items()
}
COVERAGE = "branch_coverage_pct"
_MARKED = {"timeout": "*", "memory": "-", "timeout+memory": "- *"}


@dataclass(frozen=True)
class SuiteWithSelection:
    """A suite with its selection by coverage, and what all of it reaches."""

    suite: Suite
    whole: EvaluatedPart | None
    selected: EvaluatedPart | None


COLUMNS = (
    Column[SuiteWithSelection]("time [s]", Unit.SECONDS, lambda one: one.suite.generating, "seconds"),
    Column[SuiteWithSelection]("tests", Unit.COUNT, lambda one: tests_of(one.suite), "tests"),
    Column[SuiteWithSelection](
        "tests that increase coverage",
        Unit.COUNT,
        lambda one: None if one.selected is None else int(one.selected.inputs),
        "tests_selected",
    ),
    Column[SuiteWithSelection](
        "coverage [%]", Unit.PERCENT, lambda one: None if one.whole is None else one.whole.reached, COVERAGE
    ),
)


def table6_2(dataset: JtestcraftInputs) -> Table:
    """Return every printed row, in the order of print."""
    return Table.of(
        "Table 6.2: JTestCraft, Rostra and Symstra",
        _caption(dataset),
        ("class", "tool", "N", "generator", "calls"),
        COLUMNS,
        _cases(dataset),
    )


def _cases(dataset: JtestcraftInputs) -> Iterator[RowSource[SuiteWithSelection]]:
    published = dataset.printed(TABLE, keys=3)
    for row in published.rows:
        title, tool, length = row.key
        generator, scope = TOOLS[tool], scope_of(tool, int(length))
        suite = dataset.suite(title, generator, scope)
        yield RowSource(
            (*row.key, generator, str(scope)),
            None
            if suite is None
            else SuiteWithSelection(suite, dataset.part(suite, WHOLE), dataset.part(suite, SELECTED)),
            as_printed(row),
            _missing(dataset, title, generator, scope),
            incomparable(published, row),
        )


def scope_of(tool: str, length: int) -> int:
    """Return the number of calls after the constructor's for which a printed N stands.

    Rostra's and Symstra's N counts the constructor, and for each call the call and its argument. JTestCraft's counts
    calls. Our integers are no objects, so all calls but the constructor's are calls of methods.
    """
    return length - 1 if tool == "jtestcraft" else (length + 1) // 2


def as_printed(row: PublishedRow) -> Mapping[str, PublishedValue]:
    """Return the cells of a row with the marks of limits as they are printed, so that these are no numbers any more.

    JTestCraft's tests have no mark where its seconds have one.
    """
    if not was_stopped(row):
        return row
    cells = dict(row)
    mark = _MARKED[row["note"].printed]
    marked = ("seconds",) if row.key[1] == "jtestcraft" else ("seconds", "tests")
    for name in ("seconds", "tests"):
        cell = cells.get(name)
        if cell is None or name in marked:
            text = mark if cell is None else f"{mark} {cell.printed}" if "-" in mark else f"{mark}{cell.printed}"
            cells[name] = PublishedValue(NAME, TABLE, " ".join(row.key), name, text)
    return cells


def has_tests(row: PublishedRow) -> bool:
    """Return whether the paper prints a number of tests; a run that met its limit may have made some."""
    return row.value("tests") is not None


def was_stopped(row: PublishedRow) -> bool:
    """Return whether the paper's run met a limit of time or of memory."""
    return "note" in row


def incomparable(table: PublishedTable, row: PublishedRow) -> Collection[str]:
    """Return the columns whose printed value is not that of a whole run: all of them if the run met a limit.

    Coverage is printed once for all lengths. So it is that of the longest sequences of which there are tests.
    """
    if was_stopped(row):
        return [column.published for column in COLUMNS]
    of_tool = [one for one in table.rows if one.key[:2] == row.key[:2] and has_tests(one)]
    return [] if row is max(of_tool, key=lambda one: int(one.key[2])) else [COVERAGE]


def tests_of(suite: Suite) -> int:
    """Return the number of inputs without the constructor's own, which is no test of the paper's."""
    return suite.inputs - 1


def _missing(dataset: JtestcraftInputs, title: str, generator: str, scope: int) -> Missing:
    """Return the reason why there is no suite: fewer calls already exceed our limit of tests, or it was not run."""
    most = LIMITS.get(generator)
    shorter = [
        s for s in dataset.suites if (s.subject, s.generator) == (SUBJECTS[title], generator) and s.scope < scope
    ]
    is_beyond = most is not None and any(tests_of(suite) > most for suite in shorter)
    return BEYOND[generator] if is_beyond else NOT_RUN


def _caption(dataset: JtestcraftInputs) -> str:
    return (
        "calls: behind the constructor's, for N as printed, which counts the constructor, and of Rostra and Symstra "
        "the argument of each call as well. Tests are those of up to so many calls: of rostra each call on "
        "each state, of "
        "symstra and css each path. * and - are limits of time and of memory that the paper's runs met; no number of "
        "such a row is compared with ours. Ours are that the first suite of more than 50,000 tests of "
        "rostra, and of more than "
        "5,000 of css, is the last of its class; cells beyond it have no number. Seconds are processor "
        f"seconds of making the suite here ({dataset.frames.machine}), on other machines in the paper. Coverage is of "
        "condition outcomes, of the suite in the row; the paper prints it once for all lengths, so that it is compared "
        "in the row of the longest sequences of which the tool made tests, if it met no limit there. Tests that "
        "increase coverage depend on the order of trying, which the paper does not state; those of JTestCraft are "
        "selected by paths of methods."
    )
