"""The judge of mutants on sequences of calls: an input is judged call by call, up to the one that kills the mutant."""

from __future__ import annotations

from collections.abc import Sequence
from types import ModuleType
from typing import Any

from harness.kernel.naive.equality import nothing_omitted
from harness.kernel.naive.job import SubjectJob
from harness.kernel.naive.judge import Judge, Took
from harness.kernel.naive.oracle import Kill, Oracle, OriginalCall, too_many_steps
from harness.kernel.naive.program import Program
from harness.kernel.naive.sequences import EncodedCall, Performance, Tokens, encoded_calls, root_class
from harness.kernel.naive.views import PerformedCall, SequenceViews
from harness.kernel.naive.words import ENDLESS
from harness.kernel.program.steps import LOAD_BUDGET, budget_for
from harness.model.routines import Made
from harness.model.sequence import Observation

_SuiteCalls = Sequence[tuple[int, Sequence[int]]]


class SequenceJudge(Judge):
    """A judge of sequences of calls: the mutant's next call is judged before any later call changes its objects."""

    def __init__(self, job: SubjectJob, oracle: type[Oracle]) -> None:
        super().__init__(job)
        self._scope = self.spec.sequences(job.scope, job.source).extended(self._suite.outside)
        values = (value for routine in self._scope.routines for p in routine.parameters for value in p.values)
        self._copied = [value.domain for value in values if isinstance(value, Made) and value.domain.compared]
        self._tokens: Tokens = {}
        self._kind, self._concrete = oracle, job.concrete
        self._oracle = self._oracle_of(self._original.module)
        self._looks_at_all = Observation(job.observed) is Observation.EVERY_CALL

    def _oracle_of(self, original: ModuleType) -> Oracle:
        omits = self._scope.omission() or nothing_omitted
        self.views = SequenceViews(self.spec, self._concrete, omits, root_class(original, self._scope.root))
        return self._kind(self.views, self.spec, self.counter, original)

    def judge(self, number: int, mutant: Program, took: Took) -> tuple[int, Kill | None]:
        self._begin()
        mutant = mutant.afresh()
        suite_calls = self._suite.sequence(number)
        self.counter.start(ENDLESS)
        with self._original.in_place() as module:
            original = self._performance(module, suite_calls)
        self.counter.start(LOAD_BUDGET)
        with mutant.in_place() as module:
            run = self._performance(module, suite_calls)
        oracle = self._oracle.of(self.views.of(root_class(mutant.module, self._scope.root)))
        steps = 0
        while (at := run.done) < len(run.calls):
            with self._original_runs(took):
                expected = self._observed_next(suite_calls, original)
            with mutant.in_place():
                spent, kill = self._judged_next(run, expected, oracle)
            steps += spent
            if kill is not None:
                return steps, self._located(kill, run.calls, at)
        return steps, None

    def _performance(self, module: ModuleType, suite_calls: _SuiteCalls) -> Performance:
        calls, values = encoded_calls(self._scope, module, suite_calls, self._tokens)
        return Performance(module, calls, values, {}, 0)

    def _observed_next(self, suite_calls: _SuiteCalls, run: Performance) -> OriginalCall:
        """Return the original's outcome of the next call."""
        counter, oracle = self.counter, self._oracle
        self._check_precondition(suite_calls, run)
        counter.start(ENDLESS)
        pre_state = oracle.pre_state(*_next_routine(run)) if oracle.needs_pre_state else None
        counter.start(ENDLESS)
        performed = _performed_next(run)
        looks_at_state = self._looks_at_all or run.done == len(run.calls)
        return oracle.observed(performed, counter.spent(), looks_at_state, pre_state)

    def _check_precondition(self, suite_calls: _SuiteCalls, run: Performance) -> None:
        requires = self._scope.routines[suite_calls[run.done][0]].requires
        if requires is None:
            return
        _, receiver, arguments = _next_routine(run)
        if not requires(receiver, *arguments):
            raise ValueError("a precondition does not hold")

    def _judged_next(self, run: Performance, original: OriginalCall, oracle: Oracle) -> tuple[int, Kill | None]:
        """Run a mutant's next call."""
        pre_state = None
        if oracle.needs_pre_state:
            pre_state, kill = oracle.pre_state_of_mutant(original, *_next_routine(run))
            if kill is not None:
                return 0, kill
        budget = budget_for(original.steps)
        self.counter.start(budget)
        performed = _performed_next(run)
        spent = self.counter.spent()
        if spent > budget:
            return spent, too_many_steps(budget)
        return oracle.judge(performed, spent, original, pre_state)

    def _located(self, kill: Kill, calls: Sequence[EncodedCall], at: int) -> Kill:
        """Return the kill with the call at which the mutant was killed in its detail."""
        reason, phase, detail = kill
        owner = f"{self._scope.root}." * (calls[at].kind == "method")
        return reason, phase, f"call {at + 1} of {len(calls)}, {owner}{calls[at].name}: {detail}"


def _next_routine(run: Performance) -> tuple[str | None, Any, list[Any]]:
    """Return the name of the next call's routine, None for a constructor, with its receiver and arguments."""
    call = run.calls[run.done]
    arguments = [run.results[at] if is_earlier else run.values[at] for is_earlier, at in call.arguments]
    receiver = None if call.receiver is None else run.results[call.receiver]
    return None if call.kind == "constructor" else call.name, receiver, arguments


def _performed_next(run: Performance) -> PerformedCall:
    number = run.done
    raised, returned, arguments = run.next()
    objects = run.objects()
    receiver = run.calls[number].receiver
    root = returned if receiver is None else objects.get(receiver)
    constructs = run.calls[number].kind == "constructor"
    return PerformedCall(raised, returned, root, arguments, objects, number, constructs)
