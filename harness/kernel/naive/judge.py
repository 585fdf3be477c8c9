"""The judges of mutants, which run only the original and read answers of processes that they do not trust.

The state after a mutant's call is rebuilt with the original's classes and judged here, out of the mutant's reach.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType
from typing import Any, Generic, TypeVar

from harness.kernel.naive.graphs import graph_of
from harness.kernel.naive.inputs import SuiteContents
from harness.kernel.naive.job import SubjectJob
from harness.kernel.naive.observation_cache import Remembered
from harness.kernel.naive.oracle import Kill, Oracle, OriginalCall, too_many_steps
from harness.kernel.naive.rebuilding import Malformed, rebuilt
from harness.kernel.naive.views import PerformedCall
from harness.kernel.naive.words import ENDLESS, SequenceInput, StateInput
from harness.kernel.program.loader import execute_with_ticks
from harness.kernel.program.steps import StepLimit, budget_for, step_counter
from harness.kernel.specs.spec import load_spec
from harness.model.outcome import KillReason, Phase

REBUILDING_BUDGET = 1_000_000


@dataclass(frozen=True)
class JudgedInput:
    """An input as the executor gets it, and how long the original took (T_o).

    `inside`: a mutant cannot be judged from outside here, because the original itself cannot. Either judging calls the
    implementation, or the original's own post-state is not judged as valid and equal once it is rebuilt.
    """

    input: StateInput | SequenceInput
    seconds: float
    inside: bool


ExpectedInput = TypeVar("ExpectedInput", bound=JudgedInput)


class Judge(ABC, Generic[ExpectedInput]):
    """One subject and suite with the original loaded."""

    _oracle: Oracle

    calls_to_kill = 0
    """The number of calls up to the killing one in the last answer judged, if others were run after it; else 0."""

    def __init__(self, job: SubjectJob) -> None:
        self.counter = step_counter()
        self.counter.start(ENDLESS)
        self.spec = load_spec(job.spec_source, job.spec_filename, self.counter)
        self._suite = SuiteContents(Path(job.suite))
        self._text = job.text(job.source)
        self._original = execute_with_ticks(self._text, self.counter)
        self._expected_inputs = Remembered(self._observe)

    def expected(self, number: int) -> ExpectedInput:
        """Return the original's outcome on input `number`.

        Raises:
            ValueError: a run's baseline would reject the outcome.
        """
        return self._expected_inputs.of(number)

    @abstractmethod
    def _observe(self, number: int) -> ExpectedInput:
        """Run the original on input `number`."""

    @abstractmethod
    def judge(self, number: int, line: str) -> tuple[int, Kill | None]:
        """Return the steps that a mutant's answer reports, and why the input kills the mutant, if it does.

        Raises:
            Malformed: the line is no answer to this input.
        """

    @abstractmethod
    def judge_here(self, number: int, module: ModuleType) -> tuple[int, Kill | None]:
        """Run a mutant on input `number` in this process. Return its steps, and why the input kills it, if it does."""

    def _graph_of(self, roots: list[Any]) -> Any:
        """Encode objects of the original as a graph; return the exception's name if that is impossible."""
        try:
            return graph_of(roots, self._original.__name__)
        except Exception as error:
            return type(error).__name__

    def _rebuilt(self, graph: object) -> list[Any]:
        """Return the objects of a graph, made of the original's classes."""
        if not isinstance(graph, str):
            return rebuilt(graph, self._original)
        if graph in ("MemoryError", "GraphTooLarge"):
            raise MemoryError
        raise Malformed(f"the post-state cannot be told: {graph[:200]}")

    def _rebuilt_call(
        self, steps: int, original: OriginalCall, rebuild: Callable[[], PerformedCall]
    ) -> PerformedCall | Kill:
        """Rebuild a mutant's call that took so many steps; return a kill if it exceeds a limit."""
        if steps > budget_for(original.steps):
            return too_many_steps(budget_for(original.steps))
        try:
            self.counter.start(REBUILDING_BUDGET)
            with self._oracle.rebuilding():
                return rebuild()
        except StepLimit:
            return KillReason.STEP_LIMIT, Phase.EQUALITY, "checking the post-state takes too many steps"
        except MemoryError:
            return KillReason.MEMORY_LIMIT, Phase.EQUALITY, "the post-state is too large"
        except Malformed:
            raise
        except Exception as error:  # of a hash or an equality that the original's classes have
            raise Malformed(f"rebuilding the post-state raised {type(error).__name__}") from None
