"""Runs the original on a suite of sequences: whole, or the last call of each on the state that the others led to."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable
from types import ModuleType

from harness.errors import BaselineError
from harness.kernel.inputs.restoring import NotRestorable
from harness.kernel.inputs.suites import SuiteReader
from harness.kernel.inputs.written_calls import show_sequence
from harness.kernel.judging.baseline import Baseline
from harness.kernel.judging.oracle import UNLIMITED, OriginalFailure
from harness.kernel.judging.prepared_sequences import (
    PrefixStates,
    PreparedSequence,
    SequenceProgram,
    SnapshotProgram,
)
from harness.kernel.judging.sequence_oracle import SequenceOracle
from harness.kernel.program.recursion import limit_recursion
from harness.model.sequence import SequenceScope


class _Refused(Exception):
    """A call is none that the suite may hold."""


def run_original_sequences(
    original: ModuleType,
    bounds: SequenceScope,
    suite: SuiteReader,
    oracle: SequenceOracle,
    numbers: Iterable[int],
    baseline: Baseline,
    started: Callable[[int], None],
    *,
    whole: bool,
) -> None:
    """Runs the original on the inputs `numbers` and adds what it did to `baseline`; tells which input it starts.

    Args:
        whole: all calls of an input are what is observed, not its last one alone.

    Raises:
        BaselineError: a precondition does not hold, a call takes what no earlier call gave, a post-state does not
            satisfy rep_ok, checking it raises, or the state before a last call cannot be made again; the message
            shows the first such input.
    """
    limit_recursion()  # from here: `run_mutant` is as far above the program, and RecursionError comes at equal steps
    clock = time.perf_counter
    start_counting = oracle.counter.start

    def check(sequence: PreparedSequence) -> None:
        at = f"call {len(sequence.results) + 1} of {len(sequence.calls)}"
        try:
            holds = sequence.holds()
        except LookupError as error:
            raise _Refused(f"{at} takes a result that there is not ({error})") from None
        oracle.check_answer(holds)
        if not holds:
            raise _Refused(f"the precondition of {at} does not hold")

    program = SequenceProgram(original, bounds, suite)
    states = PrefixStates(program, original, check)
    last_calls = SnapshotProgram(original, bounds, suite, states.before)
    for number in numbers:
        started(number)
        start_counting(UNLIMITED)
        start = clock()
        prepared: PreparedSequence | None = None
        try:
            prepared = program.prepare(number) if whole else last_calls.prepare(number)
            prepared.before_each = check
            observed = oracle.observe(prepared)
        except _Refused as refusal:
            raise BaselineError(
                f"input {number}, {show_sequence(bounds, suite.sequence(number))}: {refusal}; "
                "the suite was made with another spec, generate it again"
            ) from None
        except NotRestorable as error:
            raise BaselineError(
                f"input {number}, {show_sequence(bounds, suite.sequence(number))}: the state before its last call "
                f"cannot be put before a mutant: {error}; run sequences on-mutant (--sequences on-mutant)"
            ) from None
        if isinstance(observed, OriginalFailure):
            raise BaselineError(
                f"the original fails on input {number}, {show_sequence(bounds, suite.sequence(number))}: "
                f"{observed.detail}; correct the implementation or the spec"
            )
        baseline.add(observed if whole else observed._replace(before=states.before(number)), clock() - start)
