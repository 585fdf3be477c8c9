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
    if reason is None:
        return MutantResult(facts["id"], Verdict.SURVIVED, facts["inputs_run"], facts["steps"])
    detail = f"{facts['shown']}: {facts['detail']}" if facts.get("shown") else facts["detail"]
    return MutantResult(
        facts["id"],
        Verdict.KILLED,
        facts["inputs_run"],
        facts["steps"],
        KillReason(reason),
        Phase(facts["phase"]),
        facts["input"],
        detail,
    )


def kill_row_of(facts: Facts, inputs: int) -> KillRow | None:
    """A mutant's row of the kill matrix, if every input was run."""
    if "bits" not in facts or facts.get("inputs_run") != inputs:
        return None
    return KillRow(facts["id"], inputs, bytes.fromhex(facts["bits"]))
