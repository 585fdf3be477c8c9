"""The proof of the instrument, made in every run before a mutant is believed (law 3)."""

from __future__ import annotations

from harness.errors import BaselineError, InstrumentError
from harness.kernel.job import MutantOrder
from harness.kernel.loader import SELECTOR
from harness.model.finitization import CallKind, Finitization
from harness.model.outcome import KillReason, Phase
from harness.runner.pool import Facts, Pool
from harness.store.facts import InstrumentProof

NO_OP = "no-op"
PLANTED = "planted"
PLANTED_NUMBER = -1
"""The planted mutant's number in a metamutant; real ones count from 1."""

_FAULT = "__mutascope_planted__"


def with_planted_fault(source: str, finitization: Finitization, guarded: bool) -> str:
    """The source with every target replaced by a function that raises; `guarded`: only as mutant PLANTED_NUMBER."""
    root = finitization.domains[0].class_name
    lines = [f"def {_FAULT}(*_arguments, **_keywords):", "    raise AssertionError('planted')"]
    for target in finitization.targets:
        name = target.name if target.kind is CallKind.FUNCTION else f"{root}.{target.name}"
        lines.append(f"{name} = {_FAULT}")
    if guarded:
        lines = [f"if {SELECTOR} == {PLANTED_NUMBER}:", *(f"    {line}" for line in lines)]
    return source.rstrip("\n") + "\n\n" + "\n".join(lines) + "\n"


def control_orders(source: str, finitization: Finitization, metamutant: bool) -> list[MutantOrder]:
    """The no-op mutant, run backwards so that state kept between inputs shows, and the planted mutant."""
    if metamutant:
        return [MutantOrder(NO_OP, number=0, backwards=True), MutantOrder(PLANTED, number=PLANTED_NUMBER)]
    return [
        MutantOrder(NO_OP, source=source, backwards=True),
        MutantOrder(PLANTED, source=with_planted_fault(source, finitization, guarded=False)),
    ]


def prove(pool: Pool, orders: list[MutantOrder], baseline: Facts) -> InstrumentProof:
    """Runs the controls as mutants are run.

    Raises:
        BaselineError: the no-op mutant is told from the original: the subject is not deterministic.
        InstrumentError: the planted mutant survives, or a control could not be run.
    """
    found = {facts["id"]: facts for facts in pool.run(orders)}
    no_op, planted = found[NO_OP], found[PLANTED]
    for control in (no_op, planted):
        if "fault" in control:
            raise InstrumentError(f"the {control['id']} mutant could not be run: {control['fault']}; see run.log")
    if no_op["reason"] is not None or no_op["steps"] != baseline["steps"]:
        what = (
            f"input {no_op['input']}, {no_op['shown']}: {no_op['detail']}"
            if no_op.get("shown")
            else f"{baseline['steps']} steps at first, {no_op['steps']} then"
        )
        raise BaselineError(
            f"the subject is not deterministic: run again in reverse order, the unchanged program did otherwise ({what}); "
            "remove randomness, clocks, object addresses and state kept between calls from the implementation or the spec"
        )
    if planted["reason"] != KillReason.EXCEPTION.value:
        raise InstrumentError(
            f"a planted mutant that always raises was not killed by its exception (reason: {planted['reason']}); "
            "mutants are not really loaded, so no result of this run could be believed"
        )
    return InstrumentProof(
        original_inputs=baseline["inputs"],
        planted_reason=KillReason(planted["reason"]),
        planted_phase=Phase(planted["phase"]),
        no_op_inputs=no_op["inputs_run"],
        no_op_steps=no_op["steps"],
    )
