"""Facts from a sandbox, as the model's nouns."""

from __future__ import annotations

from harness.model.outcome import KillReason, MutantResult, Phase, Verdict
from harness.runner.pool import Facts
from harness.store.facts import KillRow


def result_of(facts: Facts) -> MutantResult:
    """A mutant's result; a fault of the harness is INCONCLUSIVE, never a kill or a pass."""
    if "fault" in facts:
        return MutantResult(facts["id"], Verdict.INCONCLUSIVE, 0, None, detail=facts["fault"])
    reason = facts["reason"]
    detail = f"{facts['shown']}: {facts['detail']}" if facts.get("shown") else facts["detail"]
    return MutantResult(
        mutant=facts["id"],
        verdict=Verdict.SURVIVED if reason is None else Verdict.KILLED,
        inputs_run=facts["inputs_run"],
        steps=facts["steps"],
        reason=None if reason is None else KillReason(reason),
        phase=None if reason is None else Phase(facts["phase"]),
        input=facts["input"],
        detail=detail,
        executed=facts["executed"],
        reached=facts.get("reached"),
        infected=facts.get("infected"),
    )


def kill_row_of(facts: Facts, inputs: int) -> KillRow | None:
    """A mutant's row of the kill matrix, if every input was run."""
    if "bits" not in facts or facts.get("inputs_run") != inputs:
        return None
    return KillRow(facts["id"], inputs, bytes.fromhex(facts["bits"]))
