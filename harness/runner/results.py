"""Facts from a sandbox, as the model's nouns."""

from __future__ import annotations

from harness.model.outcome import KillReason, MutantResult, Phase, Verdict
from harness.runner.zygotes import Facts
from harness.store.facts import KillRow, ProbeRow


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
    """A mutant's row of the kill matrix of `inputs` inputs, as far as each was run; None where some were left out."""
    if "bits" not in facts:
        return None
    if facts["phase"] == Phase.LOAD.value:
        return KillRow.full(facts["id"], inputs)  # it is no program that any input could be run on
    bits = bytes.fromhex(facts["bits"])
    return KillRow(facts["id"], facts["inputs_run"], bits) if len(bits) == (facts["inputs_run"] + 7) // 8 else None


def probe_row_of(facts: Facts) -> ProbeRow | None:
    """The inputs that reach and infect a mutant, where rows are wanted, it was probed, and it loads."""
    if "reached_bits" not in facts or facts["phase"] == Phase.LOAD.value:
        return None
    return ProbeRow(facts["id"], bytes.fromhex(facts["reached_bits"]), bytes.fromhex(facts["infected_bits"]))
