"""Runs the original on a suite of sequences: whole, or the last call of each on the state that the others led to."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable
from types import ModuleType

from harness.errors import BaselineError
from harness.kernel.inputs.restoring import NotRestorable
from harness.kernel.inputs.suites import SuiteReader
from harness.kernel.inputs.written_calls import show_sequence
from harness.kernel.judging.alike_states import state_key
from harness.kernel.judging.baseline import Baseline, trace_of
from harness.kernel.judging.beginnings import NOTHING, Beginnings, Known
from harness.kernel.judging.oracle import UNLIMITED, Oracle, OriginalFailure
from harness.kernel.judging.prefix_states import PrefixStates, with_steps
from harness.kernel.judging.prepared_sequences import (
    PreparedSequence,
    SequenceProgram,
    SnapshotProgram,
)
from harness.kernel.program.recursion import limit_recursion
from harness.model.sequence import SequenceScope


class _Refused(Exception):
    """Raised for a call that the suite may not hold."""


def _is_power_of_two(count: int) -> bool:
    return count > 0 and count & (count - 1) == 0


def _repeated(beginnings: Beginnings, number: int, sequence: PreparedSequence) -> Known:
    """Repeat like `beginnings.repeat`, one function more above the program: as far as an observed call."""
    return beginnings.repeat(number, sequence)


def run_original_sequences(  # noqa: C901, PLR0913 (one frame above the program)
    original: ModuleType,
    bounds: SequenceScope,
    suite: SuiteReader,
    oracle: Oracle,
    numbers: Iterable[int],
    baseline: Baseline,
    started: Callable[[int], None],
    load: Callable[[], ModuleType] | None,
    beginnings: Beginnings | None = None,
) -> None:
    """Run the original on the inputs `numbers` and add its outcomes to `baseline`; report each input that it starts.

    Args:
        load: loads the original once more, to make the states before last calls, which alone are observed; None: all
            calls of an input are observed.
        beginnings: remembers calls that need not be observed again; None: all are.

    Raises:
        BaselineError: a precondition does not hold, a call takes a result that no earlier call gave, or a post-state
            does not satisfy rep_ok or cannot be checked. This also holds if the state before a last call cannot be made
            again, or differs when it is. The message shows the first such input.
    """
    limit_recursion()  # from here: `run_mutant` is as far above the program, and RecursionError comes at equal steps
    clock = time.perf_counter
    counter = oracle.counter

    is_apart = True
    keys: dict[int, bytes] = {}

    def check(sequence: PreparedSequence) -> None:
        nonlocal is_apart
        if len(sequence.results) == len(sequence.calls) - 1 and (state := suite.input(number)[0]) not in keys:
            keys[state] = state_key(sequence.results, original)
        at = f"call {len(sequence.results) + 1} of {len(sequence.calls)}"
        try:
            holds = sequence.holds()
        except LookupError as error:
            raise _Refused(f"{at} takes a result that there is not ({error})") from None
        is_apart = is_apart and not counter.spent_by_others()
        oracle.check_answer(holds)
        if not holds:
            raise _Refused(f"the precondition of {at} does not hold")

    def input_text(number: int) -> str:
        return f"input {number}, {show_sequence(bounds, suite.sequence(number))}"

    counter.start(UNLIMITED)
    whole = SequenceProgram(original, bounds, suite)
    states = None if load is None else PrefixStates(load, bounds, suite, check)
    last_calls = None if states is None else SnapshotProgram(original, bounds, suite, states.before)
    for count, number in enumerate(numbers):
        started(number)
        counter.start(UNLIMITED)
        start = clock()
        before = b""
        try:
            if states is None or last_calls is None or load is None:
                prepared = whole.prepare(number)
            else:
                before = states.before(number)
                if _is_power_of_two(count) and before != PrefixStates(load, bounds, suite, check).before(number):
                    raise BaselineError(
                        f"{input_text(number)}: the state before its last call is another one where other sequences "
                        "ran before, so the program keeps a state between sequences; have its constructor reset it"
                    )
                counter.start(UNLIMITED)
                prepared = last_calls.prepare(number)
                before = with_steps(counter.spent(), before)
            prepared.before_each = check
            prefix = NOTHING if beginnings is None else _repeated(beginnings, number, prepared)
            observed = oracle.observe(prepared, prefix.did or ())
        except _Refused as refusal:
            raise BaselineError(
                f"{input_text(number)}: {refusal}; the suite was made with another spec, generate it again"
            ) from None
        except NotRestorable as error:
            raise BaselineError(
                f"{input_text(number)}: the state before its last call cannot be put before a mutant: {error}; run "
                "sequences on-mutant (--sequences on-mutant)"
            ) from None
        if isinstance(observed, OriginalFailure):
            raise BaselineError(
                f"the original fails on {input_text(number)}: {observed.detail}; correct the implementation or the spec"
            )
        if beginnings is not None and oracle.is_apart and beginnings.is_closed:
            observed = observed._replace(key=keys.get(suite.input(number)[0], b""))
        if beginnings is not None and is_apart and oracle.is_apart and beginnings.is_new(number):
            trace = (*(prefix.did or ()), *trace_of(observed.before or b"")[prefix.calls :])
            steps = sum(call.steps for call in trace)
            beginnings.learn(number, Known(len(trace), steps, steps, trace))
        baseline.add(observed if states is None else observed._replace(before=before), clock() - start)
