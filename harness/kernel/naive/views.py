"""Compares two executions, and says why the mutant's is distinguished from the original's, if it is."""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from harness.kernel.naive.equality import equal_values
from harness.kernel.naive.words import ENDLESS
from harness.kernel.program.recursion import RECURSION_LIMIT
from harness.kernel.program.steps import StepCounter, StepLimit, budget_for
from harness.kernel.specs.spec import Spec
from harness.model.outcome import KillReason, Phase

Kill = tuple[KillReason, Phase, str]
View = tuple[str, Any]

UNSEEN: View = ("left", None)
"""The view of a root or an argument that is not compared after the call."""


@dataclass(frozen=True)
class Did:
    """The outcome of a call: the type of its exception, or the value that it returned; root and arguments after it."""

    raised: str | None
    returned: Any
    root: Any
    arguments: Sequence[Any]


@dataclass(frozen=True)
class Original:
    """The original's outcome on one input, as it is compared, with the steps of the call and of judging its post-state.

    `calls`: judging ran the implementation's own code.
    """

    outcome: View
    after: list[View]
    steps: int
    judge_steps: int
    calls: bool


def call(function: Callable[..., Any], passed: Sequence[Any]) -> tuple[str | None, Any]:
    """Run a call. Return the type of the exception that it raises, if it does, and the value that it returns."""
    limit_recursion()
    try:
        return None, function(*passed)
    except BaseException as error:
        return type(error).__qualname__, None


def limit_recursion() -> None:
    """Allow as many frames as the fast path does, which counts its limit from three frames above the caller."""
    frame, depth = sys._getframe(), 1
    while frame.f_back is not None:
        frame, depth = frame.f_back, depth + 1
    sys.setrecursionlimit(depth - 1 + RECURSION_LIMIT - 2)


# -- views --------------------------------------------------------------------------------------


def outcome(did: Did, spec: Spec) -> View:
    """Return the view of the call's exception or of the value that it returned. StepLimit passes."""
    limit_recursion()
    if did.raised is not None:
        return "raised", did.raised
    try:
        return "returned", view(did.returned, did.root, spec)
    except Exception as error:
        return "unclear", type(error).__qualname__


def view(value: Any, root: Any, spec: Spec) -> View:
    """Return the comparable view of a returned value or an argument: abstract if valid and of the root's class."""
    if value is root:
        return "root", None
    if spec.abstraction is None or type(value) is not type(root):
        return "value", value
    if spec.rep_ok(value):
        return "abstract", spec.abstraction(value)
    return "concrete", value


def after(did: Did, spec: Spec, concrete: bool) -> list[View]:
    """Return the views of the post-state and of the arguments after the call."""
    root = did.root
    views: list[View] = [("concrete", root) if spec.abstraction is None else ("abstract", spec.abstraction(root))]
    views += [view(argument, root, spec) for argument in did.arguments]
    if concrete:
        views.append(("concrete", [root, *did.arguments]))
    return views


def equal(left: View, right: View) -> bool:
    """Return whether two views show the same."""
    return left[0] == right[0] and equal_values(left[1], right[1], by_identity=left[0] == "concrete")


def same_outcome(left: View, right: View) -> bool:
    """Return whether two calls had the same outcome."""
    if left[0] != "returned" or right[0] != "returned":
        return left == right
    return equal(left[1], right[1])


def answers(roots: Sequence[Any], spec: Spec, view_of: Callable[[Any], View]) -> list[View]:
    """Call the spec's observers of each object. Return the views of their results or exceptions. StepLimit passes."""
    views: list[View] = []
    for root in roots:
        for name in spec.observers:
            try:
                answer = getattr(root, name)()
            except Exception as error:
                views.append(("raised", type(error).__qualname__))
            else:
                views.append(view_of(answer))
    return views


# -- judging -------------------------------------------------------------------------------------


def observed(did: Did, steps: int, spec: Spec, counter: StepCounter, concrete: bool) -> Original:
    """Return the original's outcome, with views of the post-state, after a call of so many steps.

    Raises:
        ValueError: a run's baseline would reject the outcome.
    """
    did_only = observed_call(did, steps, spec, counter)
    counter.start(ENDLESS)
    if not spec.rep_ok(did.root):
        raise ValueError("a post-state of the original does not satisfy rep_ok")
    views = after(did, spec, concrete)
    calls = did_only.calls or counter.spent_by_others() > 0
    return Original(did_only.outcome, views, did_only.steps, counter.spent(), calls)


