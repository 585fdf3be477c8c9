"""The judge of mutants on call sequences: like `judge.Judge` on states, but call by call.

The executor gets calls with their arguments, never their results. Its report of each call is rebuilt with the
original's classes and judged here. Reports after the first call that kills the mutant do not count. The number of calls
up to that one is known then (`told_by`), so that another executor can skip the others.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from copy import deepcopy
from dataclasses import dataclass, replace
from pathlib import Path
from types import ModuleType
from typing import Any

from harness.kernel.naive.answers import answer_to
from harness.kernel.naive.equality import nothing_omitted
from harness.kernel.naive.graphs import Graph, told, told_with_places
from harness.kernel.naive.inputs import Suite
from harness.kernel.naive.job import SubjectJob
from harness.kernel.naive.places import Aside, among
from harness.kernel.naive.putting import put_before
from harness.kernel.naive.rebuilding import Malformed, rebuilt
from harness.kernel.naive.remembered import Remembered
from harness.kernel.naive.sequence_views import Judgement, OriginalStep, Step
from harness.kernel.naive.sequences import Performance, Tokens, root_class, told_calls
from harness.kernel.naive.views import Kill, too_many_steps
from harness.kernel.naive.words import ENDLESS, Part, SequenceAnswer, SequenceInput, ToldCall, Unmade
from harness.kernel.program.loader import execute_with_ticks
from harness.kernel.program.steps import StepLimit, budget_for, step_counter
from harness.kernel.specs.spec import load_spec
from harness.model.outcome import KillReason, Phase
from harness.model.sequence import Observation, SequencePolicy

REBUILDING_BUDGET = 1_000_000


@dataclass(frozen=True)
class ExpectedSequence:
    """An input as the executor gets it, the original's outcomes in each call that is run, and how long that took.

    `inside`: a mutant cannot be judged from outside here. `before` is the graph of the objects and values that the
    calls start from, None if it cannot be encoded. The numbers of the calls that gave these objects are `given`, and
    `making` are the steps that the original takes when they are restored in it.
    """

    input: SequenceInput
    calls: Sequence[ToldCall]
    first: int
    steps: Sequence[OriginalStep]
    seconds: float
    inside: bool
    before: Graph | None
    given: Sequence[int]
    making: int


class SequenceJudge:
    """One subject and suite of sequences with the original loaded."""

    def __init__(self, job: SubjectJob) -> None:
        self.counter = counter = step_counter()
        counter.start(ENDLESS)
        self.spec = load_spec(job.spec_source, job.spec_filename, counter)
        self._scope = self.spec.sequences(job.scope, job.source)
        self._suite = Suite(Path(job.suite))
        text = job.text(job.source)
        self._leading, self._going_on = Aside.of(text, counter), Aside.of(text, counter)
        self._original = execute_with_ticks(text, counter)
        self._tokens: Tokens = {}
        root = root_class(self._original, self._scope.root)
        self._judgement = Judgement(self.spec, counter, root, job.concrete, self._scope.omission() or nothing_omitted)
        self._whole = SequencePolicy(job.sequences) is SequencePolicy.ON_MUTANT
        self._looks_at_all = Observation(job.observed) is Observation.EVERY_CALL
        self._original_did = Remembered(self._observe)
        self.told_by = 0
        """The number of calls up to the killing one in the last answer judged, if others were run after it; else 0."""

    def expected(self, number: int) -> ExpectedSequence:
        """Return the original's outcomes on input `number`.

        Raises:
            ValueError: a run's baseline would reject them.
        """
        return self._original_did.of(number)

    # -- the original ----------------------------------------------------------------------------

    def _observe(self, number: int) -> ExpectedSequence:
        counter = self.counter
        counter.start(ENDLESS)
        suite_calls = self._suite.sequence(number)
        calls, values = told_calls(self._scope, suite_calls, self._tokens)
        first = 0 if self._whole else len(calls) - 1
        with among(self._leading.companions):
            lead_results = self._led_up(self._leading.module, suite_calls, first)
            before = self._told_before([*lead_results.values(), *values])
        if isinstance(before, str) and (lead_results or not self._whole):
            raise ValueError(f"the state before a last call cannot be told ({before})")
        start = time.perf_counter()
        counter.start(ENDLESS)
        run = self._performance(self._original, calls, first, before, list(lead_results), values)
        making = counter.spent()
        steps: list[OriginalStep] = []
        inside = isinstance(before, str)
        while run.done < len(calls):
            self._check_precondition(suite_calls, run)
            step, is_told = self._observed_next(run)
            steps.append(step)
            inside = inside or not is_told
        if not self._whole and not self._is_same_on_live_objects(suite_calls, first, steps[0]):
            raise ValueError("what the last call does on the objects that led to it, it does not do on a copy of them")
        told_input = SequenceInput(
            number,
            first,
            tuple(lead_results),
            before,
            budget_for(making),
            tuple(calls),
            tuple(budget_for(step.steps) for step in steps),
        )
        graph = None if isinstance(before, str) else before
        seconds = time.perf_counter() - start
        return ExpectedSequence(told_input, calls, first, steps, seconds, inside, graph, list(lead_results), making)

    def _observed_next(self, run: Performance) -> tuple[OriginalStep, bool]:
        """Return the original's outcome of the next call, and whether a mutant's can be judged from outside."""
        counter, calls = self.counter, run.calls
        counter.start(ENDLESS)
        raised, returned, arguments = run.next()
        spent = counter.spent()
        objects = run.objects()
        left = self._told([returned, *objects.values(), *arguments])
        at = run.done - 1
        step = Step(at, calls[at], raised, returned, objects, arguments)
        looked_at = self._looks_at_state(run)
        observed = self._judgement.observed(step, spent, looked_at)
        part = Part(spent, raised, tuple(objects), left)
        is_told = self._judged_part(calls, at, part, observed) == (observed.steps, None)
        counter.start(ENDLESS)
        snapshot = self._rebuilt(calls[at], at, part) if is_told else _copied(step)
        again = self._judgement.observed(snapshot, spent, looked_at)  # later calls do not change it
        return again, is_told and not observed.calls

    def _looks_at_state(self, run: Performance) -> bool:
        """Return whether the state after the last call counts."""
        return self._looks_at_all or run.done == len(run.calls)

    def _led_up(
        self, module: ModuleType, suite_calls: Sequence[tuple[int, Sequence[int]]], first: int
    ) -> dict[int, Any]:
        """Run the calls before call `first`. Return, by call number, the results that other calls take as arguments and
        the objects that constructors made.
        """
        calls, values = told_calls(self._scope, suite_calls, self._tokens)
        run = Performance(module, calls, values, {}, 0)
        while run.done < first:
            self._check_precondition(suite_calls, run)
            run.next()
        numbers = {number for call in calls for number in call.taken}
        numbers |= {number for number, call in enumerate(calls) if call.kind == "constructor"}
        return {number: run.results[number] for number in sorted(numbers) if number in run.results}

    def _is_same_on_live_objects(
        self, suite_calls: Sequence[tuple[int, Sequence[int]]], first: int, original: OriginalStep
    ) -> bool:
        """Return whether the last call has the same outcome on live objects as on rebuilt ones."""
        module = self._going_on.module
        judgement = replace(self._judgement, root=root_class(module, self._scope.root))
        calls, values = told_calls(self._scope, suite_calls, self._tokens)
        with among(self._going_on.companions):
            self.counter.start(ENDLESS)
            run = Performance(module, calls, values, self._led_up(module, suite_calls, first), first)
            self.counter.start(ENDLESS)
            raised, returned, arguments = run.next()
            step = Step(first, calls[first], raised, returned, run.objects(), arguments)
            return judgement.judge(step, self.counter.spent(), original) == (original.steps, None)

    def _performance(
        self,
        module: ModuleType,
        calls: Sequence[ToldCall],
        first: int,
        before: Any,
        given: list[int],
        values: Sequence[Any],
    ) -> Performance:
        if isinstance(before, str) or before is None:
            return Performance(module, calls, deepcopy(values), {}, first)
        roots = put_before(before, module)
        return Performance(module, calls, roots[len(given) :], dict(zip(given, roots, strict=False)), first)

    def _check_precondition(self, suite_calls: Sequence[tuple[int, Sequence[int]]], run: Performance) -> None:
        requires = self._scope.routines[suite_calls[run.done][0]].requires
        call = run.calls[run.done]
        if requires is None:
            return
        arguments = [run.results[at] if is_earlier else run.values[at] for is_earlier, at in call.arguments]
        if not requires(None if call.receiver is None else run.results[call.receiver], *arguments):
            raise ValueError("a precondition does not hold")

    def _told(self, roots: list[Any]) -> Any:
        try:
            return told(roots, self._original.__name__)
        except Exception as error:
            return type(error).__name__

    def _told_before(self, roots: list[Any]) -> Any:
        try:
            return told_with_places(roots, self._leading.module)
        except Exception as error:
            return type(error).__name__

    # -- a mutant --------------------------------------------------------------------------------

    def judge(self, number: int, line: str) -> tuple[int, Kill | None]:
        """Return the steps that a mutant's answer reports, and why the input kills the mutant, if it does.

        Raises:
            Malformed: the line is no answer to this input.
        """
        expected = self.expected(number)
        answer = answer_to(number, line)
        self.told_by = steps = 0
        if isinstance(answer, Unmade):
            return 0, _unmade(answer.raised)
        if not isinstance(answer, SequenceAnswer) or not 1 <= len(answer.parts) <= len(expected.steps):
            raise Malformed("no answer")
        for at, part in enumerate(answer.parts):
            spent, kill = self._judged(expected.calls, expected.first + at, part, expected.steps[at])
            steps += spent
            if kill is not None:
                self.told_by = at + 1 if at + 1 < len(answer.parts) else 0
                return steps, self._located(kill, expected.calls, expected.first + at)
        return steps, None

    def judge_here(self, number: int, module: ModuleType) -> tuple[int, Kill | None]:
        """Run a mutant on input `number` in this process. Return its steps, and why the input kills it, if it does."""
        expected = self.expected(number)
        _, values = told_calls(self._scope, self._suite.sequence(number), self._tokens)
        run, unmade = None, ""
        budget = budget_for(expected.making)
        self.counter.start(budget)
        try:
            run = self._performance(
                module, expected.calls, expected.first, expected.before, list(expected.given), values
            )
        except BaseException as error:
            unmade = type(error).__qualname__
        if run is None or self.counter.spent() > budget:
            return 0, _unmade(unmade if self.counter.spent() <= budget else StepLimit.__name__)
        judgement = replace(self._judgement, root=root_class(module, self._scope.root))
        steps = 0
        for original in expected.steps:
            at = run.done
            spent, kill = self._judged_next(run, original, judgement)
            steps += spent
            if kill is not None:
                return steps, self._located(kill, run.calls, at)
        return steps, None

    def _judged_next(self, run: Performance, original: OriginalStep, judgement: Judgement) -> tuple[int, Kill | None]:
        """Run a mutant's next call in this process."""
        budget = budget_for(original.steps)
        self.counter.start(budget)
        raised, returned, arguments = run.next()
        spent = self.counter.spent()
        if spent > budget:
            return spent, too_many_steps(budget)
        at = run.done - 1
        step = Step(at, run.calls[at], raised, returned, run.objects(), arguments)
        return judgement.judge(step, spent, original)

    def _located(self, kill: Kill, calls: Sequence[ToldCall], at: int) -> Kill:
        """Return the kill; if all calls are the mutant's, add the call at which it was killed to the detail."""
        if not self._whole:
            return kill
        reason, phase, detail = kill
        owner = f"{self._scope.root}." * (calls[at].kind == "method")
        return reason, phase, f"call {at + 1} of {len(calls)}, {owner}{calls[at].name}: {detail}"

    def _judged_part(
        self, calls: Sequence[ToldCall], number: int, part: Part, original: OriginalStep
    ) -> tuple[int, Kill | None]:
        try:
            return self._judged(calls, number, part, original)
        except Malformed:
            return 0, (KillReason.CRASH, Phase.EQUALITY, "cannot be rebuilt")

    def _judged(
        self, calls: Sequence[ToldCall], number: int, part: Part, original: OriginalStep
    ) -> tuple[int, Kill | None]:
        steps = part.steps
        if steps > budget_for(original.steps):
            return steps, too_many_steps(budget_for(original.steps))
        try:
            self.counter.start(REBUILDING_BUDGET)
            step = self._rebuilt(calls[number], number, part)
        except StepLimit:
            return steps, (KillReason.STEP_LIMIT, Phase.EQUALITY, "checking the post-state takes too many steps")
        except MemoryError:
            return steps, (KillReason.MEMORY_LIMIT, Phase.EQUALITY, "the post-state is too large")
        except Malformed:
            raise
        except Exception as error:  # of a hash or an equality that the original's classes have
            raise Malformed(f"rebuilding the post-state raised {type(error).__name__}") from None
        return self._judgement.judge(step, steps, original)

    def _rebuilt(self, call: ToldCall, number: int, part: Part) -> Step:
        numbers, graph = part.numbers, part.graph
        if isinstance(graph, str):
            if graph in ("MemoryError", "TooLarge"):
                raise MemoryError
            raise Malformed(f"the post-state cannot be told: {graph[:200]}")
        returned, *values = rebuilt(graph, self._original) or [None]
        if len(values) < len(numbers):
            raise Malformed("fewer objects than were named")
        objects = dict(zip(numbers, values, strict=False))
        return Step(number, call, part.raised, returned, objects, values[len(numbers) :])


def _copied(step: Step) -> Step:
    """Return the step with copies of the objects after the call.

    Raises:
        ValueError: these objects cannot be copied.
    """
    try:
        returned, *copies = deepcopy([step.returned, *step.objects.values(), *step.arguments])
    except Exception as error:
        raise ValueError(f"what the original left can be neither told nor copied ({type(error).__name__})") from None
    objects = dict(zip(step.objects, copies, strict=False))
    return replace(step, returned=returned, objects=objects, arguments=copies[len(objects) :])


def _unmade(raised: str) -> Kill:
    """Return the kill for a state that cannot be restored in the mutant; `raised` is the exception's type."""
    if raised == StepLimit.__name__:
        return KillReason.STEP_LIMIT, Phase.CALL, "making the state before its last call takes too many steps"
    if raised == MemoryError.__name__:
        return KillReason.MEMORY_LIMIT, Phase.CALL, "making the state before its last call ran out of memory"
    return KillReason.EXCEPTION, Phase.CALL, f"making the state before its last call raised {raised[:200]}"
