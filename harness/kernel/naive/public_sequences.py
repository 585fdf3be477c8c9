"""The naive judge of sequences under the public oracle: nobody looks at what calls leave."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from harness.kernel.naive.rebuilding import Unseen
from harness.kernel.naive.sequence_judge import SequenceJudge
from harness.kernel.naive.sequence_views import Step
from harness.kernel.naive.sequences import Performance, ToldCall
from harness.kernel.program.steps import StepLimit


class PublicSequenceJudge(SequenceJudge):
    """One subject and suite of sequences, of whose calls only that counts which they return or raise."""

    def _looks_at_state(self, run: Performance) -> bool:
        return False

    def _rebuilt(self, call: ToldCall, number: int, raised: str | None, numbers: list[int], graph: Any) -> Step:
        with needed_for_results_only():
            return super()._rebuilt(call, number, raised, numbers, graph)


@contextmanager
def needed_for_results_only() -> Iterator[None]:
    """Turns whatever keeps a state from being made again into `Unseen`, as it says nothing of what a call returned."""
    try:
        yield
    except (StepLimit, Exception) as error:
        raise Unseen(f"what a call left cannot be made again ({type(error).__name__})") from None
