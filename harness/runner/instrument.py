"""The proofs of the instrument and of the oracle, made in every run before a mutant is believed (law 3).

The instrument is proven by a mutant that changes nothing, and one that always raises; the oracle by planted mutants
that change only the result or the state. An oracle is refused if it does not distinguish a foreign state from the
original's. An abstraction is refused if it distinguishes neither the state before a call nor another call's state from
the state after it, where their structures differ. A difference that no input of the suite can show is not proven, and
run.log says so.
"""

from __future__ import annotations

from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from harness.errors import BaselineError, InstrumentError, SpecError
from harness.kernel.inputs.suites import Call
from harness.kernel.program.loader import SELECTOR
from harness.kernel.running.job import HarnessFault, MutantFacts, MutantOrder
from harness.kernel.running.planted import ControlBehaviour, StateChanged
from harness.model.interface import Interface
from harness.model.outcome import KillReason, Phase, Proof
from harness.model.routines import Routine, RoutineKind
from harness.runner.zygotes import TrialExecutor, mutant_facts
from harness.store.facts import InstrumentProof

NO_OP = "no-op"
PLANTED = "planted"
"""The mutant that always raises."""

_NUMBERS: Mapping[str, int] = {
    NO_OP: 0,
    PLANTED: -1,
    **{kind.value: -2 - place for place, kind in enumerate(ControlBehaviour)},
}
"""The numbers of control mutants in a metamutant; real ones count from 1."""

_FAULT = "__mutascope_planted__"
_PLANT = "__mutascope_plant__"


@dataclass(frozen=True)
class Controls:
    """The parts that the control mutants of a trial are made of, and the place where they run.

    Attributes:
        spec: its path, for messages.
        source: of the original.
        slices: of the inputs.
        baseline: its folder.
        in_metamutant: whether the executor has loaded a metamutant, which has all of them.
        driven: functions that are replaced by one that raises if inputs call a driver.
    """

    spec: str
    interface: Interface
    source: str
    slices: Sequence[tuple[int, int]]
    baseline: str
    in_metamutant: bool = False
    driven: Sequence[str] = ()

    @property
    def inputs(self) -> int:
        """The number of inputs."""
        return self.slices[-1][1]

    def order(self, name: str, first: int = 0, last: int | None = None, backwards: bool = False) -> MutantOrder:
        """Return the order of a control mutant, on all inputs by default."""
        last = self.inputs if last is None else last
        if self.in_metamutant:
            return MutantOrder(name, self.baseline, first, last, number=_NUMBERS[name], backwards=backwards)
        return MutantOrder(name, self.baseline, first, last, source=self._text(name), backwards=backwards)

    def _text(self, name: str) -> str:
        if name == NO_OP:
            return self.source
        if name == PLANTED:
            return with_planted_fault(self.source, self.interface, self.driven)
        return _with_lines(self.source, _planting(ControlBehaviour(name), self.interface))


def with_planted_fault(source: str, interface: Interface, driven: Sequence[str] = ()) -> str:
    """Return the source with all routines that inputs call, except constructors, replaced by a function that raises.

    Args:
        driven: functions that are replaced instead, if inputs call a driver.
    """
    return _with_lines(source, _raising(interface, driven))


def with_controls(source: str, interface: Interface, driven: Sequence[str] = ()) -> str:
    """Return a metamutant's source with the control mutants added, each guarded by its number."""
    plants = {PLANTED: _raising(interface, driven)}
    plants |= {kind.value: _planting(kind, interface) for kind in ControlBehaviour}
    lines: list[str] = []
    for name, plant in plants.items():
        lines += [f"if {SELECTOR} == {_NUMBERS[name]}:", *(f"    {line}" for line in plant)]
    return _with_lines(source, lines)


def _with_lines(source: str, lines: Sequence[str]) -> str:
    return "\n".join([source.rstrip("\n"), "", *lines, ""])


def _raising(interface: Interface, driven: Sequence[str]) -> list[str]:
    called = (*(f"{interface.root}.{method}" for method in interface.methods), *interface.functions)
    lines = [f"def {_FAULT}(*_arguments, **_keywords):", "    raise AssertionError('planted')"]
    return lines + [f"{name} = {_FAULT}" for name in driven or called]


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


