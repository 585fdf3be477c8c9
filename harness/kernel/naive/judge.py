"""The judge of mutants: it runs original and mutant side by side, in the process of the mutant."""

from __future__ import annotations

import random
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from types import CodeType, ModuleType
from typing import Any

from harness.did_you_mean import named_in
from harness.kernel.naive.equality import Omits, nothing_omitted
from harness.kernel.naive.inputs import (
    SequenceRun,
    StateRun,
    SuiteContents,
    Tokens,
    case,
    object_of_factory,
    root_class,
)
from harness.kernel.naive.oracle import Kill, Oracle, OriginalCall, StateViews, Views, too_many_steps
from harness.kernel.naive.words import ENDLESS, SubjectJob
from harness.kernel.program.loader import (
    LOAD_BUDGET,
    ModuleText,
    StepCounter,
    budget_for,
    compile_with_ticks,
    execute_with_ticks,
    step_counter,
)
from harness.kernel.specs.spec import load_spec
from harness.model.domains import ComparedFields
from harness.model.finitization import ClassDomain, Finitization
from harness.model.outcome import ORACLES, OracleName
from harness.model.routines import Made
from harness.model.sequence import Observation, SequenceScope


@dataclass
class Program:
    """A loaded program: its module, and the modules that imports within its functions are to find.

    `chance` is the state of `random`, if it may draw.
    """

    module: ModuleType
    companions: dict[str, ModuleType]
    text: ModuleText
    counter: StepCounter
    code: CodeType
    chance: Any

    @classmethod
    def of(cls, text: ModuleText, counter: StepCounter, code: CodeType | None = None) -> Program:
        """Load a copy of a program."""
        code = compile_with_ticks(text) if code is None else code
        module = execute_with_ticks(text, counter, code)
        draws = any("random" in each.source for each in (text, *text.companions))
        chance = random.getstate() if draws else None
        return cls(module, _loaded(text), text, counter, code, chance)

    def afresh(self) -> Program:
        """Return the program as it was loaded, before it did anything."""
        self.counter.start(ENDLESS)
        return Program.of(self.text, self.counter, self.code)

    @contextmanager
    def in_place(self) -> Iterator[ModuleType]:
        """Have `sys.modules` name this copy's companions within the block, and `random` go on as this copy left it."""
        for name in _loaded(self.text):
            del sys.modules[name]
        sys.modules.update(self.companions)
        if self.chance is not None:
            random.setstate(self.chance)
        try:
            yield self.module
        finally:
            self.companions = _loaded(self.text)  # with those that its functions have imported
            if self.chance is not None:
                self.chance = random.getstate()


def _loaded(text: ModuleText) -> dict[str, ModuleType]:
    """Return the modules of a program of several files that are in `sys.modules`, by their names."""
    names = [text.name, *(companion.name for companion in text.companions)] if text.companions else []
    return {name: sys.modules[name] for name in names if name in sys.modules}


Took = Callable[[float | None], object]
"""Called with None before the original runs, and with the seconds that it took before the mutant runs."""


class OriginalFails(Exception):
    """Raised if a run's baseline would reject what the original does."""


