"""The original and the programs that are made from it, as modules: mutants and the probed original."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from functools import cached_property
from types import CodeType, ModuleType

from harness.kernel.judging.oracle import UNLIMITED
from harness.kernel.program.loader import ModuleText, compile_with_ticks, execute, execute_with_ticks, loading
from harness.kernel.program.recompile import Recompiler
from harness.kernel.program.steps import LOAD_BUDGET, StepCounter
from harness.kernel.running.job import MutantOrder, RunJob
from harness.kernel.running.state_leaks import StateLeakDetector


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
    def leftovers(self) -> StateLeakDetector:
        """The detector of programs that leave something to later inputs."""
        if self._metamutant is None:
            return StateLeakDetector(self._job.implementation, self._recompiler.original, self.original)
        self._counter.start(UNLIMITED)
        original = execute_with_ticks(self._job.implementation, self._counter, self._metamutant)
        return StateLeakDetector(self._text(self._job.metamutant or ""), self._metamutant, original)

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