def observed_call(did: Did, steps: int, spec: Spec, counter: StepCounter) -> Original:
    """Return the original's outcome after a call of so many steps, without the post-state.

    Raises:
        ValueError: the outcome cannot be compared.
    """
    counter.start(ENDLESS)
    seen = outcome(did, spec)
    steps += counter.spent()
    if seen[0] == "unclear":
        raise ValueError("what the original returned cannot be compared")
    return Original(seen, [UNSEEN] * (1 + len(did.arguments)), steps, 0, counter.spent_by_others() > 0)


def judge(
    did: Did, steps: int, original: Original, spec: Spec, counter: StepCounter, concrete: bool
) -> tuple[int, Kill | None]:
    """Return all steps of a mutant's call, with `steps` those before its result was viewed, and its kill, if any."""
    steps, kill = judged_call(did, steps, original, spec, counter)
    if kill is None:
        counter.start(budget_for(original.judge_steps))
        kill = _other_state(did, original, spec, concrete)
    return steps, kill


def judged_call(did: Did, steps: int, original: Original, spec: Spec, counter: StepCounter) -> tuple[int, Kill | None]:
    """Judge like `judge`, but ignore the post-state."""
    budget = budget_for(original.steps)
    seen: View = ("", None)
    if steps <= budget:
        counter.start(budget - steps)
        try:
            seen = outcome(did, spec)
        except StepLimit:
            pass
        steps += counter.spent()
    if steps > budget:
        return steps, too_many_steps(budget)
    if not same_outcome(seen, original.outcome):
        return steps, other_outcome(seen, original.outcome)
    return steps, None


def too_many_steps(budget: int) -> Kill:
    """Return the kill for a call that has spent its budget."""
    return KillReason.STEP_LIMIT, Phase.CALL, f"more than {budget} steps"


def other_outcome(seen: View, original: View) -> Kill:
    """Return the kill for a call with another outcome."""
    if seen == ("raised", "MemoryError"):
        return KillReason.MEMORY_LIMIT, Phase.CALL, "raised MemoryError"
    if seen[0] == "raised":
        return KillReason.EXCEPTION, Phase.CALL, f"raised {seen[1][:200]}"
    if original[0] == "raised":
        return KillReason.EXCEPTION, Phase.CALL, f"did not raise {original[1]}"
    return KillReason.OUTPUT, Phase.CALL, "returned another value"


def other_answers(did: Did, original: Original, spec: Spec) -> Kill | None:
    """Compare the answers of a mutant's observers with those of the original's."""
    limit_recursion()
    try:
        seen = answers(roots_of(did), spec, lambda answer: view(answer, did.root, spec))
    except StepLimit:
        return KillReason.STEP_LIMIT, Phase.EQUALITY, "checking the post-state takes too many steps"
    except MemoryError:
        return KillReason.MEMORY_LIMIT, Phase.EQUALITY, "checking the post-state ran out of memory"
    except Exception as error:
        return KillReason.STATE, Phase.EQUALITY, f"checking the post-state raised {type(error).__qualname__[:200]}"
    if all(map(equal, seen, original.after)):
        return None
    return KillReason.STATE, Phase.EQUALITY, "the post-state differs"


def roots_of(did: Did) -> list[Any]:
    """List the object whose observers are asked, where there is one."""
    return [] if did.root is None else [did.root]


def _other_state(did: Did, original: Original, spec: Spec, concrete: bool) -> Kill | None:
    phase, broken = Phase.REP_OK, KillReason.REP_INVARIANT
    limit_recursion()
    try:
        if not spec.rep_ok(did.root):
            return broken, phase, "the post-state does not satisfy rep_ok"
        phase, broken = Phase.EQUALITY, KillReason.STATE
        views = after(did, spec, concrete)
    except StepLimit:
        return KillReason.STEP_LIMIT, phase, "checking the post-state takes too many steps"
    except MemoryError:
        return KillReason.MEMORY_LIMIT, phase, "checking the post-state ran out of memory"
    except Exception as error:
        return broken, phase, f"checking the post-state raised {type(error).__qualname__[:200]}"
    if all(map(equal, views, original.after)):
        return None
    return KillReason.STATE, phase, "the post-state differs"
