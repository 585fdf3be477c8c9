"""The naive judge of sequences under the public oracle, which ignores post-states."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from harness.kernel.naive.job import SubjectJob
from harness.kernel.naive.rebuilding import Unseen
from harness.kernel.naive.sequence_judge import SequenceJudge
from harness.kernel.naive.sequence_views import Judgement, OriginalStep, Step
from harness.kernel.naive.sequences import Performance
from harness.kernel.naive.views import View, answers
from harness.kernel.naive.words import Part, ToldCall
from harness.kernel.program.steps import StepLimit


class PublicSequenceJudge(SequenceJudge):
    """A judge of sequences that compares only the values that calls return and the exceptions that they raise."""

    def _looks_at_state(self, run: Performance) -> bool:
        return False

    def _rebuilt(self, call: ToldCall, number: int, part: Part) -> Step:
        with needed_for_results_only():
            return super()._rebuilt(call, number, part)


@dataclass(frozen=True)
class ObserversJudgement(Judgement):
    """Judges by the answers of observers instead of states."""

    def holds(self, step: Step) -> Any:
        """Return True: no state is checked."""
        return True

    def _after(self, step: Step) -> list[View]:
        root = step.root
        held = [root, *(step.objects[number] for number in sorted(step.objects) if step.objects[number] is not root)]

        def view_of(answer: Any) -> View:
            same = [number for number in sorted(step.objects) if step.objects[number] is answer]
            return ("same", same[0]) if same else self._view(answer)

        return answers([one for one in held if self._is_root(one)], self.spec, view_of)


class ObserversSequenceJudge(SequenceJudge):
    """A judge of sequences that calls observers; these are methods of the mutant, so it runs in its process."""

    def __init__(self, job: SubjectJob) -> None:
        super().__init__(job)
        self._judgement = ObserversJudgement(**vars(self._judgement))

    def _observed_next(self, run: Performance) -> tuple[OriginalStep, bool]:
        step, _ = super()._observed_next(run)
        return step, False


@contextmanager
def needed_for_results_only() -> Iterator[None]:
    """Turn any failure to rebuild a state into `Unseen`, since it says nothing about the returned value."""
    try:
        yield
    except (StepLimit, Exception) as error:
        raise Unseen(f"what a call left cannot be made again ({type(error).__name__})") from None
