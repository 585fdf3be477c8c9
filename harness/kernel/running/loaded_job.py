"""Loads a job once: its suite with spec and oracle, the programs made from the original, and its outcomes."""

from __future__ import annotations

import gc
import time
from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from functools import cache, cached_property, partial
from pathlib import Path
from types import CodeType, ModuleType
from typing import Any

from harness.did_you_mean import named_in
from harness.errors import BaselineError
from harness.kernel.inputs.suites import NO_STATE, SuiteReader
from harness.kernel.judging.baseline import Baseline
from harness.kernel.judging.endless import LoopDetector
from harness.kernel.judging.isolation import IsolatedProgram, names_read
from harness.kernel.judging.judge import (
    InfectingCalls,
    Judge,
    Lineage,
    PrefixCache,
    PropagationFilter,
    graph_digest,
    is_closed,
)
from harness.kernel.judging.oracle import UNLIMITED, Oracle, OriginalFailure, Rule, SequenceRule
from harness.kernel.judging.prepared import Inputs, PreparedInput, PreparedSequence, SequenceProgram, StateInputs
from harness.kernel.objects.module_state import ModuleState
from harness.kernel.program.loader import (
    LOAD_BUDGET,
    ModuleText,
    StepCounter,
    compile_with_ticks,
    execute,
    execute_with_ticks,
    limit_recursion,
    loading,
    step_counter,
)
from harness.kernel.program.recompile import Recompiler
from harness.kernel.running.baseline_slices import read_baseline, source_of
from harness.kernel.running.job import MutantOrder, RunJob
from harness.kernel.running.loaded_suite import bounds_of, inputs_of
from harness.kernel.specs.spec import Spec, load_spec
from harness.model.domains import ComparedFields
from harness.model.finitization import DomainKind, Finitization, Structures
from harness.model.outcome import ORACLES, OracleName
from harness.model.sequence import Observation, SequenceScope

_JUDGING = "harness.kernel.judging"
"""The package in which the places of oracles are (`OracleKind`)."""

_CHANGED_ALONE = frozenset({DomainKind.OBJECT, DomainKind.LIST, DomainKind.TOKEN})
"""The kinds of domains of which each state has objects of its own."""


class JudgedSuite:
    """A suite of states with one call each, or of sequences of calls, for any number of modules.

    Attributes:
        oracle: the oracle that observes executions.

    Raises (on making):
        SpecError: the bounds of its inputs are unusable.
    """

    def __init__(self, job: RunJob, suite: SuiteReader, spec: Spec, counter: StepCounter) -> None:
        self._suite = suite
        self._spec = spec
        self._spec_source = job.spec_source
        self._files = job.files
        self._bounds = bounds = bounds_of(spec, job.scope, job.implementation.source, suite)
        if isinstance(bounds, SequenceScope):
            self._lineage = Lineage(suite)  # here, as each mutant has a process of its own
            rule: Rule = SequenceRule(spec, job.concrete, bounds.omission())
        else:
            unordered = frozenset(spec.finitization(job.scope).unordered_fields)
            rule = Rule(spec, job.concrete, ComparedFields(unordered=unordered))
        kind: type[Oracle] = named_in(_JUDGING, ORACLES[OracleName(job.oracle)].judging)
        self.oracle = kind(spec, counter, rule, Observation(job.observed))

    @property
    def is_apart(self) -> bool:
        """Whether judging the observed inputs has run nothing of the program, as far as this is checked."""
        return self._suite.holds_sequences and self.oracle.is_apart

    def inputs(self, module: ModuleType, kept: ModuleState | None = None) -> Inputs:
        """Return the inputs on a module; what it keeps is put back before each."""
        self.oracle.program = module
        return inputs_of(self._suite, self._bounds, module, self._spec, kept)

    def judge(
        self,
        mutant: ModuleType,
        baseline: Baseline,
        last_calls: InfectingCalls | None = None,
        closed: bool = False,
        kept: ModuleState | None = None,
    ) -> Judge:
        """Return the judge of a mutant.

        Args:
            last_calls: of sequences, which inputs' last calls may infect it; None: this is unknown.
            closed: whether it is known to be a closed program.
            kept: what the mutant keeps, to be put back before each input; None: nothing.
        """
        inputs = self.inputs(mutant, kept)
        if isinstance(inputs, StateInputs):
            targets = [target.name for target in inputs.space.finitization.targets]
            watch = None if self.oracle.by_promises else LoopDetector(mutant, targets, closed)
            return Judge(self.oracle, inputs.prepare, baseline, watch)
        assert isinstance(inputs, SequenceProgram)
        propagation, closes = None, self._closed(mutant)
        if last_calls is not None:
            propagation = PropagationFilter(self._suite, self._lineage, baseline, last_calls, mutant, closes)
        prefix_cache = PrefixCache(self._suite, self.oracle.counter, closes)
        return Judge(self.oracle, inputs.prepare, baseline, None, prefix_cache, propagation)

    def keeps_nothing(self) -> bool:
        """Return whether no part of inputs or spec can be changed by a program that changes only its objects."""
        if isinstance(self._bounds, SequenceScope) or self.oracle.by_promises or names_read(self._spec) is None:
            return False
        bounds = self._bounds.finitization
        parameters = [parameter for target in bounds.targets for parameter in target.parameters]
        structures = [parameter.finitization for parameter in parameters if isinstance(parameter, Structures)]
        return all(map(_has_own_objects, [bounds, *structures]))

    def observe(
        self,
        original: ModuleType,
        numbers: Iterable[int],
        baseline: Baseline,
        started: Callable[[int], None],
        kept: ModuleState | None = None,
    ) -> None:
        """Run the original on inputs and add its outcomes to `baseline`; report each input that it starts.

        Args:
            kept: what the original keeps, to be put back before each input; None: nothing.

        Raises:
            BaselineError: an input cannot be a test. Its pre-state does not satisfy rep_ok, or a precondition does not
                hold. Its post-state does not satisfy rep_ok, or cannot be checked. A call takes a result that no
                earlier call gave. The message shows the first such input.
        """
        self.oracle.counter.start(UNLIMITED)
        inputs = self.inputs(original, kept)
        checks = _Checks(inputs, self.oracle, self._spec, original)
        limit_recursion()  # as far above the program as in `run_mutant`: RecursionError comes at equal steps
        closed = self._closed(original) if self._suite.holds_sequences else lambda: False
        clock = time.perf_counter
        for number in numbers:
            started(number)
            start = clock()
            try:
                checks.state, _ = self._suite.input(number)
                self.oracle.counter.start(UNLIMITED)
                observed = self.oracle.observe(inputs.prepare(number), checks.check)
            except _Refused as refusal:
                raise BaselineError(f"input {number}, {inputs.show(number)}: {refusal}") from None
            if isinstance(observed, OriginalFailure):
                place = f"input {number}, {inputs.show(number)}{checks.validity(inputs.prepare(number))}"
                raise BaselineError(f"the original fails on {place}: {observed.detail}; correct {self._files}")
            if self.oracle.is_apart and closed():
                observed = observed._replace(key=checks.keys.get(checks.state, b""))
            baseline.add(observed, clock() - start)
        baseline.untold.update(self.oracle.untold)

    def _closed(self, module: ModuleType) -> Callable[[], bool]:
        """Return a check whether the behaviour of a module's calls depends only on their objects and arguments."""
        assert isinstance(self._bounds, SequenceScope)
        return cache(partial(is_closed, module, self._spec, self._spec_source, self._bounds, self.oracle.by_promises))


