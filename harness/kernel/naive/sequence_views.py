"""Compares two executions of one call of a sequence, and says why the mutant's is killed, if it is."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from harness.kernel.naive.equality import equal_values
from harness.kernel.naive.sequences import is_object
from harness.kernel.naive.views import Kill, View, limit_recursion, other_outcome, too_many_steps
from harness.kernel.naive.words import ENDLESS, ToldCall
from harness.kernel.program.steps import StepCounter, StepLimit, budget_for
from harness.kernel.specs.spec import Spec
from harness.model.outcome import KillReason, Phase


@dataclass(frozen=True)
class Step:
    """The outcome of one call: the type of its exception, or the value that it returned. `objects` are all objects of
    the sequence by the number of the call that gave them; `arguments` are the call's.
    """

    number: int
    told: ToldCall
    raised: str | None
    returned: Any
    objects: dict[int, Any]
    arguments: Sequence[Any]

    @property
    def constructs(self) -> bool:
        """Whether it was a constructor's call."""
        return self.told.kind == "constructor"

    @property
    def root(self) -> Any:
        """The receiver, or the object that a constructor made."""
        if self.told.receiver is None:
            return self.returned
        return self.objects.get(self.told.receiver)

    @property
    def changeable(self) -> list[Any]:
        """The arguments that the call can have changed, and that are no objects of the sequence."""
        sequence_objects = [held for number, held in self.objects.items() if number != self.number]
        return [held for held in self.arguments if is_object(held) and not any(held is one for one in sequence_objects)]


@dataclass(frozen=True)
class OriginalStep:
    """The original's outcome of one call, as it is compared; `after` is None where the state is not compared.

    `calls`: judging ran the implementation's own code.
    """

    outcome: View
    after: list[View] | None
    steps: int
    judge_steps: int
    calls: bool


@dataclass(frozen=True)
class Judgement:
    """The judge of single calls in one subject's sequences."""

    spec: Spec
    counter: StepCounter
    root: type | None
    concrete: bool
    omits: Callable[[str], bool]

    # -- what is seen ----------------------------------------------------------------------------

    def _is_root(self, value: Any) -> bool:
        return self.root is not None and self.root in type(value).__mro__

    def _outcome(self, step: Step) -> View:
        """Return the view of the call's result or exception. StepLimit passes."""
        limit_recursion()
        returned = step.returned
        if step.raised is not None:
            return "raised", step.raised
        if step.constructs and is_object(returned):
            return "made", type(returned).__qualname__
        try:
            for number, held in step.objects.items():
                if held is returned:
                    return "same", number
            return "returned", self._view(returned)
        except Exception as error:
            return "unclear", type(error).__qualname__

    def _view(self, value: Any) -> View:
        if not self._is_root(value):
            return "value", value
        if not self.spec.rep_ok(value):
            return "invalid", value
        abstraction = self.spec.abstraction
        return ("concrete", value) if abstraction is None else ("abstract", abstraction(value))

    def _after(self, step: Step) -> list[View]:
        """Return the states of all objects, that of the root first."""
        root, abstraction = step.root, self.spec.abstraction
        other_objects = [held for held in step.objects.values() if held is not root]
        is_abstract = abstraction is not None and self._is_root(root)
        views: list[View] = [("abstract", abstraction(root)) if abstraction and is_abstract else ("concrete", root)]
        views += [self._view(held) for held in (*other_objects, *step.changeable)]
        if self.concrete:
            views.append(("concrete", [root, *other_objects, *step.changeable]))
        return views

    def holds(self, step: Step) -> Any:
        """Return the answer of rep_ok for the root after the call."""
        return not self._is_root(step.root) or self.spec.rep_ok(step.root)

    # -- judging ---------------------------------------------------------------------------------

    def observed(self, step: Step, steps: int, looked_at: bool) -> OriginalStep:
        """Return the original's outcome of a call of so many steps.

        Raises:
            ValueError: a run's baseline would reject the outcome.
        """
        counter = self.counter
        counter.start(ENDLESS)
        seen = self._outcome(step)
        steps += counter.spent()
        calls = counter.spent_by_others() > 0
        if seen[0] == "unclear":
            raise ValueError("what the original returned cannot be compared")
        if not looked_at:
            return OriginalStep(seen, None, steps, 0, calls)
        counter.start(ENDLESS)
        if not self.holds(step):
            raise ValueError("a post-state of the original does not satisfy rep_ok")
        after = self._after(step)
        return OriginalStep(seen, after, steps, counter.spent(), calls or counter.spent_by_others() > 0)

    def judge(self, step: Step, steps: int, original: OriginalStep) -> tuple[int, Kill | None]:
        """Return all steps of a mutant's call, with `steps` those before its result was viewed, and its kill if any."""
        budget = budget_for(original.steps)
        seen: View = ("", None)
        if steps <= budget:
            self.counter.start(budget - steps)
            try:
                seen = self._outcome(step)
            except StepLimit:
                pass
            steps += self.counter.spent()
        if steps > budget:
            return steps, too_many_steps(budget)
        if not self._same(seen, original.outcome):
            return steps, other_outcome(seen, original.outcome)
        if original.after is None:
            return steps, None
        self.counter.start(budget_for(original.judge_steps))
        return steps, self._other_state(step, original.after)

    def _other_state(self, step: Step, expected: list[View]) -> Kill | None:
        phase, broken = Phase.REP_OK, KillReason.REP_INVARIANT
        limit_recursion()
        try:
            if not self.holds(step):
                return broken, phase, "the post-state does not satisfy rep_ok"
            phase, broken = Phase.EQUALITY, KillReason.STATE
            views = self._after(step)
        except StepLimit:
            return KillReason.STEP_LIMIT, phase, "checking the post-state takes too many steps"
        except MemoryError:
            return KillReason.MEMORY_LIMIT, phase, "checking the post-state ran out of memory"
        except Exception as error:
            return broken, phase, f"checking the post-state raised {type(error).__qualname__[:200]}"
        if len(views) == len(expected) and all(map(self._equal, views, expected)):
            return None
        return KillReason.STATE, phase, "the post-state differs"

    def _equal(self, left: View, right: View) -> bool:
        if left[0] != right[0]:
            return False
        if left[0] == "abstract":
            return equal_values(left[1], right[1], by_identity=False)
        return equal_values(left[1], right[1], by_identity=left[0] != "value", omits=self.omits)

    def _same(self, left: View, right: View) -> bool:
        if left[0] != "returned" or right[0] != "returned":
            return left == right
        return self._equal(left[1], right[1])
