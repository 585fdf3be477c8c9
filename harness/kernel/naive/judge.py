"""The judges of mutants: each runs original and mutant side by side, in the process of the mutant."""

from __future__ import annotations

import time
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from types import ModuleType

from harness.did_you_mean import named_in
from harness.kernel.naive.inputs import SuiteContents, object_of_factory
from harness.kernel.naive.job import SubjectJob
from harness.kernel.naive.oracle import Kill, Oracle
from harness.kernel.naive.program import Program
from harness.kernel.naive.words import ENDLESS
from harness.kernel.program.steps import step_counter
from harness.kernel.specs.spec import load_spec
from harness.model.finitization import ClassDomain
from harness.model.oracles import ORACLES
from harness.model.outcome import OracleName

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
        if self._original.keeps:
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


def judge_of(job: SubjectJob) -> Judge:
    """Return the judge for the job's oracle and for the kind of inputs that the job's suite holds."""
    from harness.kernel.naive.sequence_judge import SequenceJudge
    from harness.kernel.naive.state_judge import StateJudge

    oracle: type[Oracle] = named_in("harness.kernel.naive", ORACLES[OracleName(job.oracle)].naive)
    kind = SequenceJudge if SuiteContents(Path(job.suite)).holds_sequences else StateJudge
    return kind(job, oracle)
