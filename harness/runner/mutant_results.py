"""Facts from a sandbox, as the model's nouns."""

from __future__ import annotations

from harness.kernel.running.job import HarnessFault, MutantFacts
from harness.model.outcome import MutantResult, Phase, Verdict
from harness.runner.probed_facts import ProbedFacts
from harness.store.facts import KillRow, ProbeRow


def result_of(facts: ProbedFacts | HarnessFault) -> MutantResult:
    """Return a mutant's result; a fault of the harness is INCONCLUSIVE, never a kill or a pass."""
    if isinstance(facts, HarnessFault):
        return MutantResult(facts.id, Verdict.INCONCLUSIVE, 0, None, detail=facts.fault)
    return MutantResult(
        mutant=facts.id,
        verdict=Verdict.SURVIVED if facts.reason is None else Verdict.KILLED,
        inputs_run=facts.inputs_run,
        steps=facts.steps,
        reason=facts.reason,
        phase=facts.phase,
        input=facts.input,
        detail=f"{facts.input_text}: {facts.detail}" if facts.input_text else facts.detail,
        executed=facts.executed,
        reached=facts.reached,
        infected=facts.infected,
    )


def kill_row_of(facts: MutantFacts | HarnessFault, inputs: int) -> KillRow | None:
    """Return a mutant's row of the kill matrix up to the last input run, of `inputs`; None if some were left out."""
    if isinstance(facts, HarnessFault) or facts.bits is None:
        return None
    if facts.phase is Phase.LOAD:
        return KillRow.full(facts.id, inputs)  # it is no program that any input could be run on
    is_whole = len(facts.bits) == (facts.inputs_run + 7) // 8
    return KillRow(facts.id, facts.inputs_run, facts.bits) if is_whole else None


def probe_row_of(facts: ProbedFacts | HarnessFault) -> ProbeRow | None:
    """Return the inputs that reach and infect a mutant; None without rows, without probes, or if it does not load."""
    if isinstance(facts, HarnessFault) or facts.phase is Phase.LOAD:
        return None
    reached, infected = facts.reached_bits, facts.infected_bits
    return None if reached is None or infected is None else ProbeRow(facts.id, reached, infected)
