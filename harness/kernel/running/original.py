"""Runs the original on a suite's inputs, and records the outcomes that mutants are compared with."""

from __future__ import annotations

import time
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable
from types import ModuleType
from typing import Any

from harness.errors import BaselineError
from harness.kernel.inputs.call_source import show_sequence
from harness.kernel.inputs.describe import show_call
from harness.kernel.inputs.suites import NO_STATE, SuiteReader
from harness.kernel.judging.baseline import Baseline, CallExpected, ExpectedOutcome, trace_of
from harness.kernel.judging.oracle import UNLIMITED, Oracle, OriginalFailure
from harness.kernel.judging.prefix_cache import NOTHING, JudgedPrefix, PrefixCache
from harness.kernel.judging.prepared import PreparedInput, PreparedSequence, SequenceProgram, StateInputs
from harness.kernel.judging.propagation import graph_digest
from harness.kernel.program.recursion import limit_recursion


class Refused(Exception):
    """Raised for an input that the suite may not hold; its text says why, and what to do."""


class Original(ABC):
    """Inputs of one kind on the original.

    Its methods run the program as far below them as `Oracle.observe` does, so that RecursionError comes at equal steps.
    """

    @abstractmethod
    def show(self, number: int) -> str:
        """Return input `number` as text."""

    @abstractmethod
    def prepare(self, number: int) -> PreparedInput:
        """Prepare input `number`, to be observed next.

        Raises:
            Refused: what must hold before the input does not.
        """

    def before(self, number: int) -> str:
        """Return in words whether the state before the call of input `number` is valid; nothing if it has none."""
        return ""

    def repeat(self, number: int, prepared: PreparedInput) -> tuple[CallExpected, ...]:
        """Run the first calls of an input that were observed with an earlier one. Return their outcomes."""
        return ()

    def completed(self, number: int, observed: ExpectedOutcome) -> ExpectedOutcome:
        """Return the observation on input `number` with the facts that only this kind of inputs has."""
        return observed


def run_original(
    original: Original,
    oracle: Oracle,
    numbers: Iterable[int],
    baseline: Baseline,
    started: Callable[[int], None],
    files: str,
) -> None:
    """Run the original on the inputs `numbers` and add its outcomes to `baseline`; report each input that it starts.

    Args:
        files: what is to be corrected if it fails.

    Raises:
        BaselineError: an input cannot be a test. Its pre-state does not satisfy rep_ok, or a precondition does not
            hold. Its post-state does not satisfy rep_ok, or cannot be checked. A call takes a result that no earlier
            call gave. The message shows the first such input.
    """
    limit_recursion()  # from here: `run_mutant` is as far above the program, and RecursionError comes at equal steps
    clock = time.perf_counter
    for number in numbers:
        started(number)
        start = clock()
        try:
            prepared = original.prepare(number)
            observed = oracle.observe(prepared, original.repeat(number, prepared))
        except Refused as refusal:
            raise BaselineError(f"input {number}, {original.show(number)}: {refusal}") from None
        if isinstance(observed, OriginalFailure):
            place = f"input {number}, {original.show(number)}"
            raise BaselineError(
                f"the original fails on {place}{original.before(number)}: {observed.detail}; correct {files}"
            )
        baseline.add(original.completed(number, observed), clock() - start)
    baseline.untold.update(oracle.untold)


def show_input(program: StateInputs, suite: SuiteReader, number: int) -> str:
    """Return input `number` as text, with a fresh pre-state."""
    prepared = program.prepare(number)
    _, call_number = suite.input(number)
    target = suite.header.targets[suite.calls[call_number].target]
    return show_call(prepared.root, target, prepared.arguments)


class OriginalStates(Original):
    """States with one call each: rep_ok holds before, and the call's own precondition."""

    def __init__(self, program: StateInputs, suite: SuiteReader, oracle: Oracle) -> None:
        self._program = program
        self._suite = suite
        self._oracle = oracle
        self._valid_state = NO_STATE

    def show(self, number: int) -> str:
        return show_input(self._program, self._suite, number)

    def prepare(self, number: int) -> PreparedInput:
        prepared = self._program.prepare(number)
        state, _ = self._suite.input(number)
        if not (prepared.any_state or state == self._valid_state):
            self._check(self._program.spec.rep_ok(prepared.root), "the pre-state does not satisfy rep_ok")
            self._valid_state = state
        if prepared.requires is not None:
            self._check(prepared.requires(prepared.root, *prepared.arguments), "the precondition does not hold")
        return prepared

    def _check(self, holds: Any, problem: str) -> None:
        self._program.put_back()  # the spec may have called the program
        self._oracle.check_answer(holds)
        if not holds:
            raise _of_another_spec(problem)

    def before(self, number: int) -> str:
        root = self._program.prepare(number).root
        return " from a valid state" if self._program.spec.rep_ok(root) else " from a state that rep_ok rejects"


class OriginalSequences(Original):
    """Sequences of calls, whose own preconditions hold before each call.

    Args:
        module: the original.
        prefix_cache: remembers calls that need not be observed again.
    """

    def __init__(
        self,
        program: SequenceProgram,
        module: ModuleType,
        suite: SuiteReader,
        oracle: Oracle,
        prefix_cache: PrefixCache,
    ) -> None:
        self._program = program
        self._module = module
        self._suite = suite
        self._oracle = oracle
        self._counter = oracle.counter
        self._prefix_cache = prefix_cache
        self._state = NO_STATE
        self._keys: dict[int, bytes] = {}
        self._repeated = NOTHING
        self._is_apart = True

    def show(self, number: int) -> str:
        return show_sequence(self._program.routines.scope, self._suite.sequence(number))

    def prepare(self, number: int) -> PreparedSequence:
        self._state, _ = self._suite.input(number)
        self._counter.start(UNLIMITED)
        prepared = self._program.prepare(number)
        prepared.before_each = self._check
        return prepared

    def repeat(self, number: int, prepared: PreparedInput) -> tuple[CallExpected, ...]:
        assert isinstance(prepared, PreparedSequence)
        self._repeated = self._prefix_cache.repeat(number, prepared)
        return self._repeated.did or ()

    def completed(self, number: int, observed: ExpectedOutcome) -> ExpectedOutcome:
        prefix_cache, is_apart = self._prefix_cache, self._oracle.is_apart
        if is_apart and prefix_cache.is_closed:
            observed = observed._replace(key=self._keys.get(self._state, b""))
        if is_apart and self._is_apart and prefix_cache.is_new(number):
            repeated = self._repeated
            trace = (*(repeated.did or ()), *trace_of(observed.before or b"")[repeated.calls :])
            steps = sum(call.steps for call in trace)
            prefix_cache.learn(number, JudgedPrefix(len(trace), steps, steps, trace))
        return observed

    def _check(self, sequence: PreparedSequence) -> None:
        """Check the precondition of the next call; keep the key of the state before the last one."""
        is_last = len(sequence.results) == len(sequence.calls) - 1
        if is_last and self._state not in self._keys:
            self._keys[self._state] = graph_digest(sequence.results, self._module)
        at = f"call {len(sequence.results) + 1} of {len(sequence.calls)}"
        try:
            holds = sequence.holds()
        except LookupError as error:
            raise _of_another_spec(f"{at} takes a result that there is not ({error})") from None
        self._is_apart = self._is_apart and not self._counter.spent_by_others()
        self._oracle.check_answer(holds)
        if not holds:
            raise _of_another_spec(f"the precondition of {at} does not hold")


def _of_another_spec(problem: str) -> Refused:
    return Refused(f"{problem}; the suite was made with another spec, generate it again")
