"""The naive path's oracles: they say why a mutant's call is distinguished from the original's, if it is.

An oracle judges calls on states and calls of sequences alike; `naive.views` has the differences between them.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from types import ModuleType
from typing import Any

from harness.kernel.naive.calling import PerformedCall, limit_recursion
from harness.kernel.naive.views import View, Views
from harness.kernel.naive.words import ENDLESS
from harness.kernel.program.steps import StepCounter, StepLimit, budget_for
from harness.kernel.specs.spec import Spec
from harness.model.outcome import KillReason, Phase

Kill = tuple[KillReason, Phase, str]


@dataclass(frozen=True)
class OriginalCall:
    """The original's outcome of one call, as it is compared.

    Attributes:
        outcome: the view of its result or exception.
        after: the views of the state after it; None if they are not compared.
        steps: the steps of the call.
        judge_steps: the steps of judging its post-state.
    """

    outcome: View
    after: list[View] | None
    steps: int
    judge_steps: int


_MORE_FRAMES = 2
"""How many more frames than on the fast path there are above rep_ok when the oracle asks it of a post-state."""


class Oracle:
    """The differential oracle: compares what a call returns or raises, then the state after it.

    Args:
        views: shows calls.
        module: the original.
    """

    needs_pre_state = False
    """Whether it looks at the state before a call."""

    looks_at_states = True
    """Whether it looks at the state after a call."""

    def __init__(self, views: Views, spec: Spec, counter: StepCounter, module: ModuleType) -> None:
        self._views = views
        self._spec = spec
        self._counter = counter
        self._module = module

    def of(self, views: Views) -> Oracle:
        """Return the same oracle with other views."""
        return type(self)(views, self._spec, self._counter, self._module)

    def pre_state(self, name: str | None, root: Any, arguments: Sequence[Any]) -> Any:
        """Return what has to be known of the state before a call of the routine `name`; None if nothing has."""
        return None

    def pre_state_of_mutant(
        self, original: OriginalCall, name: str | None, root: Any, arguments: Sequence[Any]
    ) -> tuple[Any, Kill | None]:
        """Return what `pre_state` returns, or why the mutant is killed before the call."""
        return None, None

    def observed(self, call: PerformedCall, steps: int, with_state: bool, pre_state: Any = None) -> OriginalCall:
        """Return the original's outcome of a call of so many steps.

        Raises:
            ValueError: a run's baseline would reject the outcome.
        """
        counter = self._counter
        counter.start(ENDLESS)
        outcome = self._views.outcome(call)
        steps += counter.spent()
        if outcome[0] == "unclear":
            raise ValueError("what the original returned cannot be compared")
        if not (with_state and self.looks_at_states):
            return OriginalCall(outcome, None, steps, 0)
        counter.start(ENDLESS)
        limit_recursion(_MORE_FRAMES)
        if not self._holds(call):
            raise ValueError("a post-state of the original does not satisfy rep_ok")
        after = self._after(call)
        return OriginalCall(outcome, after, steps, counter.spent())

    def judge(
        self, call: PerformedCall, steps: int, original: OriginalCall, pre_state: Any = None
    ) -> tuple[int, Kill | None]:
        """Return all steps of a mutant's call, with `steps` those before its result was viewed, and its kill if any."""
        budget = budget_for(original.steps)
        outcome: View = ("", None)
        if steps <= budget:
            self._counter.start(budget - steps)
            try:
                outcome = self._views.outcome(call)
            except StepLimit:
                pass
            steps += self._counter.spent()
        if steps > budget:
            return steps, too_many_steps(budget)
        if not self._views.same_outcome(outcome, original.outcome):
            return steps, _other_outcome(outcome, original.outcome)
        if original.after is None:
            return steps, None
        self._counter.start(budget_for(original.judge_steps))
        return steps, self._other_state(call, original.after)

    def _holds(self, call: PerformedCall) -> Any:
        return self._views.holds(call)

    def _after(self, call: PerformedCall) -> list[View]:
        return self._views.after(call)

    def _other_state(self, call: PerformedCall, expected: list[View]) -> Kill | None:
        phase, broken = Phase.REP_OK, KillReason.REP_INVARIANT
        limit_recursion(_MORE_FRAMES)
        try:
            if not self._holds(call):
                return broken, phase, "the post-state does not satisfy rep_ok"
            phase, broken = Phase.EQUALITY, KillReason.STATE
            views = self._after(call)
        except StepLimit:
            return KillReason.STEP_LIMIT, phase, "checking the post-state takes too many steps"
        except MemoryError:
            return KillReason.MEMORY_LIMIT, phase, "checking the post-state ran out of memory"
        except Exception as error:
            return broken, phase, f"checking the post-state raised {type(error).__qualname__[:200]}"
        if len(views) == len(expected) and all(map(self._views.equal, views, expected)):
            return None
        return KillReason.STATE, phase, "the post-state differs"


class PublicOracle(Oracle):
    """Compares only the values that calls return and the exceptions that they raise."""

    looks_at_states = False


class ObserversOracle(Oracle):
    """Compares what observers, methods of the program, answer instead of states."""

    def _holds(self, call: PerformedCall) -> Any:
        return True

    def _after(self, call: PerformedCall) -> list[View]:
        structures = self._views.structures(call)
        return [self._answer(structure, name, call) for structure in structures for name in self._spec.observers]

    def _answer(self, structure: Any, name: str, call: PerformedCall) -> View:
        try:
            answer = getattr(structure, name)()
        except Exception as error:
            return "raised", type(error).__qualname__
        return self._views.answer(answer, call)


def too_many_steps(budget: int) -> Kill:
    """Return the kill for a call that has spent its budget."""
    return KillReason.STEP_LIMIT, Phase.CALL, f"more than {budget} steps"


def _other_outcome(outcome: View, original: View) -> Kill:
    """Return the kill for a call with another outcome."""
    if outcome == ("raised", "MemoryError"):
        return KillReason.MEMORY_LIMIT, Phase.CALL, "raised MemoryError"
    if outcome[0] == "raised":
        return KillReason.EXCEPTION, Phase.CALL, f"raised {outcome[1][:200]}"
    if original[0] == "raised":
        return KillReason.EXCEPTION, Phase.CALL, f"did not raise {original[1]}"
    return KillReason.OUTPUT, Phase.CALL, "returned another value"
