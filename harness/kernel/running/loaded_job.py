"""Loads a job once, with the original and the programs that are made from it: mutants and the probed original."""

from __future__ import annotations

import gc
from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import cached_property
from pathlib import Path
from types import CodeType, ModuleType

from harness.kernel.inputs.suites import SuiteReader
from harness.kernel.judging.baseline import Baseline
from harness.kernel.judging.isolation import IsolatedProgram
from harness.kernel.judging.oracle import UNLIMITED
from harness.kernel.judging.prepared import Inputs
from harness.kernel.objects.module_state import ModuleState
from harness.kernel.program.loader import ModuleText, compile_with_ticks, execute, execute_with_ticks, loading
from harness.kernel.program.recompile import Recompiler
from harness.kernel.program.steps import LOAD_BUDGET, StepCounter, step_counter
from harness.kernel.running.baseline_slices import read_baseline, source_of
from harness.kernel.running.job import MutantOrder, RunJob
from harness.kernel.running.judged_suite import JudgedSuite
from harness.kernel.specs.spec import load_spec


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
