"""Converts the facts that fork servers report about mutants to the classes of the model."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from typing import Any

from harness.model.outcome import MutantResult, Phase, Verdict
from harness.model.pytest_suite import Evidence
from harness.model.subject import Subject
from harness.pytest_suites.mutant_facts import MutantFacts
from harness.store.facts import KillRow, ProbeRow

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
