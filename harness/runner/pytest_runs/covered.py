"""Code coverage of a pytest suite: covers every function of its target, with lines and branches by coverage.py."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from time import perf_counter

from harness.measuring.lines import own_lines
from harness.mutation.program import all_definitions
from harness.pytest_suites.job import FUNCTIONS, CoverageOrder
from harness.pytest_suites.reports import CoverageReport, EarlyEnd, Report
from harness.store.facts import CoverageKind, FunctionCoverage


def function_lines(source: str) -> dict[str, frozenset[int]]:
    """Return the lines of every function of a module by qualified name, as `own_lines` finds them.

    Definitions of one name, such as a property's getter and setter, are one function.

    Raises:
        SourceError: the source does not parse.
    """
    lines_by_name: dict[str, frozenset[int]] = {}
    for program, names in all_definitions(source):
        nodes = {name: program.functions[name].node for name in sorted(names)}
        spans = {name: (node.lineno, node.end_lineno or node.lineno) for name, node in nodes.items()}
        for name, lines in own_lines(source, spans).items():
            lines_by_name[name] = lines_by_name.get(name, frozenset()) | lines
    return lines_by_name


def suite_coverage(
    ask: Callable[[CoverageOrder], Report], source: str, folder: Path, order: CoverageOrder
) -> tuple[list[FunctionCoverage], float] | str:
    """Return counts by function and the seconds of measuring them. If a test ends its process when measured, return a
    text that names it instead.

    Args:
        ask: returns the report of an order from a process that has not collected the suite.
        source: the text of the target.
        folder: the folder of the job.

    Raises:
        MutascopeError: the suite cannot be collected.
    """
    lines = function_lines(source)
    (folder / FUNCTIONS).write_text(json.dumps({name: sorted(own) for name, own in lines.items()}), encoding="utf-8")
    began = perf_counter()
    report = ask(order)
    if isinstance(report, EarlyEnd):
        return f"{report.test} ends its process ({report.how})"
    assert isinstance(report, CoverageReport)
    counts = [FunctionCoverage(CoverageKind.CODE, name, report.counts[name]) for name in lines]
    return counts, perf_counter() - began