class Judge:
    """One subject and suite with the original loaded. All copies of the program count steps on one counter.

    A mutant's next call is judged before any later call changes its objects.
    """

    def __init__(self, job: SubjectJob) -> None:
        self.counter = step_counter()
        self.counter.start(ENDLESS)
        self.spec = load_spec(job.spec_source, job.spec_filename, self.counter)
        self._suite = SuiteContents(Path(job.suite))
        self._original = Program.of(job.implementation, self.counter)
        self._bounds: Finitization | SequenceScope
        self._copied: list[ClassDomain] = []
        self._tokens: Tokens = {}
        if self._suite.holds_sequences:
            declared = self.spec.sequences(job.scope, job.implementation.source)
            self._bounds = scope = declared.extended(self._suite.outside)
            values = (value for routine in scope.routines for p in routine.parameters for value in p.values)
            self._copied = [value.domain for value in values if isinstance(value, Made) and value.domain.compared]
            self._omits: Omits = scope.omission() or nothing_omitted
        else:
            bounds = self.spec.finitization(job.scope)
            self._bounds = bounds.extended(self._suite.outside)
            self._omits = ComparedFields(unordered=frozenset(bounds.unordered_fields))
        self._kind: type[Oracle] = named_in("harness.kernel.naive", ORACLES[OracleName(job.oracle)].naive)
        self._concrete = job.concrete
        self._oracle = self._oracle_of(self._original.module)
        self._looks_at_all = Observation(job.observed) is Observation.EVERY_CALL

    def call_factories(self, mutant: Program) -> None:
        """Call the factories whose objects a run makes when it has loaded a mutant. StepLimit ends the mutant."""
        for domain in self._copied:
            with suppress(Exception):  # calls that take it tell
                object_of_factory(domain, mutant.module)

    def judge(self, number: int, mutant: Program, took: Took) -> tuple[int, Kill | None]:
        """Run original and mutant on input `number`. Return the mutant's steps, and why the input kills it, if it does.

        Raises:
            OriginalFails: a run's baseline would reject the original's outcome.
        """
        if not isinstance(self._bounds, SequenceScope):
            with self._original_runs(took):
                self._check_state(case(self._suite, number, self._bounds, self._original.module))
        self._original = self._original.afresh()  # before it did anything
        self._oracle = self._oracle_of(self._original.module)
        mutant = mutant.afresh()
        self.counter.start(ENDLESS)
        with self._original.in_place() as module:
            original = self._run(number, module)
        self.counter.start(LOAD_BUDGET)
        with mutant.in_place() as module:
            run = self._run(number, module)
        oracle = self._oracle.of(self._views_of(mutant.module))
        steps = 0
        while not run.is_over:
            place = run.place
            with self._original_runs(took):
                expected = self._observed_next(original)
            with mutant.in_place():
                spent, kill = self._judged_next(run, expected, oracle)
            steps += spent
            if kill is not None:
                reason, phase, detail = kill
                return steps, (reason, phase, place + detail)
        return steps, None

    def _run(self, number: int, module: ModuleType) -> StateRun | SequenceRun:
        """Return an input with objects of its own, before its first call."""
        if not isinstance(self._bounds, SequenceScope):
            return case(self._suite, number, self._bounds, module)
        return SequenceRun(module, self._bounds, self._suite.sequence(number), self._tokens)

    def _views_of(self, module: ModuleType) -> Views:
        """Return the views of the objects of a module."""
        if not isinstance(self._bounds, SequenceScope):
            return StateViews(self.spec, self._concrete, self._omits, None)
        return Views(self.spec, self._concrete, self._omits, root_class(module, self._bounds.root))

    def _oracle_of(self, original: ModuleType) -> Oracle:
        """Return the oracle for the original, loaded as this module."""
        return self._kind(self._views_of(original), self.spec, self.counter, original)

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

    def _check_state(self, run: StateRun) -> None:
        is_valid = run.any_state or self.spec.rep_ok(run.root)
        if not (is_valid and (run.requires is None or run.requires(run.root, *run.arguments))):
            raise ValueError("a pre-state does not satisfy rep_ok or the precondition")

    def _observed_next(self, run: StateRun | SequenceRun) -> OriginalCall:
        """Return the original's outcome of the next call."""
        counter, oracle = self.counter, self._oracle
        if isinstance(run, SequenceRun) and run.requires is not None:
            _, receiver, arguments = run.routine()
            if not run.requires(receiver, *arguments):
                raise ValueError("a precondition does not hold")
        counter.start(ENDLESS)
        pre_state = oracle.pre_state(*run.routine()) if oracle.needs_pre_state else None
        counter.start(ENDLESS)
        performed = run.perform()
        return oracle.observed(performed, counter.spent(), self._looks_at_all or run.is_over, pre_state)

    def _judged_next(
        self, run: StateRun | SequenceRun, original: OriginalCall, oracle: Oracle
    ) -> tuple[int, Kill | None]:
        """Run a mutant's next call."""
        pre_state = None
        if oracle.needs_pre_state:
            pre_state, kill = oracle.pre_state_of_mutant(original, *run.routine())
            if kill is not None:
                return 0, kill
        budget = budget_for(original.steps)
        self.counter.start(budget)
        performed = run.perform()
        spent = self.counter.spent()
        if spent > budget:
            return spent, too_many_steps(budget)
        return oracle.judge(performed, spent, original, pre_state)
