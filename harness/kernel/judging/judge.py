"""Decides whether a mutant can be distinguished from the original on an input: the hot path of every run."""

from __future__ import annotations

from collections.abc import Callable

from harness.kernel.judging.baseline import Baseline, CallExpected
from harness.kernel.judging.endless import FIRST_LOOK, LoopDetector
from harness.kernel.judging.judged_states import JudgedStates
from harness.kernel.judging.oracle import DIFFERENT, INVALID, Kill, Oracle, differs, too_many_steps
from harness.kernel.judging.prepared import PreparedInput
from harness.kernel.program.steps import StepLimit, budget_for

WARM_UP = 512
"""The number of inputs judged before anything is remembered: most mutants that run until their kill end there."""


class PlainJudge:
    """Runs one mutant on state inputs, as `Judge` does, and remembers nothing."""

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
        kill, steps = self._oracle.judge(self._prepare(number), expected)
        self.surplus += steps - expected.steps
        return kill


class Judge(PlainJudge):
    """Runs one mutant on inputs and compares it with the original.

    Args:
        prepare: makes an input of the mutant ready.
        baseline: the original's outcomes on the inputs.
        judged_states: remembers post-states; None where nothing may be remembered.
        watch: ends calls that would never return; None where such calls cannot be detected.
        warm_up: the number of inputs judged before anything is remembered.
    """

    def __init__(
        self,
        oracle: Oracle,
        prepare: Callable[[int], PreparedInput],
        baseline: Baseline,
        judged_states: JudgedStates | None = None,
        watch: LoopDetector | None = None,
        warm_up: int = WARM_UP,
    ) -> None:
        super().__init__(oracle, prepare, baseline)
        self._call = oracle.call
        self._start = oracle.counter.start
        self._spent = oracle.counter.spent
        self._first = baseline.first
        self._judged_states = judged_states
        self._watch = watch
        self._unasked = warm_up

    def judge(self, number: int) -> Kill | None:  # noqa: C901 (executed for each input, in one frame above the program)
        """Run the mutant on input `number`. Return the kill; None if its outcome is the original's."""
        at = number - self._first
        baseline = self._baseline
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
        expected_state = baseline.states[at]
        judged_states, key = self._judged_states, None
        if self._unasked:
            self._unasked -= 1
            judged_states = None
        if judged_states is not None:
            key = judged_states.key(prepared.root, prepared.changeable)
            known_state = judged_states.judgement_of.get(key)
            if known_state is not None:
                judged_states.hits += 1
                return (
                    None
                    if known_state == expected_state
                    else INVALID
                    if known_state == JudgedStates.INVALID
                    else DIFFERENT
                )
        self._start(budget_for(baseline.judge_steps[at]))
        state = self._oracle.state_of(prepared)
        if judged_states is not None:
            judged_states.learn(key, state, self._oracle.counter)
            if not judged_states.pays:
                self._judged_states = None
        if isinstance(state, Kill):
            return state
        return None if state == baseline.values[expected_state] else DIFFERENT
