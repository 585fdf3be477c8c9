"""Decides whether a mutant can be distinguished from the original on an input: the hot path of every run."""

from __future__ import annotations

from collections.abc import Callable

from harness.kernel.judging.baseline import Baseline, CallExpected
from harness.kernel.judging.endless import FIRST_LOOK, LoopDetector
from harness.kernel.judging.oracle import DIFFERENT, Kill, Oracle, differs, too_many_steps
from harness.kernel.judging.prepared import PreparedInput
from harness.kernel.program.steps import LOAD_BUDGET, StepLimit, budget_for


class PlainJudge:
    """Runs one mutant on state inputs, as `Judge` does, with the whole judgement left to the oracle."""

    def __init__(self, oracle: Oracle, prepare: Callable[[int], PreparedInput], baseline: Baseline) -> None:
        self._oracle = oracle
        self._prepare = prepare
        self._baseline = baseline
        self.surplus = 0
        """The steps of all calls, whatever their outcomes, less those that the original took."""

    def is_known_survivor(self, number: int) -> bool:
        """Return True if input `number` is known not to kill the mutant, without a run of it: never, for states."""
        return False

    def judge(self, number: int) -> Kill | None:
        """Run the mutant on input `number`; return None if it does the same as the original."""
        baseline = self._baseline
        at = number - baseline.first
        expected = CallExpected(
            baseline.values[baseline.outcomes[at]],
            baseline.steps[at],
            baseline.values[baseline.states[at]],
            baseline.judge_steps[at],
        )
        self._oracle.counter.start(LOAD_BUDGET)
        kill, steps = self._oracle.judge(self._prepare(number), expected)
        self.surplus += steps - expected.steps
        return kill


class Judge(PlainJudge):
    """Runs one mutant on inputs and compares it with the original.

    Args:
        prepare: makes an input of the mutant ready.
        baseline: the original's outcomes on the inputs.
        watch: ends calls that would never return; None where such calls cannot be detected.
    """

    def __init__(
        self,
        oracle: Oracle,
        prepare: Callable[[int], PreparedInput],
        baseline: Baseline,
        watch: LoopDetector | None = None,
    ) -> None:
        super().__init__(oracle, prepare, baseline)
        self._call = oracle.call
        self._start = oracle.counter.start
        self._spent = oracle.counter.spent
        self._first = baseline.first
        self._watch = watch

    def judge(self, number: int) -> Kill | None:
        """Run the mutant on input `number`. Return the kill; None if its outcome is the original's."""
        at = number - self._first
        baseline = self._baseline
        self._start(LOAD_BUDGET)
        prepared = self._prepare(number)
        expected_steps = baseline.steps[at]
        budget = budget_for(expected_steps)
        watch = self._watch
        if watch is None:
            self._start(budget)
        else:
            watch.prepared = prepared
            self._start(budget, FIRST_LOOK + 2 * expected_steps, watch.steps_to_next_look)
        try:
            outcome, raised = self._call(prepared)
        except StepLimit:
            outcome, raised = b"", ""
        steps = self._spent()
        self.surplus += steps - expected_steps
        if watch is not None and watch.looked:
            watch.forget()
            if not watch.pays:
                self._watch = None
        if steps > budget:  # asked of the counter: the program may have caught StepLimit
            return too_many_steps(budget)
        expected = baseline.values[baseline.outcomes[at]]
        if outcome != expected:
            return differs(outcome, expected, raised)
        self._start(budget_for(baseline.judge_steps[at]))
        state = self._oracle.state_of(prepared)
        if isinstance(state, Kill):
            return state
        return None if state == baseline.values[baseline.states[at]] else DIFFERENT