def check_calls(calls: Iterable[Call], routines: Sequence[Routine]) -> None:
    """Check that inputs call a routine that the planted mutant replaces.

    Raises:
        BaselineError: all calls of all inputs are of constructors.
    """
    if all(routines[call.target].kind is RoutineKind.CONSTRUCTOR for call in calls):
        raise BaselineError(
            "the inputs only call constructors; a run shows by other calls that mutants are loaded, so add an input "
            "with a call of a method or function"
        )


def prove(
    executor: TrialExecutor,
    controls: Controls,
    original_steps: int,
    reasons: Container[KillReason] = (KillReason.EXCEPTION,),
    files: str = "the implementation or the spec",
    lost: str = "",
) -> InstrumentProof:
    """Run the mutant that raises, and the one that changes nothing in slices, as mutants are run.

    Args:
        reasons: the kill reasons that are right for a mutant that always raises.
        files: what is to be corrected if the subject is not deterministic.
        lost: the place of the original that keeps something which cannot be put back, if there is one.

    Raises:
        BaselineError: the no-op mutant is killed, so the subject is not deterministic.
        InstrumentError: the planted mutant survives, or a control could not be run.
    """
    planted: MutantFacts | None = None
    inputs = steps = 0
    # Each slice is run backwards, so that state kept between inputs is detected.
    no_ops = (controls.order(NO_OP, first, last, backwards=True) for first, last in controls.slices)
    for facts in _facts(executor, [controls.order(PLANTED), *no_ops]):
        if facts.id == PLANTED:
            planted = facts
            continue
        if facts.reason is not None:
            raise _not_deterministic(f"input {facts.input}, {facts.input_text}: {facts.detail}", files, lost)
        inputs += facts.inputs_run
        steps += facts.steps or 0
    if steps != original_steps:
        raise _not_deterministic(f"{original_steps} steps at first, {steps} then", files, lost)
    assert planted is not None
    if planted.reason is None or planted.phase is None or planted.reason not in reasons:
        reason = planted.reason and planted.reason.value
        raise InstrumentError(
            f"a planted mutant that always raises was not killed by its exception (reason: {reason}); "
            "mutants are not really loaded, so no result of this run could be believed"
        )
    return InstrumentProof(
        original_inputs=inputs,
        planted_reason=planted.reason,
        planted_phase=planted.phase,
        no_op_inputs=inputs,
        no_op_steps=steps,
    )


def _facts(executor: TrialExecutor, orders: Sequence[MutantOrder]) -> Iterator[MutantFacts]:
    for facts in mutant_facts(executor, orders):
        if isinstance(facts, HarnessFault):
            raise InstrumentError(f"the {facts.id} mutant could not be run: {facts.fault}; see run.log")
        yield facts


def _not_deterministic(difference: str, files: str, lost: str) -> BaselineError:
    keeps = f"what {lost} keeps between inputs cannot be put back; " if lost else ""
    return BaselineError(
        f"the subject is not deterministic: run again in reverse order, the unchanged program did otherwise "
        f"({difference}); {keeps}remove randomness, clocks, object addresses and state kept between calls from {files}"
    )


def prove_oracle(proof: Proof, executor: TrialExecutor, controls: Controls, raised: int) -> str:
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


def _prove_results(controls: Controls, planted: MutantFacts, raised: int) -> str:
    if raised >= controls.inputs:
        return "as every input raises, results are not proven"
    if planted.reason is None:
        raise InstrumentError(
            "a planted mutant that returns something else survives: results are not compared, so no result of this "
            "run could be believed"
        )
    return "another result is told"


def _prove_equality(executor: TrialExecutor, controls: Controls, first_state: MutantFacts) -> str:
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
    executor: TrialExecutor, controls: Controls, kinds: Iterable[ControlBehaviour]
) -> dict[ControlBehaviour, MutantFacts]:
    facts_by_kind: dict[ControlBehaviour, MutantFacts] = {}
    for facts in _facts(executor, [controls.order(kind.value) for kind in kinds]):
        if facts.phase is Phase.LOAD:
            raise InstrumentError(f"the {facts.id} mutant does not load: {facts.detail}")
        facts_by_kind[ControlBehaviour(facts.id)] = facts
    return facts_by_kind
