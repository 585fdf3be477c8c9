"""Defines a suite for the zygote, for each kind of its inputs: states with one call each, or sequences of calls."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable
from functools import partial
from types import ModuleType

from harness.did_you_mean import named_in
from harness.kernel.inputs.suites import SuiteReader
from harness.kernel.judging.baseline import Baseline
from harness.kernel.judging.endless import LoopDetector
from harness.kernel.judging.isolation import names_read
from harness.kernel.judging.judge import Judge, SequenceJudge, StateJudge
from harness.kernel.judging.oracle import UNLIMITED, Oracle
from harness.kernel.judging.prefix_cache import PrefixCache, is_closed
from harness.kernel.judging.prepared import Inputs, SequenceProgram, StateInputs
from harness.kernel.judging.propagation import InfectingCalls, Lineage, PropagationFilter
from harness.kernel.judging.rules import Rule, SequenceRule, StateRule
from harness.kernel.judging.state_key import kinds_of
from harness.kernel.objects.module_state import ModuleState
from harness.kernel.program.steps import StepCounter
from harness.kernel.running.job import RunJob
from harness.kernel.running.loaded_suite import bounds_of, space_of
from harness.kernel.running.original import Original, OriginalSequences, OriginalStates, run_original
from harness.kernel.specs.spec import Spec
from harness.model.domains import ComparedFields
from harness.model.oracles import ORACLES
from harness.model.outcome import OracleName
from harness.model.sequence import Observation

Started = Callable[[int], None]

_JUDGING = "harness.kernel.judging"
"""The package in which the places of oracles are (`OracleKind`)."""


class SuiteKind(ABC):
    """A suite with its spec, for any number of modules.

    Attributes:
        oracle: the oracle that observes executions.

    Raises (on making):
        SpecError: the bounds of its inputs are unusable.
    """

    oracle: Oracle

    def __init__(self, job: RunJob, suite: SuiteReader, spec: Spec, counter: StepCounter) -> None:
        self._suite = suite
        self._spec = spec
        self._files = job.files
        kind: type[Oracle] = named_in(_JUDGING, ORACLES[OracleName(job.oracle)].judging)
        self.oracle = kind(spec, counter, self._rule(job), Observation(job.observed))

    @abstractmethod
    def _rule(self, job: RunJob) -> Rule:
        """Read the bounds of the inputs, and return the rule that encodes their calls."""

    @property
    def is_apart(self) -> bool:
        """Whether judging the observed inputs has run nothing of the program, as far as this is checked."""
        return self.oracle.is_apart

    @abstractmethod
    def inputs(self, module: ModuleType, kept: ModuleState | None = None) -> Inputs:
        """Return the inputs on a module; what it keeps is put back before each."""

    @abstractmethod
    def original(self, module: ModuleType, kept: ModuleState | None = None) -> Original:
        """Return the inputs on the original, to be shown and observed; what it keeps is put back before each."""

    @abstractmethod
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
            kept: what the mutant keeps, to be put back before each input; None: nothing.
            last_calls: of sequences, which inputs' last calls may infect it; None: this is unknown.
            closed: whether it is known to be a closed program.
        """

    def keeps_nothing(self, original: ModuleType) -> bool:
        """Return whether no part of inputs or spec can be changed by a program that changes only its objects."""
        return False

    def observe(
        self,
        original: ModuleType,
        numbers: Iterable[int],
        baseline: Baseline,
        started: Started,
        kept: ModuleState | None = None,
    ) -> None:
        """Run the original on inputs, as `run_original` does; what it keeps is put back before each."""
        run_original(self.original(original, kept), self.oracle, numbers, baseline, started, self._files)


def kind_of(job: RunJob, suite: SuiteReader, spec: Spec, counter: StepCounter) -> SuiteKind:
    """Return the suite's kind.

    Raises:
        SpecError: the bounds of its inputs are unusable.
    """
    return (_Sequences if suite.holds_sequences else _States)(job, suite, spec, counter)


class _States(SuiteKind):
    """State inputs."""

    def _rule(self, job: RunJob) -> Rule:
        self._space = space_of(self._spec, job.scope, self._suite)
        omits = ComparedFields(unordered=frozenset(self._spec.finitization(job.scope).unordered_fields))
        return StateRule(self._spec, job.concrete, omits)

    def inputs(self, module: ModuleType, kept: ModuleState | None = None) -> StateInputs:
        self.oracle.runs_on(module)
        return StateInputs(module, self._spec, self._space, self._suite, kept)

    def original(self, module: ModuleType, kept: ModuleState | None = None) -> OriginalStates:
        return OriginalStates(self.inputs(module, kept), self._suite, self.oracle)

    def judge(
        self,
        mutant: ModuleType,
        baseline: Baseline,
        last_calls: InfectingCalls | None = None,
        closed: bool = False,
        kept: ModuleState | None = None,
    ) -> Judge:
        watch = None if self.oracle.by_promises else LoopDetector(mutant, self._space.finitization, closed)
        return StateJudge(self.oracle, self.inputs(mutant, kept).prepare, baseline, watch)

    @property
    def is_apart(self) -> bool:
        return False

    def keeps_nothing(self, original: ModuleType) -> bool:
        reads_states_only = not self.oracle.by_promises and names_read(self._spec) is not None
        return reads_states_only and kinds_of(self._space.finitization, original) is not None


class _Sequences(SuiteKind):
    """Sequences of calls."""

    def _rule(self, job: RunJob) -> Rule:
        self._spec_source = job.spec_source
        self._bounds = bounds_of(self._spec, job.scope, job.implementation.source, self._suite)
        self._lineage = Lineage(self._suite)  # here, as each mutant has a process of its own
        return SequenceRule(self._spec, job.concrete, self._bounds.omission())

    def inputs(self, module: ModuleType, kept: ModuleState | None = None) -> SequenceProgram:
        self.oracle.runs_on(module)
        return SequenceProgram(module, self._bounds, self._suite, kept)

    def original(self, module: ModuleType, kept: ModuleState | None = None) -> OriginalSequences:
        self.oracle.counter.start(UNLIMITED)
        return OriginalSequences(
            self.inputs(module, kept), module, self._suite, self.oracle, self._prefix_cache(module)
        )

    def judge(
        self,
        mutant: ModuleType,
        baseline: Baseline,
        last_calls: InfectingCalls | None = None,
        closed: bool = False,
        kept: ModuleState | None = None,
    ) -> Judge:
        propagation = None
        if last_calls is not None:
            propagation = PropagationFilter(
                self._suite, self._lineage, baseline, last_calls, mutant, self._closed(mutant)
            )
        prepare = self.inputs(mutant, kept).prepare
        return SequenceJudge(self.oracle, prepare, baseline, self._prefix_cache(mutant), propagation)

    def _prefix_cache(self, module: ModuleType) -> PrefixCache:
        """Return the memory of calls on a module."""
        return PrefixCache(self._suite, self.oracle.counter, self._closed(module))

    def _closed(self, module: ModuleType) -> Callable[[], bool]:
        """Return a check whether the behaviour of a module's calls depends only on their objects and arguments."""
        return partial(is_closed, module, self._spec, self._spec_source, self._bounds, self.oracle.by_promises)
