"""What warmed processes tell of mutants, as the model's nouns."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from harness.model.outcome import KillReason, MutantResult, Phase, Verdict
from harness.model.own_suite import Evidence
from harness.store.facts import KillRow, ProbeRow

NOT_REACHED = "no test reaches it"
_LOADING = Phase.LOAD.value


def result_of(facts: Mapping[str, Any], numbers: Mapping[str, int], reached: int, matrix: bool) -> MutantResult:
    """A mutant's result; a fault, and a verdict without evidence, is INCONCLUSIVE.

    Args:
        numbers: of tests by node id.
        reached: how many tests reach the mutant on the original.
    """
    fault = facts.get("fault") or _unproven(facts)
    if fault:
        return MutantResult(facts["id"], Verdict.INCONCLUSIVE, 0, None, detail=fault)
    loading = facts.get("phase") == _LOADING
    killed = "reason" in facts
    kills = [numbers[node] for node in facts["kills"] if node in numbers]
    inputs_run = len(numbers) if matrix or not killed else facts["executed"]
    return MutantResult(
        mutant=facts["id"],
        verdict=Verdict.KILLED if killed else Verdict.SURVIVED,
        inputs_run=inputs_run,
        steps=facts["steps"],
        reason=KillReason(facts["reason"]) if killed else None,
        phase=(Phase.LOAD if loading else Phase.CALL) if killed else None,
        input=min(kills) if kills else None,
        detail=str(facts["detail"]) if killed else "",
        executed=facts["executed"],
        reached=reached,
    )


def unreached(mutant: str, tests: int) -> MutantResult:
    """Of a mutant that no test reaches: a survivor on which nothing was executed, and which says so."""
    return MutantResult(mutant, Verdict.SURVIVED, tests, 0, detail=NOT_REACHED, executed=0, reached=0)


def evidence_of(facts: Mapping[str, Any]) -> Evidence:
    """How often a mutant's module was loaded, and its own code executed."""
    dead = facts["steps"] is None
    return Evidence(facts["id"], facts["loaded"], None if dead else facts["entered"])


def rows_of(mutant: str, kills: Iterable[int], tests: int, reached: Iterable[int]) -> tuple[KillRow, ProbeRow]:
    """A mutant's row of the kill matrix, and the tests that reach it; all may be infected of those."""
    probes = KillRow.of_kills(mutant, tests, reached).bits
    return KillRow.of_kills(mutant, tests, kills), ProbeRow(mutant, probes, probes)


def _unproven(facts: Mapping[str, Any]) -> str:
    """Why no verdict stands on these facts; empty if one does."""
    if facts["steps"] is None or facts["entered"]:
        return ""
    return "its code was not executed in the tests that reach it on the original: they do not always do the same"
