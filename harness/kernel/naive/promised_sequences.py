"""The naive judge of sequences under the postcondition oracle.

The pre-state of a call is read from the mutant's own objects at that time, so it judges in the mutant's process.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from harness.kernel.naive.job import SubjectJob
from harness.kernel.naive.promises import Asked, Kept, Promised, too_long_before, untold_before
from harness.kernel.naive.sequence_judge import SequenceJudge
from harness.kernel.naive.sequence_views import Judgement, OriginalStep, Step
from harness.kernel.naive.sequences import Performance
from harness.kernel.naive.views import Did, Kill, too_many_steps
from harness.kernel.naive.words import ENDLESS, ToldCall
from harness.kernel.program.steps import StepLimit, budget_for


class PromisedSequenceJudge(SequenceJudge):
    """A judge of sequences that checks calls against the contracts of the spec."""

    def __init__(self, job: SubjectJob) -> None:
        super().__init__(job)
        self._promised = Promised(self.spec, self.counter, self._original)

    def _observed_next(self, run: Performance) -> tuple[OriginalStep, bool]:
        counter = self.counter
        counter.start(ENDLESS)
        pending = self._asked(run)
        counter.start(ENDLESS)
        raised, returned, arguments = run.next()
        spent = counter.spent()
        step = self._step(run, raised, returned, arguments)
        baseline = self._promised.original(pending, _did(step), spent, lambda: self._judgement.holds(step))
        return OriginalStep(("raised", raised), None, baseline.steps, baseline.judge_steps, calls=True), False

    def _is_same_on_live_objects(
        self, suite_calls: Sequence[tuple[int, Sequence[int]]], first: int, original: OriginalStep
    ) -> bool:
        return True  # it compares what calls do, which is not asked here

    def _judged_next(self, run: Performance, original: OriginalStep, judgement: Judgement) -> tuple[int, Kill | None]:
        counter = self.counter
        counter.start(budget_for(original.judge_steps))
        try:
            pending = self._asked(run)
        except StepLimit:
            return 0, too_long_before()
        except Exception as error:
            return 0, untold_before(error)
        budget = budget_for(original.steps)
        counter.start(budget)
        raised, returned, arguments = run.next()
        spent = counter.spent()
        if spent > budget:
            return spent, too_many_steps(budget)
        step = self._step(run, raised, returned, arguments)
        baseline = Kept(original.outcome[1], original.steps, original.judge_steps)
        return spent, self._promised.judged(pending, _did(step), baseline, lambda: judgement.holds(step))

    def _asked(self, run: Performance) -> Asked:
        call: ToldCall = run.calls[run.done]
        if call.kind == "constructor":
            return Asked(None, None, (), 0)
        arguments = [run.results[at] if is_earlier else run.values[at] for is_earlier, at in call.arguments]
        return self._promised.asked(call.name, run.results[call.receiver or 0], arguments)

    @staticmethod
    def _step(run: Performance, raised: str | None, returned: Any, arguments: Sequence[Any]) -> Step:
        at = run.done - 1
        return Step(at, run.calls[at], raised, returned, run.objects(), arguments)


def _did(step: Step) -> Did:
    return Did(step.raised, step.returned, step.root, step.arguments)
