"""Decides the paper's conclusions on the three tools by rules, the same for measured and printed numbers."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise
from typing import Any

from harness.analysis.percent import percent
from harness.measured.evaluated_run import WHOLE
from harness.papers.jtestcraft2010.run import MOST_TESTS, SUBJECTS, JtestcraftInputs
from harness.papers.jtestcraft2010.tables import (
    COVERAGE,
    TABLE,
    TOOLS,
    as_printed,
    has_tests,
    scope_of,
    tests_of,
    was_stopped,
)
from harness.tables.claims import COLUMNS, Claim, ClaimVerdict, Finding, rules_of
from harness.tables.published import PublishedTable
from harness.tables.table import Missing, Table

CLAIMED = (
    "The paper concludes that both Rostra and Symstra outperform JTestCraft in coverage and in the length of sequences "
    "(6.3.3), as they prune most of them, and that the optimization that Symstra uses would make JTestCraft as good "
    "(6.3.5)."
)


@dataclass(frozen=True)
class Numbers:
    """The numbers of one tool at one number of calls; None if one is not known, or is partial because of a limit.

    `coverage` is in percent.
    """

    tests: int | None
    seconds: float | None
    coverage: Fraction | None
    was_stopped: bool = False


ByCalls = Mapping[int, Numbers]
"""The numbers of one tool, by the number of calls after the constructor's."""
Tools = Mapping[str, ByCalls]
"""The numbers of JTESTCRAFT, ROSTRA and SYMSTRA."""

JTESTCRAFT, ROSTRA, SYMSTRA = "JTestCraft", "Rostra", "Symstra"


def fewer_tests(tools: Tools) -> Finding:
    """Decide whether Symstra prunes more than Rostra, and Rostra more than JTestCraft, which prunes nothing (6.3.1)."""
    tests = {name: _numbers_by_calls(by_calls, "tests") for name, by_calls in tools.items()}
    present = [name for name in (SYMSTRA, ROSTRA, JTESTCRAFT) if tests.get(name)]
    calls = _largest_common([tests[name] for name in present])
    if len(present) < 2 or calls is None:
        return Finding(ClaimVerdict.OPEN, "no number of calls at which two are known")
    counts = [tests[name][calls] for name in present]
    text = ", ".join(f"{name} {int(count)}" for name, count in zip(present, counts, strict=True))
    return Finding.of(all(a < b for a, b in pairwise(counts)), f"{calls} calls: {text}")


def coverage(tools: Tools) -> Finding:
    """Decide whether Symstra and Rostra cover more than JTestCraft (6.3.3)."""
    coverages = [_numbers_by_calls(tools.get(name, {}), "coverage") for name in (SYMSTRA, ROSTRA, JTESTCRAFT)]
    calls = _largest_common(coverages)
    if calls is None:
        return Finding(ClaimVerdict.OPEN, "no number of calls at which all three are known")
    symstra, rostra, own = (by_calls[calls] for by_calls in coverages)
    text = f"{calls} calls: Symstra {_percent(symstra)}, Rostra {_percent(rostra)}, JTestCraft {_percent(own)}"
    return Finding.of(min(symstra, rostra) > own, text)


def covers_most(tools: Tools) -> Finding:
    """Decide whether Symstra covers as much as any tool (Table 6.2)."""
    coverages = {name: _numbers_by_calls(tools.get(name, {}), "coverage") for name in (SYMSTRA, ROSTRA, JTESTCRAFT)}
    largest = {name: (max(by_calls), by_calls[max(by_calls)]) for name, by_calls in coverages.items() if by_calls}
    text = ", ".join(f"{name} {_percent(value)} ({calls} calls)" for name, (calls, value) in largest.items())
    other_values = [value for name, (_, value) in largest.items() if name != SYMSTRA]
    if SYMSTRA not in largest or not other_values:
        return Finding(ClaimVerdict.OPEN, text or "none is known")
    return Finding.of(largest[SYMSTRA][1] >= max(other_values), text)


def seconds(tools: Tools) -> Finding:
    """Decide whether Symstra and Rostra are faster (6.3.3)."""
    times = {name: _numbers_by_calls(by_calls, "seconds") for name, by_calls in tools.items()}
    calls = _largest_common([times.get(name, {}) for name in (SYMSTRA, ROSTRA, JTESTCRAFT)])
    if calls is None:
        return Finding(ClaimVerdict.OPEN, "no number of calls at which all three are known")
    text = ", ".join(f"{name} {times[name][calls]:.2f} s" for name in (SYMSTRA, ROSTRA, JTESTCRAFT))
    fastest = times[JTESTCRAFT][calls]
    return Finding.of(
        times[SYMSTRA][calls] < fastest and times[ROSTRA][calls] < fastest,
        f"{calls} calls: {text}",
    )


def length(tools: Tools) -> Finding:
    """Decide whether Symstra reaches longer sequences than Rostra (6.3.3); this is open if neither meets a limit."""
    (finished, stopped), (other_finished, other_stopped) = (_lengths(tools.get(name, {})) for name in (SYMSTRA, ROSTRA))
    text = f"Symstra {_to_its_end(finished, stopped)}, Rostra {_to_its_end(other_finished, other_stopped)}"
    if finished & other_stopped:
        return Finding(ClaimVerdict.HOLDS, text)
    return Finding(ClaimVerdict.FAILS if stopped & (other_finished | other_stopped) else ClaimVerdict.OPEN, text)


CLAIMS = (
    Claim(
        "fewer tests",
        "HOLDS if Symstra has fewer tests than Rostra, and Rostra fewer than JTestCraft, at the largest number of "
        "calls at which all three are known; of two, if they are in this order",
        fewer_tests,
    ),
    Claim(
        "coverage",
        "HOLDS if Symstra and Rostra each cover more than JTestCraft at the largest number of calls at which all three "
        "are known",
        coverage,
    ),
    Claim("Symstra covers most", "HOLDS if no other covers more than Symstra by its longest sequences", covers_most),
    Claim(
        "seconds",
        "HOLDS if Symstra and Rostra each take fewer seconds than JTestCraft at the largest number of calls at which "
        "all three are known",
        seconds,
    ),
    Claim(
        "length",
        "HOLDS if Symstra comes to its end at a number of calls at which Rostra meets a limit, else DOES NOT HOLD if "
        "Symstra meets one at which Rostra was run as well; our limit is that of "
        f"{MOST_TESTS:,} tests in a suite",
        length,
    ),
)


def _numbers_by_calls(by_calls: ByCalls, measure: str) -> dict[int, Any]:
    return {calls: value for calls, numbers in by_calls.items() if (value := getattr(numbers, measure)) is not None}


def _largest_common(numbers: list[dict[int, Any]]) -> int | None:
    common = set.intersection(*map(set, numbers)) if numbers else set()
    return max(common, default=None)


def _percent(coverage: Fraction) -> str:
    return f"{percent(coverage / 100):g} %"


def _lengths(by_calls: ByCalls) -> tuple[set[int], set[int]]:
    """Return the numbers of calls at which a tool finished, and those at which it met a limit."""
    stopped = {calls for calls, numbers in by_calls.items() if numbers.was_stopped}
    return _numbers_by_calls(by_calls, "tests").keys() - stopped, stopped


def _to_its_end(finished: set[int], stopped: set[int]) -> str:
    text = f"{max(finished)} calls" if finished else "not known"
    return f"{text} (limit met at {min(stopped)})" if stopped else text


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
            claim.case((title, subject), known_tools[title], printed[title], NOTHING_RUN)
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
