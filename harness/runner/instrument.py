"""The proof of the instrument, made in every run before a mutant is believed (law 3)."""

from __future__ import annotations

from collections.abc import Container, Iterable, Sequence

from harness.errors import BaselineError, InstrumentError
from harness.kernel.inputs.suites import Call
from harness.kernel.program.loader import SELECTOR
from harness.kernel.running.job import HarnessFault, MutantFacts, MutantOrder
from harness.model.interface import Interface
from harness.model.outcome import KillReason
from harness.model.routines import Routine, RoutineKind
from harness.runner.zygotes import TrialExecutor, mutant_facts
from harness.store.facts import InstrumentProof

NO_OP = "no-op"
PLANTED = "planted"
PLANTED_NUMBER = -1
"""The planted mutant's number in a metamutant; real ones count from 1."""

_FAULT = "__mutascope_planted__"


def with_planted_fault(source: str, interface: Interface, guarded: bool, driven: Sequence[str] = ()) -> str:
    """Return the source with all routines that inputs call, except constructors, replaced by a function that raises.

    Args:
        guarded: whether they are replaced only in mutant PLANTED_NUMBER.
        driven: functions that are replaced instead, if inputs call a driver.
    """
    lines = [f"def {_FAULT}(*_arguments, **_keywords):", "    raise AssertionError('planted')"]
    called = (*(f"{interface.root}.{method}" for method in interface.methods), *interface.functions)
    for name in driven or called:
        lines.append(f"{name} = {_FAULT}")
    if guarded:
        lines = [f"if {SELECTOR} == {PLANTED_NUMBER}:", *(f"    {line}" for line in lines)]
    return source.rstrip("\n") + "\n\n" + "\n".join(lines) + "\n"


def control_orders(
    source: str,
    interface: Interface,
    metamutant: bool,
    slices: Sequence[tuple[int, int]],
    baseline: str,
    driven: Sequence[str] = (),
) -> list[MutantOrder]:
    """Return the orders of the control mutants: the planted one, and the no-op mutant in slices. Each slice is
    run backwards, so that state kept between inputs is detected.
    """
    planted = None if metamutant else with_planted_fault(source, interface, False, driven)
    no_op = None if metamutant else source
    numbers = {NO_OP: 0, PLANTED: PLANTED_NUMBER} if metamutant else {NO_OP: None, PLANTED: None}
    whole = slices[-1][1]
    return [
        MutantOrder(PLANTED, baseline, 0, whole, source=planted, number=numbers[PLANTED]),
        *(
            MutantOrder(NO_OP, baseline, first, last, source=no_op, number=numbers[NO_OP], backwards=True)
            for first, last in slices
        ),
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
    orders: list[MutantOrder],
    original_steps: int,
    reasons: Container[KillReason] = (KillReason.EXCEPTION,),
    files: str = "the implementation or the spec",
    lost: str = "",
) -> InstrumentProof:
    """Run the controls as mutants are run.

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
    for facts in mutant_facts(executor, orders):
        if isinstance(facts, HarnessFault):
            raise InstrumentError(f"the {facts.id} mutant could not be run: {facts.fault}; see run.log")
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


def _not_deterministic(difference: str, files: str, lost: str) -> BaselineError:
    keeps = f"what {lost} keeps between inputs cannot be put back; " if lost else ""
    return BaselineError(
        f"the subject is not deterministic: run again in reverse order, the unchanged program did otherwise "
        f"({difference}); {keeps}remove randomness, clocks, object addresses and state kept between calls from {files}"
    )
