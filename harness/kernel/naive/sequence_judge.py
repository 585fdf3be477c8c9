"""The judge of mutants on sequences of calls: an input is judged call by call.

The executor gets calls with their arguments, never their results. Its report of each call is rebuilt with the
original's classes and judged here. Reports after the first call that kills the mutant do not count. The number of calls
up to that one is known then (`calls_to_kill`), so that another executor can skip the others.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from copy import deepcopy
from dataclasses import dataclass, replace
from types import ModuleType
from typing import Any

from harness.kernel.naive.answers import answer_to
from harness.kernel.naive.equality import nothing_omitted
from harness.kernel.naive.graphs import Graph, graph_with_places
from harness.kernel.naive.job import SubjectJob
from harness.kernel.naive.judge import Judge, JudgedInput
from harness.kernel.naive.oracle import Kill, Oracle, OriginalCall, too_many_steps
from harness.kernel.naive.places import SecondCopy, companions_installed
from harness.kernel.naive.rebuilding import Malformed
from harness.kernel.naive.sequences import Performance, Tokens, encoded_calls, root_class
from harness.kernel.naive.state_restoration import objects_of_graph
from harness.kernel.naive.views import PerformedCall, SequenceViews
from harness.kernel.naive.words import ENDLESS, EncodedCall, SequenceAnswer, SequenceCallAnswer, SequenceInput, Unmade
from harness.kernel.program.steps import StepLimit, budget_for
from harness.model.outcome import KillReason, Phase
from harness.model.sequence import Observation, SequencePolicy


@dataclass(frozen=True)
class ExpectedSequence(JudgedInput):
    """An input with the original's outcomes in each call that is run.

    Attributes:
        calls: all calls of the sequence.
        first: the number of the first call that is run.
        outcomes: the original's outcomes, one for each call that is run.
        before: the graph of the objects and values that the calls start from; None if it cannot be encoded.
        object_calls: the numbers of the calls that gave these objects.
        making: the steps that the original takes when they are restored in it.
    """

    calls: Sequence[EncodedCall]
    first: int
    outcomes: Sequence[OriginalCall]
    before: Graph | None
    object_calls: Sequence[int]
    making: int


class SequenceJudge(Judge[ExpectedSequence]):
    """A judge of sequences of calls.

    The executor gets calls with their arguments, never their results. Its report of each call is rebuilt with the
    original's classes. Reports after the first call that kills the mutant do not count. The number of calls up to that
    one is known then (`calls_to_kill`), so that another executor can skip the others.
    """

    def __init__(self, job: SubjectJob, oracle: type[Oracle]) -> None:
        super().__init__(job)
        self._scope = self.spec.sequences(job.scope, job.source).extended(self._suite.outside)
        self._leading, self._going_on = SecondCopy.of(self._text, self.counter), SecondCopy.of(self._text, self.counter)
        self._tokens: Tokens = {}
        omits = self._scope.omission() or nothing_omitted
        self.views = SequenceViews(self.spec, job.concrete, omits, root_class(self._original, self._scope.root))
        self._oracle = oracle(self.views, self.spec, self.counter, self._original)
        self._whole = SequencePolicy(job.sequences) is SequencePolicy.ON_MUTANT
        self._looks_at_all = Observation(job.observed) is Observation.EVERY_CALL

    # -- the original ----------------------------------------------------------------------------

    def _observe(self, number: int) -> ExpectedSequence:
        counter = self.counter
        counter.start(ENDLESS)
        suite_calls = self._suite.sequence(number)
        calls, values = encoded_calls(self._scope, suite_calls, self._tokens)
        first = 0 if self._whole else len(calls) - 1
        with companions_installed(self._leading.companions):
            lead_results = self._led_up(self._leading.module, suite_calls, first)
            before = self._graph_before([*lead_results.values(), *values])
        if isinstance(before, str) and (lead_results or not self._whole):
            raise ValueError(f"the state before a last call cannot be told ({before})")
        start = time.perf_counter()
        counter.start(ENDLESS)
        run = self._performance(self._original, calls, first, before, list(lead_results), values)
        making = counter.spent()
        outcomes: list[OriginalCall] = []
        inside = isinstance(before, str)
        while run.done < len(calls):
            self._check_precondition(suite_calls, run)
            outcome, is_told = self._observed_next(run)
            outcomes.append(outcome)
            inside = inside or not is_told
        if not self._whole and not self._is_same_on_live_objects(suite_calls, first, outcomes[0]):
            raise ValueError("what the last call does on the objects that led to it, it does not do on a copy of them")
        told_input = SequenceInput(
            number,
            first,
            tuple(lead_results),
            before,
            budget_for(making),
            tuple(calls),
            tuple(budget_for(outcome.steps) for outcome in outcomes),
        )
        graph = None if isinstance(before, str) else before
        seconds = time.perf_counter() - start
        return ExpectedSequence(told_input, seconds, inside, calls, first, outcomes, graph, list(lead_results), making)

    def _observed_next(self, run: Performance) -> tuple[OriginalCall, bool]:
        """Return the original's outcome of the next call, and True if a mutant's can be judged from outside."""
        counter, oracle = self.counter, self._oracle
        counter.start(ENDLESS)
        pre_state = oracle.pre_state(*_next_routine(run)) if oracle.needs_pre_state else None
        counter.start(ENDLESS)
        performed = self._performed_next(run)
        spent = counter.spent()
        looks_at_state = self._looks_at_all or run.done == len(run.calls)
        if oracle.needs_pre_state:  # which is read from live objects
            return oracle.observed(performed, spent, looks_at_state, pre_state), False
        left = self._graph_of([performed.returned, *performed.objects.values(), *performed.arguments])
        observed = oracle.observed(performed, spent, looks_at_state)
        part = SequenceCallAnswer(spent, performed.raised, tuple(performed.objects), left)
        try:
            is_told = self._judged(run.calls, run.done - 1, part, observed) == (observed.steps, None)
        except Malformed:
            is_told = False
        counter.start(ENDLESS)
        snapshot = self._rebuilt_part(run.calls, run.done - 1, part) if is_told else _copied(performed)
        again = oracle.observed(snapshot, spent, looks_at_state)  # later calls do not change it
        return again, is_told and not observed.calls

    def _performed_next(self, run: Performance) -> PerformedCall:
        raised, returned, arguments = run.next()
        return _performed(run.calls, run.done - 1, raised, returned, run.objects(), arguments)

    def _led_up(
        self, module: ModuleType, suite_calls: Sequence[tuple[int, Sequence[int]]], first: int
    ) -> dict[int, Any]:
        """Run the calls before call `first`. Return, by call number, the results that other calls take as arguments and
        the objects that constructors made.
        """
        calls, values = encoded_calls(self._scope, suite_calls, self._tokens)
        run = Performance(module, calls, values, {}, 0)
        while run.done < first:
            self._check_precondition(suite_calls, run)
            run.next()
        numbers = {number for call in calls for number in call.used_calls}
        numbers |= {number for number, call in enumerate(calls) if call.kind == "constructor"}
        return {number: run.results[number] for number in sorted(numbers) if number in run.results}

    def _is_same_on_live_objects(
        self, suite_calls: Sequence[tuple[int, Sequence[int]]], first: int, original: OriginalCall
    ) -> bool:
        """Return True if the last call has the same outcome on live objects as on rebuilt ones."""
        if self._oracle.needs_pre_state:  # it asks whether a call keeps its promise, not what it does
            return True
        module = self._going_on.module
        oracle = self._oracle_on(module)
        calls, values = encoded_calls(self._scope, suite_calls, self._tokens)
        with companions_installed(self._going_on.companions):
            self.counter.start(ENDLESS)
            run = Performance(module, calls, values, self._led_up(module, suite_calls, first), first)
            self.counter.start(ENDLESS)
            performed = self._performed_next(run)
            return oracle.judge(performed, self.counter.spent(), original) == (original.steps, None)

    def _oracle_on(self, module: ModuleType) -> Oracle:
        """Return the oracle for calls on another module."""
        return self._oracle.of(self.views.of(root_class(module, self._scope.root)))

    def _performance(
        self,
        module: ModuleType,
        calls: Sequence[EncodedCall],
        first: int,
        before: Any,
        object_calls: list[int],
        values: Sequence[Any],
    ) -> Performance:
        if isinstance(before, str) or before is None:
            return Performance(module, calls, deepcopy(values), {}, first)
        roots = objects_of_graph(before, module)
        return Performance(
            module, calls, roots[len(object_calls) :], dict(zip(object_calls, roots, strict=False)), first
        )

    def _check_precondition(self, suite_calls: Sequence[tuple[int, Sequence[int]]], run: Performance) -> None:
        requires = self._scope.routines[suite_calls[run.done][0]].requires
        call = run.calls[run.done]
        if requires is None:
            return
        arguments = [run.results[at] if is_earlier else run.values[at] for is_earlier, at in call.arguments]
        if not requires(None if call.receiver is None else run.results[call.receiver], *arguments):
            raise ValueError("a precondition does not hold")

    def _graph_before(self, roots: list[Any]) -> Any:
        try:
            return graph_with_places(roots, self._leading.module)
        except Exception as error:
            return type(error).__name__

    # -- a mutant --------------------------------------------------------------------------------

    def judge(self, number: int, line: str) -> tuple[int, Kill | None]:
        expected = self.expected(number)
        answer = answer_to(number, line)
        self.calls_to_kill = steps = 0
        if isinstance(answer, Unmade):
            return 0, _unmade(answer.raised)
        if not isinstance(answer, SequenceAnswer) or not 1 <= len(answer.parts) <= len(expected.outcomes):
            raise Malformed("no answer")
        for at, part in enumerate(answer.parts):
            spent, kill = self._judged(expected.calls, expected.first + at, part, expected.outcomes[at])
            steps += spent
            if kill is not None:
                self.calls_to_kill = at + 1 if at + 1 < len(answer.parts) else 0
                return steps, self._located(kill, expected.calls, expected.first + at)
        return steps, None

    def judge_here(self, number: int, module: ModuleType) -> tuple[int, Kill | None]:
        expected = self.expected(number)
        _, values = encoded_calls(self._scope, self._suite.sequence(number), self._tokens)
        run, unmade = None, ""
        budget = budget_for(expected.making)
        self.counter.start(budget)
        try:
            run = self._performance(
                module, expected.calls, expected.first, expected.before, list(expected.object_calls), values
            )
        except BaseException as error:
            unmade = type(error).__qualname__
        if run is None or self.counter.spent() > budget:
            return 0, _unmade(unmade if self.counter.spent() <= budget else StepLimit.__name__)
        oracle = self._oracle_on(module)
        steps = 0
        for original in expected.outcomes:
            at = run.done
            spent, kill = self._judged_next(run, original, oracle)
            steps += spent
            if kill is not None:
                return steps, self._located(kill, run.calls, at)
        return steps, None

    def _judged_next(self, run: Performance, original: OriginalCall, oracle: Oracle) -> tuple[int, Kill | None]:
        """Run a mutant's next call in this process."""
        pre_state = None
        if oracle.needs_pre_state:
            pre_state, kill = oracle.pre_state_of_mutant(original, *_next_routine(run))
            if kill is not None:
                return 0, kill
        budget = budget_for(original.steps)
        self.counter.start(budget)
        performed = self._performed_next(run)
        spent = self.counter.spent()
        if spent > budget:
            return spent, too_many_steps(budget)
        return oracle.judge(performed, spent, original, pre_state)

    def _located(self, kill: Kill, calls: Sequence[EncodedCall], at: int) -> Kill:
        """Return the kill; if all calls are the mutant's, add the call at which it was killed to the detail."""
        if not self._whole:
            return kill
        reason, phase, detail = kill
        owner = f"{self._scope.root}." * (calls[at].kind == "method")
        return reason, phase, f"call {at + 1} of {len(calls)}, {owner}{calls[at].name}: {detail}"

    def _judged(
        self, calls: Sequence[EncodedCall], number: int, part: SequenceCallAnswer, original: OriginalCall
    ) -> tuple[int, Kill | None]:
        performed = self._rebuilt_call(part.steps, original, lambda: self._rebuilt_part(calls, number, part))
        if not isinstance(performed, PerformedCall):
            return part.steps, performed
        return self._oracle.judge(performed, part.steps, original)

    def _rebuilt_part(self, calls: Sequence[EncodedCall], number: int, part: SequenceCallAnswer) -> PerformedCall:
        returned, *values = self._rebuilt(part.graph) or [None]
        if len(values) < len(part.numbers):
            raise Malformed("fewer objects than were named")
        objects = dict(zip(part.numbers, values, strict=False))
        return _performed(calls, number, part.raised, returned, objects, values[len(part.numbers) :])


