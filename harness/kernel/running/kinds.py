"""Defines a suite for the zygote, for each kind of its inputs: states with one call each, or sequences of calls."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import partial
from types import ModuleType
from typing import Protocol

from harness.did_you_mean import named_in
from harness.kernel.inputs.call_source import show_sequence
from harness.kernel.inputs.suites import SuiteReader
from harness.kernel.judging.baseline import Baseline
from harness.kernel.judging.endless import LoopDetector
from harness.kernel.judging.judge import Judge, PlainJudge
from harness.kernel.judging.oracle import Kill, Oracle
from harness.kernel.judging.prefix_cache import PrefixCache, is_closed
from harness.kernel.judging.prepared import Inputs, StateInputs
from harness.kernel.judging.prepared_sequences import SequenceProgram
from harness.kernel.judging.propagation import InfectingCalls, Lineage, PropagationFilter
from harness.kernel.judging.rules import Rule, SequenceRule, StateRule
from harness.kernel.judging.sequence_judge import SequenceJudge
from harness.kernel.judging.spec_reading import names_read
from harness.kernel.judging.state_key import kinds_of
from harness.kernel.objects.module_state import ModuleState
from harness.kernel.program.steps import StepCounter
from harness.kernel.running.job import RunJob
from harness.kernel.running.loaded_suite import bounds_of, space_of
from harness.kernel.running.original import OriginalSequences, OriginalStates, run_original, show_input
from harness.kernel.specs.spec import Spec
from harness.model.domains import ComparedFields
from harness.model.oracles import ORACLES
from harness.model.outcome import OracleName
from harness.model.sequence import Observation

Started = Callable[[int], None]

_JUDGING = "harness.kernel.judging"
"""The package in which the places of oracles are (`OracleKind`)."""


class Judging(Protocol):
    """Runs one mutant on inputs, as `Judge` does."""

    surplus: int

    def is_known_survivor(self, number: int) -> bool:
        """Return whether input `number` is known not to kill the mutant, without running it."""

    def judge(self, number: int) -> Kill | None:
        """Return the kill of the mutant on input `number`; None if it does not kill."""


class SuiteKind(Protocol):
    """A suite with its spec, for any number of modules."""

    @property
    def oracle(self) -> Oracle:
        """The oracle that observes executions."""

    @property
    def is_apart(self) -> bool:
        """Whether judging the observed inputs has run nothing of the program, as far as this is checked."""

    def show(self, original: ModuleType, number: int) -> str:
        """Return input `number` as text."""

    def observe(
        self,
        original: ModuleType,
        numbers: Iterable[int],
        baseline: Baseline,
        started: Started,
        kept: ModuleState | None = None,
    ) -> None:
        """Run the original on inputs, as `run_original` does; what it keeps is put back before each."""

    def inputs(self, module: ModuleType, kept: ModuleState | None = None) -> Inputs:
        """Return the inputs on a module; what it keeps is put back before each."""

    def judge(
        self,
        mutant: ModuleType,
        baseline: Baseline,
        last_calls: InfectingCalls | None = None,
        closed: bool = False,
        kept: ModuleState | None = None,
    ) -> Judging:
        """Return the judge of a mutant.

        Args:
            kept: what the mutant keeps, to be put back before each input; None: nothing.
            last_calls: of sequences, which inputs' last calls may infect it; None: this is unknown.
            closed: whether it is known to be a closed program.
        """

    def keeps_nothing(self, original: ModuleType, baseline: Baseline) -> bool:
        """Return whether no part of inputs or spec can be changed by a program that changes only its objects."""


def kind_of(job: RunJob, suite: SuiteReader, spec: Spec, counter: StepCounter) -> SuiteKind:
    """Return the suite's kind.

    Raises:
        SpecError: the bounds of its inputs are unusable.
    """
    return (_Sequences if suite.holds_sequences else _States)(job, suite, spec, counter)


def _oracle(job: RunJob, spec: Spec, counter: StepCounter, rule: Rule) -> Oracle:
    kind: type[Oracle] = named_in(_JUDGING, ORACLES[OracleName(job.oracle)].judging)
    return kind.for_run(spec, counter, rule, Observation(job.observed))


class _States:
    """State inputs."""

    is_apart = False

    def __init__(self, job: RunJob, suite: SuiteReader, spec: Spec, counter: StepCounter) -> None:
        omits = ComparedFields(unordered=frozenset(spec.finitization(job.scope).unordered_fields))
        self.oracle = _oracle(job, spec, counter, StateRule(spec, job.concrete, omits))
        self._suite = suite
        self._spec = spec
        self._files = job.files
        self._space = space_of(spec, job.scope, suite)
        self._original_program: StateInputs | None = None

    def _program(self, module: ModuleType, kept: ModuleState | None = None) -> StateInputs:
        self.oracle.runs_on(module)
        return StateInputs(module, self._spec, self._space, self._suite, kept)

    def show(self, original: ModuleType, number: int) -> str:
        if self._original_program is None or self._original_program.module is not original:
            self._original_program = self._program(original)
        return show_input(self._original_program, self._suite, number)

    def observe(
        self,
        original: ModuleType,
        numbers: Iterable[int],
        baseline: Baseline,
        started: Started,
        kept: ModuleState | None = None,
    ) -> None:
        states = OriginalStates(self._program(original, kept), self._suite, self.oracle)
        run_original(states, self.oracle, numbers, baseline, started, self._files)

    def inputs(self, module: ModuleType, kept: ModuleState | None = None) -> Inputs:
        return self._program(module, kept)

    def judge(
        self,
        mutant: ModuleType,
        baseline: Baseline,
        last_calls: InfectingCalls | None = None,
        closed: bool = False,
        kept: ModuleState | None = None,
    ) -> Judging:
        prepare = self._program(mutant, kept).prepare
        if self.oracle.by_promises:
            return PlainJudge(self.oracle, prepare, baseline)
        return Judge(self.oracle, prepare, baseline, LoopDetector(mutant, self._space.finitization, closed))

    def keeps_nothing(self, original: ModuleType, baseline: Baseline) -> bool:
        reads_states_only = not self.oracle.by_promises and names_read(self._spec) is not None
        return reads_states_only and kinds_of(self._space.finitization, original) is not None


class _Sequences:
    """Sequences of calls."""

    def __init__(self, job: RunJob, suite: SuiteReader, spec: Spec, counter: StepCounter) -> None:
        self.oracle = _oracle(job, spec, counter, SequenceRule(spec, job.concrete))
        self._suite = suite
        self._spec = spec
        self._files = job.files
        self._bounds = bounds_of(spec, job.scope, job.implementation.source, suite)
        self._spec_source = job.spec_source
        self._lineage = Lineage(suite)  # here, as each mutant has a process of its own

    @property
    def is_apart(self) -> bool:
        return self.oracle.is_apart

    def show(self, original: ModuleType, number: int) -> str:
        return show_sequence(self._bounds, self._suite.sequence(number))

    def observe(
        self,
        original: ModuleType,
        numbers: Iterable[int],
        baseline: Baseline,
        started: Started,
        kept: ModuleState | None = None,
    ) -> None:
        self.oracle.runs_on(original)
        sequences = OriginalSequences(
            original, self._bounds, self._suite, self.oracle, self._prefix_cache(original), kept
        )
        run_original(sequences, self.oracle, numbers, baseline, started, self._files)

    def _prefix_cache(self, module: ModuleType) -> PrefixCache:
        """Return the memory of calls on a module."""
        return PrefixCache(self._suite, self.oracle.counter, self._closed(module))

    def _closed(self, module: ModuleType) -> Callable[[], bool]:
        """Return a check whether the behaviour of a module's calls depends only on their objects and arguments."""
        return partial(is_closed, module, self._spec, self._spec_source, self._bounds, self.oracle.by_promises)

    def inputs(self, module: ModuleType, kept: ModuleState | None = None) -> SequenceProgram:
        self.oracle.runs_on(module)
        return SequenceProgram(module, self._bounds, self._suite, kept)

    def judge(
        self,
        mutant: ModuleType,
        baseline: Baseline,
        last_calls: InfectingCalls | None = None,
        closed: bool = False,
        kept: ModuleState | None = None,
    ) -> Judging:
        prefix_cache, propagation = self._prefix_cache(mutant), None
        if last_calls is not None:
            propagation = PropagationFilter(
                self._suite, self._lineage, baseline, last_calls, mutant, self._closed(mutant)
            )
        prepare = self.inputs(mutant, kept).prepare
        return SequenceJudge(self.oracle, prepare, baseline, prefix_cache, propagation)

    def keeps_nothing(self, original: ModuleType, baseline: Baseline) -> bool:
        return False