def _has_own_objects(bounds: Finitization) -> bool:
    """Return whether the objects of a state are not shared with other states, and are no tuples."""
    values = [value for domain in bounds.domains for _, held in bounds.fields_of(domain) for value in held]
    return tuple not in map(type, values) and all(
        domain.kind in _CHANGED_ALONE and not domain.own for domain in bounds.domains
    )


class _Refused(Exception):
    """Raised for an input that the suite may not hold; its text says why, and what to do."""

    def __init__(self, problem: str) -> None:
        super().__init__(f"{problem}; the suite was made with another spec, generate it again")


class _Checks:
    """What must hold before calls of the original: rep_ok of a state, and the call's own precondition.

    Attributes:
        state: of the input that is observed next.
        keys: those of the states before last calls of sequences.
    """

    def __init__(self, inputs: Inputs, oracle: Oracle, spec: Spec, original: ModuleType) -> None:
        self._inputs = inputs
        self._oracle = oracle
        self._spec = spec
        self._original = original
        self._valid_state = self.state = NO_STATE
        self.keys: dict[int, bytes] = {}

    def check(self, prepared: PreparedInput) -> None:
        """Check what must hold before the next call.

        Raises:
            _Refused: it does not.
        """
        at = ""
        if isinstance(prepared, PreparedSequence):
            number = len(prepared.results) + 1
            at = f"call {number} of {len(prepared.calls)}"
            if number == len(prepared.calls) and self.state not in self.keys:
                self.keys[self.state] = graph_digest(prepared.results, self._original)
        elif not (prepared.any_state or self.state == self._valid_state):
            self._accept(self._spec.rep_ok(prepared.root), prepared, "the pre-state does not satisfy rep_ok")
            self._valid_state = self.state
        try:
            precondition = prepared.precondition()
        except LookupError as error:
            raise _Refused(f"{at} takes a result that there is not ({error})") from None
        if precondition is not None:
            self._accept(precondition(), prepared, f"the precondition{at and f' of {at}'} does not hold")

    def _accept(self, holds: Any, prepared: PreparedInput, problem: str) -> None:
        if not isinstance(prepared, PreparedSequence):
            self._inputs.put_back()  # the spec may have called the program
        self._oracle.check_answer(holds)
        if not holds:
            raise _Refused(problem)

    def validity(self, prepared: PreparedInput) -> str:
        """Return whether rep_ok accepts a pre-state, as words of a message; nothing of a sequence, which has none."""
        if isinstance(prepared, PreparedSequence):
            return ""
        return " from a valid state" if self._spec.rep_ok(prepared.root) else " from a state that rep_ok rejects"


