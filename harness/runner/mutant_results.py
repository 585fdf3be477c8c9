"""Facts of a mutant from a sandbox, joined over stages, and as the model's nouns."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import TypeVar

from harness.errors import InstrumentError
from harness.kernel.running.job import HarnessFault, MutantFacts
from harness.model.outcome import MutantResult, Phase, Verdict
from harness.model.pytest_suite import Evidence
from harness.runner.progress import progress_bar
from harness.store.facts import KillRow, ProbeRow
from harness.store.run_store import RunStore

N = TypeVar("N", int, float)


@dataclass(frozen=True, kw_only=True)
class ProbedFacts(MutantFacts):
    """The facts of a mutant on the inputs so far.

    Attributes:
        reached: on how many inputs the original reaches the mutated place; None where nobody asked on all of them.
        infected: on how many of them the mutated expression's value may differ.
        reached_bits: the row of these inputs, where rows are wanted.
        infected_bits: the same of infected ones.
    """

    reached: int | None = None
    infected: int | None = None
    reached_bits: bytes | None = None
    infected_bits: bytes | None = None

    def joined(self, later: ProbedFacts) -> ProbedFacts:
        """Add the facts on later inputs, of which the row may be lost; the first kill counts."""
        both = replace(
            later,
            inputs_run=self.inputs_run + later.inputs_run,
            executed=self.executed + later.executed,
            steps=_sum(self.steps, later.steps),
            seconds=_sum(self.seconds, later.seconds),
            reached=_sum(self.reached, later.reached),
            infected=_sum(self.infected, later.infected),
            bits=_behind(self.bits, later.bits),
            reached_bits=_behind(self.reached_bits, later.reached_bits),
            infected_bits=_behind(self.infected_bits, later.infected_bits),
        )
        if self.reason is None:
            return both
        return replace(
            both, reason=self.reason, phase=self.phase, detail=self.detail, input=self.input, input_text=self.input_text
        )


def _sum(first: N | None, later: N | None) -> N | None:
    return None if first is None or later is None else first + later


def _behind(first: bytes | None, later: bytes | None) -> bytes | None:
    return None if first is None or later is None else first + later


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


@dataclass(frozen=True)
class Finding:
    """What a run has found about one mutant, as `Results.add` stores it."""

    result: MutantResult
    kill_row: KillRow | None = None
    probe_row: ProbeRow | None = None
    seconds: float | None = None
    evidence: Evidence | None = None


def store_findings(store: RunStore, key: str, name: str, findings: Iterable[Finding], mutants: int, done: int) -> None:
    """Store each finding as it comes, and show how many of so many mutants are done.

    Args:
        name: of the trial, in messages.

    Raises:
        InstrumentError: some mutants could not be run.
    """
    faults: list[str] = []
    with progress_bar(name, mutants, done) as advance:
        for finding in findings:
            store.results.add(key, **vars(finding))
            if finding.result.verdict is Verdict.INCONCLUSIVE:
                faults.append(f"{finding.result.mutant}: {finding.result.detail}")
            advance()
    if faults:
        raise InstrumentError(
            f"{name}: {len(faults)} mutants could not be run ({faults[0]}); nothing is scored before they are: see "
            "run.log and run the same command again"
        )


def finding_of(facts: ProbedFacts | HarnessFault, inputs: int) -> Finding:
    """Return the facts of a mutant on a suite of so many inputs as they are stored."""
    return Finding(result_of(facts), kill_row_of(facts, inputs), probe_row_of(facts), facts.seconds)


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
