"""The judges of mutants: each runs original and mutant side by side, in the process of the mutant."""

from __future__ import annotations

import time
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from types import ModuleType
from typing import Any

from harness.did_you_mean import named_in
from harness.kernel.naive.calling import call
from harness.kernel.naive.equality import nothing_omitted
from harness.kernel.naive.inputs import DecodedInput, SuiteContents, case, object_of_factory
from harness.kernel.naive.oracle import Kill, Oracle, OriginalCall, too_many_steps
from harness.kernel.naive.program import Program
from harness.kernel.naive.sequences import EncodedCall, Performance, Tokens, encoded_calls, root_class
from harness.kernel.naive.views import PerformedCall, SequenceViews, StateViews
from harness.kernel.naive.words import ENDLESS, SubjectJob
from harness.kernel.program.steps import LOAD_BUDGET, budget_for, step_counter
from harness.kernel.specs.spec import load_spec
from harness.model.domains import ComparedFields
from harness.model.finitization import ClassDomain
from harness.model.oracles import ORACLES
from harness.model.outcome import OracleName
from harness.model.routines import Made
from harness.model.sequence import Observation
from harness.model.widened_bounds import extended

Took = Callable[[float | None], object]
"""Called with None before the original runs, and with the seconds that it took before the mutant runs."""


class OriginalFails(Exception):
    """Raised if a run's baseline would reject what the original does."""


class Judge(ABC):
    """One subject and suite with the original loaded. All copies of the program count steps on one counter."""

    _oracle: Oracle
    _copied: Sequence[ClassDomain] = ()

    def __init__(self, job: SubjectJob) -> None:
        self.counter = step_counter()
        self.counter.start(ENDLESS)
        self.spec = load_spec(job.spec_source, job.spec_filename, self.counter)
        self._suite = SuiteContents(Path(job.suite))
        self._original = Program.of(job.text(job.source), self.counter)

    @abstractmethod
    def judge(self, number: int, mutant: Program, took: Took) -> tuple[int, Kill | None]:
        """Run original and mutant on input `number`. Return the mutant's steps, and why the input kills it, if it does.

        Raises:
            OriginalFails: a run's baseline would reject the original's outcome.
        """

    def call_factories(self, mutant: Program) -> None:
        """Call the factories whose objects a run makes when it has loaded a mutant. StepLimit ends the mutant."""
        for domain in self._copied:
            with suppress(Exception):  # calls that take it tell
                object_of_factory(domain, mutant.module)

    @abstractmethod
    def _oracle_of(self, original: ModuleType) -> Oracle:
        """Return the oracle for the original, loaded as this module."""

    def _begin(self) -> None:
        """Have the original as it was loaded, before it did anything."""
        self._original = self._original.afresh()
        self._oracle = self._oracle_of(self._original.module)

    @contextmanager
    def _original_runs(self, took: Took) -> Iterator[None]:
        """Run the original within the block, and tell the seconds that it took.

        Raises:
            OriginalFails: the block raised.
        """
        took(None)
        start = time.perf_counter()
        self.counter.start(ENDLESS)
        with self._original.in_place():
            try:
                yield
            except Exception as error:
                raise OriginalFails(f"{type(error).__name__}: {error}") from None
        took(time.perf_counter() - start)


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


def judge_of(job: SubjectJob) -> Judge:
    """Return the judge for the job's oracle and for the kind of inputs that the job's suite holds."""
    oracle: type[Oracle] = named_in("harness.kernel.naive", ORACLES[OracleName(job.oracle)].naive)
    kind = SequenceJudge if SuiteContents(Path(job.suite)).holds_sequences else StateJudge
    return kind(job, oracle)
