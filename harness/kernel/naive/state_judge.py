"""The judge of mutants on states: an input is one call on objects made from a candidate vector."""

from __future__ import annotations

from types import ModuleType
from typing import Any

from harness.kernel.naive.calling import call
from harness.kernel.naive.inputs import DecodedInput, case
from harness.kernel.naive.job import SubjectJob
from harness.kernel.naive.judge import Judge, Took
from harness.kernel.naive.oracle import Kill, Oracle, OriginalCall, too_many_steps
from harness.kernel.naive.program import Program
from harness.kernel.naive.views import PerformedCall, StateViews
from harness.kernel.naive.words import ENDLESS
from harness.kernel.program.steps import LOAD_BUDGET, budget_for
from harness.model.domains import ComparedFields
from harness.model.widened_bounds import extended


class StateJudge(Judge):
    """A judge of calls on states."""

    def __init__(self, job: SubjectJob, oracle: type[Oracle]) -> None:
        super().__init__(job)
        bounds = self.spec.finitization(job.scope)
        self._views = StateViews(self.spec, job.concrete, ComparedFields(unordered=frozenset(bounds.unordered_fields)))
        self._kind = oracle
        self._oracle = self._oracle_of(self._original.module)
        self._finitization = extended(bounds, self._suite.outside)

    def _oracle_of(self, original: ModuleType) -> Oracle:
        return self._kind(self._views, self.spec, self.counter, original)

    def case(self, number: int, program: Program) -> DecodedInput:
        """Prepare input `number` with objects of its own, of the classes of a program."""
        return case(self._suite, number, self._finitization, program.module)

    def judge(self, number: int, mutant: Program, took: Took) -> tuple[int, Kill | None]:
        mutant = mutant.afresh()
        with self._original_runs(took):
            original = self._observed(number)
        with mutant.in_place():
            self.counter.start(LOAD_BUDGET)
            run = self.case(number, mutant)
            budget = budget_for(original.steps)
            self.counter.start(budget)
            performed = _performed(run)
            steps = self.counter.spent()
            if steps > budget:
                return steps, too_many_steps(budget)
            pre_state: Any = None
            if self._oracle.needs_pre_state:
                fresh = self.case(number, mutant)
                pre_state, kill = self._oracle.pre_state_of_mutant(original, fresh.name, fresh.root, fresh.arguments)
                if kill is not None:
                    return 0, kill
            return self._oracle.judge(performed, steps, original, pre_state)

    def _observed(self, number: int) -> OriginalCall:
        run = self.case(number, self._original)
        is_valid = run.any_state or self.spec.rep_ok(run.root)
        if not (is_valid and (run.requires is None or run.requires(run.root, *run.arguments))):
            raise ValueError("a pre-state does not satisfy rep_ok or the precondition")
        self._begin()  # the spec may have called the program
        counter, oracle, run = self.counter, self._oracle, self.case(number, self._original)
        counter.start(ENDLESS)
        performed = _performed(run)
        steps = counter.spent()
        pre_state = None
        if oracle.needs_pre_state:
            fresh = self.case(number, self._original)
            counter.start(ENDLESS)
            pre_state = oracle.pre_state(fresh.name, fresh.root, fresh.arguments)
        return oracle.observed(performed, steps, True, pre_state)


def _performed(run: DecodedInput) -> PerformedCall:
    raised, returned = call(run.call, run.passed, [run.root])
    return PerformedCall(raised, returned, run.root, run.arguments)
