"""Facts that fork servers report, as classes of the model: of mutants, and the coverage of a suite."""

from __future__ import annotations

import json
from collections.abc import Callable, Collection, Iterable, Mapping
from pathlib import Path
from time import perf_counter
from typing import Any

from harness.measuring.lines import own_lines
from harness.model.outcome import MutantResult, Phase, Verdict
from harness.model.pytest_suite import Evidence
from harness.model.subject import Subject
from harness.mutation.program import all_definitions
from harness.pytest_suites.job import FUNCTIONS, CoverageOrder
from harness.pytest_suites.reports import CoverageReport, EarlyEnd, MutantFacts, Report
from harness.store.facts import CoverageKind, FunctionCoverage, KillRow, ProbeRow

NOT_REACHED = "no test reaches it"


def fields_of(subject: Subject, steps: Mapping[str, int], excluded: Collection[str]) -> dict[str, Any]:
    """Return the fields of a trial that its target and its suite give, except for those that identify it.

    Args:
        steps: of the original in each test, by node id.
        excluded: node ids of the tests that are left out.
    """
    by_file: dict[str, int] = {}
    for node in steps:
        file = node.partition("::")[0]
        by_file[file] = by_file.get(file, 0) + 1
    return {
        "title": subject.title,
        "source_hash": subject.source_hash,
        "inputs": len(steps),
        "states": len(steps),
        "explored": len(steps) + len(excluded),
        "inputs_by_target": by_file,
        "original_steps": sum(steps.values()),
    }


def result_of(
    mutant: str, facts: MutantFacts | str, numbers: Mapping[str, int], reached: int, matrix: bool
) -> MutantResult:
    """Return a mutant's result; a fault, and a verdict without evidence, is INCONCLUSIVE.

    Args:
        facts: facts of the mutant, or the text of a fault.
        numbers: the tests' numbers by node id.
        reached: the number of tests that reach the mutant on the original.
    """
    fault = facts if isinstance(facts, str) else _unproven(facts)
    if isinstance(facts, str) or fault:
        return MutantResult(mutant, Verdict.INCONCLUSIVE, 0, None, detail=fault)
    first = facts.first
    return MutantResult(
        mutant=mutant,
        verdict=Verdict.SURVIVED if first is None else Verdict.KILLED,
        inputs_run=len(numbers) if matrix or first is None else facts.executed,
        steps=facts.steps,
        reason=first.reason if first else None,
        phase=first.phase if first else None,
        input=min((numbers[node] for node in facts.kills if node in numbers), default=None),
        detail=first.detail if first else "",
        executed=facts.executed,
        reached=reached,
    )


def unreached(mutant: str, tests: int) -> MutantResult:
    """Return the result of a mutant that no test reaches: a survivor on which nothing was executed."""
    return MutantResult(mutant, Verdict.SURVIVED, tests, 0, detail=NOT_REACHED, executed=0, reached=0)


def evidence_of(mutant: str, facts: MutantFacts) -> Evidence:
    """Return how often a mutant's module was loaded, and its own code executed."""
    return Evidence(mutant, facts.loaded, None if facts.steps is None else facts.entered)


def kills_of(facts: MutantFacts, numbers: Mapping[str, int]) -> Collection[int] | None:
    """Return the numbers of the tests that kill a mutant: all if it does not load, None if they are unknown."""
    first = facts.first
    if first is not None and first.phase is Phase.LOAD:
        return range(len(numbers))
    if first is not None and first.killer is None:
        return None
    return [numbers[node] for node in facts.kills if node in numbers]


def rows_of(mutant: str, kills: Iterable[int], tests: int, reached: Iterable[int]) -> tuple[KillRow, ProbeRow]:
    """Return a mutant's row of the kill matrix, and the tests that reach it, all of which may infect it."""
    probes = KillRow.of_kills(mutant, tests, reached).bits
    return KillRow.of_kills(mutant, tests, kills), ProbeRow(mutant, probes, probes)


def _unproven(facts: MutantFacts) -> str:
    """Return the reason why these facts do not prove a verdict; empty if they do."""
    if facts.steps is None or facts.entered:
        return ""
    return "its code was not executed in the tests that reach it on the original: they do not always do the same"


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