class LoadedJob:
    """A job with its suite, spec and programs, and with the baseline once it was read.

    Attributes:
        judged: the suite with its spec.
        source: a hash of everything that determines the baseline.
        baseline: the outcomes of the original that were read so far.
        alive: reports that the process lives.
    """

    def __init__(self, job: RunJob, alive: Callable[[], None]) -> None:
        counter = step_counter()
        counter.start(UNLIMITED)  # the spec's own loading and finitization spend steps, too
        spec = load_spec(job.spec_source, job.spec_filename, counter)
        suite = SuiteReader(Path(job.suite))
        suite.check()
        self.job = job
        self.alive = alive
        self.judged = JudgedSuite(job, suite, spec, counter)
        self.source = source_of(job, suite.header.digest)
        self.programs = Programs(job, counter)
        self.baseline = Baseline()
        self._baseline_folder = ""

    @cached_property
    def _inputs(self) -> Inputs:
        """The original's inputs, only to be shown."""
        return self.judged.inputs(self.programs.original)

    def show(self, number: int) -> str:
        """Return an input as text, for messages and facts."""
        return self._inputs.show(number)

    def read_baseline(self, folder: str, last: int) -> None:
        """Read the original's outcomes on the inputs before `last`, unless they were read already."""
        if folder != self._baseline_folder or len(self.baseline) < last:
            self.baseline = read_baseline(Path(folder), self.source, last, self.alive)
            self.baseline.steps_before(0)
            self._baseline_folder = folder
            gc.collect()
            gc.freeze()  # children share these pages untouched


class Programs:
    """The programs of one job: the original is loaded, and the metamutant compiled.

    Raises (on making):
        SourceError: the original does not compile, or raises on loading.

    Attributes:
        original: the original's module.
    """

    def __init__(self, job: RunJob, counter: StepCounter) -> None:
        self._job = job
        self._counter = counter
        self._metamutant = None if job.metamutant is None else compile_with_ticks(self._text(job.metamutant))
        text = job.implementation
        with loading(text):
            self._recompiler = Recompiler(text)
            self.original = execute_with_ticks(text, counter, self._recompiler.original)

    @cached_property
    def isolated(self) -> IsolatedProgram | None:
        """The program with which mutants are compared, if no run of it leaves anything behind."""
        text = self._job.implementation
        if text.companions:
            return None
        if self._metamutant is None:
            program = IsolatedProgram(text.source, self._recompiler.original, self.original)
        else:
            self._counter.start(UNLIMITED)
            original = execute_with_ticks(text, self._counter, self._metamutant)
            program = IsolatedProgram(self._job.metamutant or "", self._metamutant, original)
        return program if program.holds else None

    def state_of_original(self, module: ModuleType) -> ModuleState | None:
        """Return the state of the original, loaded as `module`; None if it is known to leave nothing."""
        return ModuleState(module) if self.isolated is None else None

    def state_of_mutant(self, order: MutantOrder, code: CodeType | None, module: ModuleType) -> ModuleState | None:
        """Return the state of a mutant, compiled to `code`; None if it is known to leave nothing."""
        changed = self.changed(order, code)
        closed = self.isolated is not None and changed is not None and self.isolated.holds_with(changed, module)
        return None if closed else ModuleState(module)

    def changed(self, order: MutantOrder, code: CodeType | None) -> list[CodeType] | None:
        """Return the functions that a mutant, compiled to `code`, changes; None if it may leave something behind."""
        if self.isolated is None or code is None:
            return None
        return [] if order.source is None else self.isolated.changed(code)

    def probed(self, source: str, presets: Mapping[str, object]) -> ModuleType:
        """Load the original with probes, which use these values."""
        self._counter.start(UNLIMITED)
        return execute(self._text(source), presets=presets)

    def compiled(self, order: MutantOrder) -> CodeType | None:
        """Return the mutant's code, compiled once for all of its children; None where it does not compile."""
        if order.source is None:
            return self._metamutant
        try:
            return self._recompiler.compile(order.source)
        except (SyntaxError, ValueError, RecursionError, MemoryError):
            return None  # the child comes upon it again, as a fact about loading

    def mutant(self, order: MutantOrder, code: CodeType | None) -> ModuleType:
        """Load a mutant.

        Raises:
            BaseException: its module raises it.
        """
        self._counter.start(LOAD_BUDGET)
        if order.source is not None:
            return execute_with_ticks(self._text(order.source), self._counter, code)
        if self._metamutant is None or order.number is None:
            raise ValueError(f"{order.id}: neither a source nor a number in a metamutant")
        return execute_with_ticks(self._job.implementation, self._counter, code, order.number)

    def _text(self, source: str) -> ModuleText:
        return replace(self._job.implementation, source=source)
