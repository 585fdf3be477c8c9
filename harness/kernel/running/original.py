"""Runs the original on a suite's inputs, and records the outcomes that mutants are compared with."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable

from harness.errors import BaselineError
from harness.kernel.inputs.describe import show_call
from harness.kernel.inputs.suites import SuiteReader
from harness.kernel.judging.baseline import Baseline
from harness.kernel.judging.oracle import Oracle, OriginalFailure
from harness.kernel.judging.prepared import Program
from harness.kernel.program.recursion import limit_recursion

RESTORED_CHECKED = 256
"""The number of inputs in each slice on which a pre-state restored in place is compared with one made afresh."""


def show_input(program: Program, suite: SuiteReader, number: int) -> str:
    """Return input `number` as text, with a fresh pre-state."""
    prepared = program.prepare(number)
    _, call_number = suite.input(number)
    target = suite.header.targets[suite.calls[call_number].target]
    return show_call(prepared.root, target, prepared.arguments)


def run_original(
    program: Program,
    suite: SuiteReader,
    oracle: Oracle,
    numbers: Iterable[int],
    baseline: Baseline,
    started: Callable[[int], None],
) -> None:
    """Run the original on the inputs `numbers` and add its outcomes to `baseline`; report each input that it starts.

    Raises:
        BaselineError: a pre-state does not satisfy rep_ok (or its target's own precondition), a
            post-state of the original does not, or checking it raises; the message shows the first such input.
        InstrumentError: a restored pre-state differs from a fresh one.
    """
    checked = -1
    limit_recursion()  # from here: `run_mutant` is as far above the program, and RecursionError comes at equal steps
    rep_ok = program.spec.rep_ok
    clock = time.perf_counter
    for number in numbers:
        started(number)
        prepared = program.prepare(number)
        if len(baseline) < RESTORED_CHECKED:
            program.check_restored(number, prepared)
        state, _ = suite.input(number)
        requires = prepared.requires
        if requires is not None:
            holds = requires(prepared.root, *prepared.arguments)
        else:
            holds = state == checked or rep_ok(prepared.root)
            checked = state
        oracle.check_answer(holds)
        if not holds:
            broken = "the pre-state does not satisfy rep_ok" if requires is None else "the precondition does not hold"
            raise BaselineError(
                f"input {number}, {show_input(program, suite, number)}: {broken}; "
                "the suite was made with another spec, generate it again"
            )
        start = clock()
        observed = oracle.observe(prepared)
        seconds = clock() - start
        if isinstance(observed, OriginalFailure):
            raise BaselineError(
                f"the original fails on input {number}, {show_input(program, suite, number)}: {observed.detail}; "
                "correct the implementation or the spec"
            )
        baseline.add(observed, seconds)
