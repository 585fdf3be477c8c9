"""The proof of the oracle, made in every run: the oracle kills planted mutants that change only the result or the
state.

An oracle is refused if it does not distinguish a foreign state from the original's. An abstraction is refused if it
distinguishes neither the state before a call nor another call's state from the state after it, where their structures
differ. A difference that no input of the suite can show is not proven, and run.log says so.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from harness.errors import InstrumentError, SpecError
from harness.kernel.program.loader import SELECTOR
from harness.kernel.running.job import HarnessFault, MutantFacts, MutantOrder
from harness.kernel.running.planted import ControlBehaviour, StateChanged
from harness.model.interface import Interface
from harness.model.oracles import Proof
from harness.model.outcome import KillReason, Phase
from harness.runner.zygotes import TrialExecutor, mutant_facts

_NUMBERS: Mapping[ControlBehaviour, int] = {kind: -2 - place for place, kind in enumerate(ControlBehaviour)}
"""The planted mutants' numbers in a metamutant; -1 is the planted mutant that raises."""

_PLANT = "__mutascope_plant__"


@dataclass(frozen=True)
class OracleControls:
    """The parts that the planted mutants are made of, and the place where they run.

    `source` is None where all are in the metamutant that the executor has loaded; `baseline` is its folder.
    """

    spec: str
    interface: Interface
    source: str | None
    inputs: int
    baseline: str


def with_oracle_mutants(source: str, interface: Interface) -> str:
    """Return a metamutant's source with the planted mutants added, each guarded by its number."""
    lines = [source.rstrip("\n"), ""]
    for kind, number in _NUMBERS.items():
        lines += [f"if {SELECTOR} == {number}:", *(f"    {line}" for line in _planting(kind, interface))]
    return "\n".join(lines) + "\n"


def prove_oracle(proof: Proof, executor: TrialExecutor, controls: OracleControls, raised: int) -> str:
    """Run the planted mutants that an oracle has to kill, and return in words what is proven.

    Args:
        raised: the number of inputs on which the original raises.

    Raises:
        InstrumentError: a mutant could not be run, or the one with another result survives.
        SpecError: rep_ok and abstraction do not distinguish any two states.
    """
    if proof is Proof.NOTHING:
        return "nothing is to be proven"
    has_state = controls.interface.has_state
    with_states = [ControlBehaviour.FOREIGN_STATE, ControlBehaviour.FIRST_STATE]
    kinds = [ControlBehaviour.RESULT, *(with_states if proof is Proof.STATES and has_state else [])]
    facts = _run(executor, controls, kinds)
    words = [_prove_results(controls, facts[ControlBehaviour.RESULT], raised)]
    if len(kinds) == 1:
        return "; ".join([*words, *["there is no state to change"] * (not has_state)])
    if facts[ControlBehaviour.FOREIGN_STATE].reason is None:
        raise SpecError(
            f"{controls.spec}: a planted mutant that leaves foreign values in all of {controls.interface.root}'s "
            f"fields survives {controls.inputs} inputs, so rep_ok and abstraction read nothing of the state, or no "
            "target takes the object, as class and static methods do not; correct them, or declare such a target by "
            f'f.function("{controls.interface.root}.NAME", ...) of a Finitization() without a root'
        )
    words.append("a foreign state is told")
    words.append(_prove_equality(executor, controls, facts[ControlBehaviour.FIRST_STATE]))
    return "; ".join(words)


def _prove_results(controls: OracleControls, planted: MutantFacts, raised: int) -> str:
    if raised >= controls.inputs:
        return "as every input raises, results are not proven"
    if planted.reason is None:
        raise InstrumentError(
            "a planted mutant that returns something else survives: results are not compared, so no result of this "
            "run could be believed"
        )
    return "another result is told"


def _prove_equality(executor: TrialExecutor, controls: OracleControls, first_state: MutantFacts) -> str:
    """Return in words which other valid state is distinguished.

    The first two inputs with different states decide in almost every suite. Further planted mutants, which may take
    as long as all inputs do, are run only if they do not.
    """
    if _tells_states(first_state):
        return "another input's state is told"
    old_state = _run(executor, controls, [ControlBehaviour.OLD_STATE])[ControlBehaviour.OLD_STATE]
    if _tells_states(old_state):
        return "a state put back is told"
    for facts in (old_state, first_state):
        if facts.reason is not None:
            return f"equality of states is not proven, as a planted mutant dies of {facts.reason.value}"
    changed_state = _run(executor, controls, [ControlBehaviour.CHANGED_STATE])[ControlBehaviour.CHANGED_STATE]
    if not changed_state.detail.endswith(StateChanged.__name__):
        return "as no call changes the state, its equality is not proven"
    raise SpecError(
        f"{controls.spec}: abstraction returns one value for all states: control mutants that put each state back, or "
        f"leave the first input's, survive all {controls.inputs} inputs; have it return another value for another "
        "state, or leave it out"
    )


def _tells_states(facts: MutantFacts) -> bool:
    """Return whether the equality of states killed the mutant; other kills prove nothing about equality."""
    return facts.reason is KillReason.STATE and facts.phase is Phase.EQUALITY


def _run(
    executor: TrialExecutor, controls: OracleControls, kinds: Iterable[ControlBehaviour]
) -> dict[ControlBehaviour, MutantFacts]:
    orders = [
        MutantOrder(
            kind.value,
            controls.baseline,
            0,
            controls.inputs,
            source=None if controls.source is None else _planted_source(controls.source, kind, controls.interface),
            number=_NUMBERS[kind] if controls.source is None else None,
        )
        for kind in kinds
    ]
    facts_by_kind: dict[ControlBehaviour, MutantFacts] = {}
    for facts in mutant_facts(executor, orders):
        if isinstance(facts, HarnessFault):
            raise InstrumentError(f"the planted mutant {facts.id!r} could not be run: {facts.fault}; see run.log")
        if facts.phase is Phase.LOAD:
            raise InstrumentError(f"the planted mutant {facts.id!r} does not load: {facts.detail}")
        facts_by_kind[ControlBehaviour(facts.id)] = facts
    return facts_by_kind


def _planted_source(source: str, kind: ControlBehaviour, interface: Interface) -> str:
    return "\n".join([source.rstrip("\n"), "", *_planting(kind, interface), ""])


def _planting(kind: ControlBehaviour, interface: Interface) -> list[str]:
    """Return lines that plant the mutant into the module; they are appended to it."""
    if kind in (ControlBehaviour.OLD_STATE, ControlBehaviour.FIRST_STATE, ControlBehaviour.CHANGED_STATE):
        # A state that only a target's own precondition admits would be rejected by rep_ok.
        interface = interface.unrestricted
    called = f"{interface.root!r}, {interface.methods!r}, {interface.functions!r}"
    return [
        f"from harness.kernel.running.planted import plant as {_PLANT}",
        f"{_PLANT}({kind.value!r}, globals(), {called})",
    ]
