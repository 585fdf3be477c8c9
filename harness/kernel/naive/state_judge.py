"""The judge of mutants on states: an input is one call on objects made from a candidate vector."""

from __future__ import annotations

import time
from dataclasses import dataclass, replace
from types import ModuleType
from typing import Any

from harness.kernel.naive.answers import answer_to
from harness.kernel.naive.calling import call
from harness.kernel.naive.inputs import DecodedInput, case
from harness.kernel.naive.job import SubjectJob
from harness.kernel.naive.judge import Judge, JudgedInput
from harness.kernel.naive.oracle import Kill, Oracle, OriginalCall, too_many_steps
from harness.kernel.naive.rebuilding import Malformed
from harness.kernel.naive.views import PerformedCall, StateViews
from harness.kernel.naive.words import ENDLESS, StateAnswer, StateInput
from harness.kernel.program.steps import budget_for
from harness.model.widened_bounds import extended


@dataclass(frozen=True)
class ExpectedCall(JudgedInput):
    """An input with the original's outcome on it, and the number of its arguments."""

    original: OriginalCall
    arguments: int


class StateJudge(Judge[ExpectedCall]):
    """A judge of calls on states."""

    def __init__(self, job: SubjectJob, oracle: type[Oracle]) -> None:
        super().__init__(job)
        self._oracle = oracle(StateViews(self.spec, job.concrete), self.spec, self.counter, self._original)
        self._finitization = extended(self.spec.finitization(job.scope), self._suite.outside)
        # A function of the spec makes objects that nobody compares; they exist in its own process only.
        self._is_opaque = any(not domain.compared for domain in self._finitization.domains)

    def case(self, number: int, module: Any) -> DecodedInput:
        """Prepare input `number` with objects of its own, of the classes of `module`."""
        return case(self._suite, number, self._finitization, module)

    def _observe(self, number: int) -> ExpectedCall:
        counter, spec, oracle = self.counter, self.spec, self._oracle
        counter.start(ENDLESS)
        run = self.case(number, self._original)
        graph = self._graph_of([run.root, *run.arguments])
        if not (spec.rep_ok(run.root) if run.requires is None else run.requires(run.root, *run.arguments)):
            raise ValueError("a pre-state does not satisfy rep_ok or the precondition")
        start = time.perf_counter()
        counter.start(ENDLESS)
        performed = _performed(run)
        steps = counter.spent()
        left = self._graph_of([run.root, performed.returned, *run.arguments])
        pre_state = None
        if oracle.needs_pre_state:
            fresh = self.case(number, self._original)
            counter.start(ENDLESS)
            pre_state = oracle.pre_state(fresh.name, fresh.root, fresh.arguments)
        original = oracle.observed(performed, steps, True, pre_state)
        seconds = time.perf_counter() - start
        has_state = len(run.passed) > len(run.arguments)
        budget = budget_for(original.steps)
        told_input = StateInput(number, budget, run.name, run.is_function, tuple(run.keywords), has_state, graph)
        expected = ExpectedCall(told_input, seconds, True, original, len(run.arguments))
        if original.calls or self._is_opaque or isinstance(graph, str):
            return expected
        try:
            judged = self._judged(number, StateAnswer(number, steps, performed.raised, left), expected)
        except Malformed:
            return expected
        return replace(expected, inside=judged != (original.steps, None))

    def judge(self, number: int, line: str) -> tuple[int, Kill | None]:
        answer = answer_to(number, line)
        if not isinstance(answer, StateAnswer):
            raise Malformed("no answer")
        return self._judged(number, answer, self.expected(number))

    def judge_here(self, number: int, module: ModuleType) -> tuple[int, Kill | None]:
        original = self.expected(number).original
        run = self.case(number, module)
        budget = budget_for(original.steps)
        self.counter.start(budget)
        performed = _performed(run)
        steps = self.counter.spent()
        if steps > budget:
            return steps, too_many_steps(budget)
        return self._compared(number, performed, steps, original, module)

    def _judged(self, number: int, answer: StateAnswer, expected: ExpectedCall) -> tuple[int, Kill | None]:
        def rebuild() -> PerformedCall:
            roots = self._rebuilt(answer.graph)
            if len(roots) != 2 + expected.arguments:
                raise Malformed("other arguments than were given")
            root, returned, *arguments = roots
            return PerformedCall(answer.raised, returned, root, arguments)

        performed = self._rebuilt_call(answer.steps, expected.original, rebuild)
        if not isinstance(performed, PerformedCall):
            return answer.steps, performed
        return self._compared(number, performed, answer.steps, expected.original, self._original)

    def _compared(
        self, number: int, performed: PerformedCall, steps: int, original: OriginalCall, module: ModuleType
    ) -> tuple[int, Kill | None]:
        """Return the steps of a call on `module`, and why it kills a mutant, if it does."""
        oracle, pre_state = self._oracle, None
        if oracle.needs_pre_state:
            fresh = self.case(number, module)
            pre_state, kill = oracle.pre_state_of_mutant(original, fresh.name, fresh.root, fresh.arguments)
            if kill is not None:
                return 0, kill
        return oracle.judge(performed, steps, original, pre_state)


def _performed(run: DecodedInput) -> PerformedCall:
    raised, returned = call(run.call, run.passed)
    return PerformedCall(raised, returned, run.root, run.arguments)