def _next_routine(run: Performance) -> tuple[str | None, Any, list[Any]]:
    """Return the name of the next call's routine, None for a constructor, with its receiver and arguments."""
    call = run.calls[run.done]
    if call.kind == "constructor":
        return None, None, []
    arguments = [run.results[at] if is_earlier else run.values[at] for is_earlier, at in call.arguments]
    return call.name, run.results[call.receiver or 0], arguments


def _performed(
    calls: Sequence[EncodedCall],
    number: int,
    raised: str | None,
    returned: Any,
    objects: dict[int, Any],
    arguments: Sequence[Any],
) -> PerformedCall:
    receiver = calls[number].receiver
    root = returned if receiver is None else objects.get(receiver)
    constructs = calls[number].kind == "constructor"
    return PerformedCall(raised, returned, root, arguments, objects, number, constructs)


def _copied(performed: PerformedCall) -> PerformedCall:
    """Return the call with copies of the objects after it.

    Raises:
        ValueError: these objects cannot be copied.
    """
    try:
        copies = deepcopy((performed.returned, performed.root, performed.objects, performed.arguments))
    except Exception as error:
        raise ValueError(f"what the original left can be neither told nor copied ({type(error).__name__})") from None
    returned, root, objects, arguments = copies
    return replace(performed, returned=returned, root=root, objects=objects, arguments=arguments)


def _unmade(raised: str) -> Kill:
    """Return the kill for a state that cannot be restored in the mutant; `raised` is the exception's type."""
    if raised == StepLimit.__name__:
        return KillReason.STEP_LIMIT, Phase.CALL, "making the state before its last call takes too many steps"
    if raised == MemoryError.__name__:
        return KillReason.MEMORY_LIMIT, Phase.CALL, "making the state before its last call ran out of memory"
    return KillReason.EXCEPTION, Phase.CALL, f"making the state before its last call raised {raised[:200]}"
