"""Tabulates the paper's conclusions by class, from measured and printed numbers, by the same rules."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction

from harness.papers.jtestcraft2010.claims import (
    CLAIMED,
    CLAIMS,
    JTESTCRAFT,
    MOST_TESTS,
    ROSTRA,
    SYMSTRA,
    Numbers,
    Tools,
)
from harness.papers.jtestcraft2010.dataset import NAME, SUBJECTS, WHOLE, JtestcraftInputs
from harness.papers.jtestcraft2010.table6_2 import (
    COVERAGE,
    TABLE,
    TOOLS,
    as_printed,
    has_tests,
    scope_of,
    tests_of,
    was_stopped,
)
from harness.tables.cell import Missing
from harness.tables.claims import COLUMNS, rules_of
from harness.tables.published import PublishedTable
from harness.tables.table import Table

NAMES = {"jtestcraft": JTESTCRAFT, "rostra": ROSTRA, "symstra": SYMSTRA}
NOTHING_RUN = Missing("nothing was run of the class")


def claims(dataset: JtestcraftInputs) -> Table:
    """Return a row per claim and class: HOLDS, DOES NOT HOLD or NOT DECIDABLE, with the underlying numbers."""
    printed = printed_tools(dataset.printed(TABLE, keys=3))
    measured = {title: measured_tools(dataset, title) for title in SUBJECTS}
    known_tools = {title: tools if any(tools.values()) else None for title, tools in measured.items()}
    caption = (
        "Published: the same rules on the printed numbers, of which those that met a limit are not known, but for "
        "coverage, which the paper prints once for all lengths of which a tool made tests. JTestCraft: our generator "
        "css. Calls are those behind the constructor's. Coverage is of condition outcomes here. Rules: "
        f"{rules_of(CLAIMS)}. {CLAIMED} Seconds are processor seconds of this machine ({dataset.frames.machine}), and "
        "of two other ones in the paper."
    )
    return Table.of(
        "What the paper concludes (section 6.3)",
        caption,
        ("claim", "class", "our subject"),
        COLUMNS,
        (
            claim.case(NAME, (title, subject), known_tools[title], printed[title], NOTHING_RUN)
            for claim in CLAIMS
            for title, subject in SUBJECTS.items()
        ),
    )


def measured_tools(dataset: JtestcraftInputs, title: str) -> Tools:
    """Return the measured numbers of each tool, by the number of calls after the constructor's."""
    numbers_of: dict[str, dict[int, Numbers]] = {name: {} for name in NAMES.values()}
    for tool, generator in TOOLS.items():
        for suite in dataset.suites:
            if (suite.subject, suite.generator) == (SUBJECTS[title], generator):
                whole = dataset.part(suite, WHOLE)
                covered = None if whole is None else 100 * whole.reached
                tests = tests_of(suite)
                numbers_of[NAMES[tool]][suite.scope] = Numbers(tests, suite.generating, covered, tests > MOST_TESTS)
    return numbers_of


def printed_tools(table: PublishedTable) -> Mapping[str, Tools]:
    """Return the printed numbers of each tool, by class."""
    tools_of: dict[str, dict[str, dict[int, Numbers]]] = {}
    for row in table.rows:
        title, tool, length = row.key
        cells = as_printed(row)
        covered = cells.get(COVERAGE) if has_tests(row) else None
        coverage = None if covered is None or covered.exact is None else Fraction(covered.exact)
        numbers = Numbers(None, None, coverage, was_stopped=True)
        if not was_stopped(row):
            tests = row.value("tests")
            numbers = Numbers(None if tests is None else int(tests), row.value("seconds"), coverage)
        by_calls = tools_of.setdefault(title, {}).setdefault(NAMES[tool], {})
        by_calls[scope_of(tool, int(length))] = numbers
    return tools_of
