"""The naive path's oracles: they say why a mutant's call is distinguished from the original's, if it is.

An oracle judges calls on states and calls of sequences alike; `Views` has the differences between them.
"""

from __future__ import annotations

import builtins
import copy
import inspect
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from types import ModuleType
from typing import Any, cast

from harness.kernel.naive.equality import UNTOLD, Omits, equal_values, nothing_omitted
from harness.kernel.naive.inputs import PerformedCall, below, is_object, limit_recursion, named
from harness.kernel.naive.words import ENDLESS
from harness.kernel.program.loader import StepCounter, StepLimit, budget_for
from harness.kernel.specs.spec import Spec
from harness.model.outcome import KillReason, Phase

View = tuple[str, Any]

_BY_IDENTITY = ("concrete", "invalid")
"""Views of objects whose inner sharing is compared, too."""


class Views:
    """Shows the calls of sequences. A structure is an object whose class derives from the root's class.

    Args:
        spec: rep_ok and abstraction.
        concrete: True if post-states are compared by structure, too.
        omits: the names of attributes that are not compared.
        root_class: the root's class; None if there is none.
    """

    def __init__(self, spec: Spec, concrete: bool, omits: Omits, root_class: type | None) -> None:
        self._spec = spec
        self._concrete = concrete
        self._omits = omits
        self._root_class = root_class

    def _is_structure(self, value: Any, root: Any) -> bool:
        return self._root_class is not None and self._root_class in type(value).__mro__

    def outcome(self, call: PerformedCall) -> View:
        """Return the view of the call's exception, or of the value that it returned. StepLimit passes."""
        limit_recursion(more=2)
        if call.raised is not None:
            return "raised", call.raised
        try:
            return self.returned(call)
        except Exception as error:
            return "unclear", type(error).__qualname__

    def returned(self, call: PerformedCall) -> View:
        """Return the view of the value that a call returned."""
        if call.constructs and is_object(call.returned):
            return "made", type(call.returned).__qualname__
        answer = self.answer(call.returned, call)
        return answer if answer[0] == "same" else ("returned", answer)

    def answer(self, answer: Any, call: PerformedCall) -> View:
        """Return the view of a value that the program gives after the call, as an observer's answer."""
        same = [number for number, held in call.objects.items() if held is answer]
        return ("same", same[0]) if same else self._view(answer, call.root)

    def _view(self, value: Any, root: Any) -> View:
        if value is root:
            return "root", None
        if not self._is_structure(value, root):
            return "value", value
        if not self._spec.rep_ok(value):
            return "invalid", value
        abstraction = self._spec.abstraction
        return ("concrete", value) if abstraction is None else ("abstract", abstraction(value))

    def holds(self, call: PerformedCall) -> Any:
        """Return the answer of rep_ok for the root after the call."""
        return not self._is_structure(call.root, call.root) or self._spec.rep_ok(call.root)

    def after(self, call: PerformedCall) -> list[View]:
        """Return the views of the objects after the call, that of the root first."""
        root, abstraction = call.root, self._spec.abstraction
        is_abstract = abstraction is not None and self._is_structure(root, root)
        views: list[View] = [("abstract", abstraction(root)) if abstraction and is_abstract else ("concrete", root)]
        other_parts = [*call.other_objects, *call.changeable]
        views += [self._view(held, root) for held in other_parts]
        if self._concrete:
            views.append(("concrete", [root, *other_parts]))
        return views

    def structures(self, call: PerformedCall) -> list[Any]:
        """Return the objects after the call whose observers may be asked."""
        return [held for held in (call.root, *call.other_objects) if self._is_structure(held, call.root)]

    def equal(self, left: View, right: View) -> bool:
        """Return True if two views show the same."""
        if left[0] != right[0]:
            return False
        omits = nothing_omitted if left[0] == "abstract" else self._omits
        is_told = left[0] != "abstract"  # the spec means a mapping by a dict
        return equal_values(left[1], right[1], by_identity=left[0] in _BY_IDENTITY, omits=omits, ordered=is_told)

    def same_outcome(self, left: View, right: View) -> bool:
        """Return True if two calls had the same outcome."""
        if left[0] != "returned" or right[0] != "returned":
            return left == right
        return self.equal(left[1], right[1])


class StateViews(Views):
    """Shows calls on states. With an abstraction, a structure is an object of the root's own class."""

    def _is_structure(self, value: Any, root: Any) -> bool:
        return self._spec.abstraction is not None and type(value) is type(root)

    def holds(self, call: PerformedCall) -> Any:
        return self._spec.rep_ok(call.root)

    def structures(self, call: PerformedCall) -> list[Any]:
        return [] if call.root is None else [call.root]


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
            is_same = len(views) == len(expected) and all(map(self._views.equal, views, expected))
        except StepLimit:
            return KillReason.STEP_LIMIT, phase, "checking the post-state takes too many steps"
        except MemoryError:
            return KillReason.MEMORY_LIMIT, phase, "checking the post-state ran out of memory"
        except Exception as error:
            return broken, phase, f"checking the post-state raised {type(error).__qualname__[:200]}"
        return None if is_same else (KillReason.STATE, phase, "the post-state differs")


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


@dataclass(frozen=True)
class PendingPostcondition:
    """A postcondition with the values before a call that it gets.

    Attributes:
        function: the postcondition; None if the call has none.
        root: the structure before the call, abstracted or copied.
        arguments: the call's arguments before it, abstracted or copied.
        steps: the steps of making these values.
    """

    function: Callable[..., Any] | None
    root: Any
    arguments: Sequence[Any]
    steps: int

    @property
    def extras(self) -> list[str]:
        """The names of the postcondition's keyword-only parameters."""
        if self.function is None:
            return []
        parameters = inspect.signature(self.function).parameters.values()
        return [parameter.name for parameter in parameters if parameter.kind is parameter.KEYWORD_ONLY]


class PostconditionOracle(Oracle):
    """Checks calls against the contracts of the spec (field_exhaustive2016, section 6).

    An exception that a postcondition asks for is made again by its name, among those of the original's module.
    """

    needs_pre_state = True

    def pre_state(self, name: str | None, root: Any, arguments: Sequence[Any]) -> PendingPostcondition:
        """Return the promise of the call that is about to run, and spend steps of the running counter on it.

        Args:
            name: the routine; None for a constructor, of which nothing is promised.
        """
        spent = self._counter.spent()
        function = None if name is None else vars(self._spec.module).get(f"post_{name.replace('.', '_')}")
        if function is None:
            return PendingPostcondition(None, None, (), 0)
        before, *arguments_before = [self._abstract_value(value, root, deep=True) for value in (root, *arguments)]
        return PendingPostcondition(function, before, arguments_before, self._counter.spent() - spent)

    def pre_state_of_mutant(
        self, original: OriginalCall, name: str | None, root: Any, arguments: Sequence[Any]
    ) -> tuple[PendingPostcondition | None, Kill | None]:
        """Return the promise of a mutant's call, or the kill if its values cannot be made within the judge's steps."""
        self._counter.start(budget_for(original.judge_steps))
        try:
            return self.pre_state(name, root, arguments), None
        except StepLimit:
            reason, detail = KillReason.STEP_LIMIT, "takes too many steps"
        except MemoryError:
            reason, detail = KillReason.MEMORY_LIMIT, "ran out of memory"
        except Exception as error:
            reason, detail = KillReason.POSTCONDITION, f"raised {type(error).__qualname__[:200]}"
        return None, (reason, Phase.POSTCONDITION, f"telling the pre-state {detail}")

    def observed(self, call: PerformedCall, steps: int, with_state: bool, pre_state: Any = None) -> OriginalCall:
        """Return the original's outcome.

        Raises:
            ValueError: the call violates its contract.
        """
        promise: PendingPostcondition = pre_state
        self._counter.start(ENDLESS)
        original = OriginalCall(("raised", call.raised), None, steps, 0)
        kill = self._violation(promise, call, original)
        if kill is not None or (call.raised and promise.function is not None and "raised" not in promise.extras):
            raise ValueError("the original breaks what its spec promises")
        return OriginalCall(original.outcome, None, steps, promise.steps + self._counter.spent())

    def judge(
        self, call: PerformedCall, steps: int, original: OriginalCall, pre_state: Any = None
    ) -> tuple[int, Kill | None]:
        self._counter.start(budget_for(original.judge_steps) - pre_state.steps)
        return steps, self._violation(pre_state, call, original)

    def _violation(self, promise: PendingPostcondition, call: PerformedCall, original: OriginalCall) -> Kill | None:
        """Return why a call that has ended within its steps is wrong; None if it is not."""
        is_other = call.raised is not None and call.raised != original.outcome[1]
        if is_other and call.raised == "MemoryError":
            return KillReason.MEMORY_LIMIT, Phase.CALL, "raised MemoryError"
        if is_other and "raised" not in promise.extras:
            return KillReason.EXCEPTION, Phase.CALL, f"raised {str(call.raised)[:200]}"
        phase, reason, subject = Phase.REP_OK, KillReason.REP_INVARIANT, "post-state"
        limit_recursion(more=1)
        try:
            if not self._views.holds(call):
                return reason, phase, "the post-state does not satisfy rep_ok"
            phase, reason, subject = Phase.POSTCONDITION, KillReason.POSTCONDITION, "postcondition"
            if promise.function is None or self._answer(promise, call):
                return None
        except StepLimit:
            return KillReason.STEP_LIMIT, phase, f"checking the {subject} takes too many steps"
        except MemoryError:
            return KillReason.MEMORY_LIMIT, phase, f"checking the {subject} ran out of memory"
        except Exception as error:
            return reason, phase, f"checking the {subject} raised {type(error).__qualname__[:200]}"
        if is_other:
            return KillReason.EXCEPTION, Phase.CALL, f"raised {str(call.raised)[:200]}"
        return reason, phase, "the postcondition does not hold"

    def _answer(self, promise: PendingPostcondition, call: PerformedCall) -> Any:
        assert promise.function is not None
        values: dict[str, Callable[[], Any]] = {
            "raised": lambda: None if call.raised is None else self._exception(call.raised),
            "arguments_after": lambda: [self._abstract_value(argument, call.root) for argument in call.arguments],
            "program": lambda: self._module,
        }
        keywords = {name: values[name]() for name in promise.extras}
        states = [] if call.root is None else [promise.root, self._abstract_value(call.root, call.root)]
        return promise.function(*states, call.returned, *promise.arguments, **keywords)

    def _abstract_value(self, value: Any, root: Any, deep: bool = False) -> Any:
        """Return the abstract state of a structure. Return another value as it is, or copied if `deep`."""
        abstraction = self._spec.abstraction
        if abstraction is not None and (value is root or type(value) is type(root)):
            return abstraction(value)
        # Values that a spec calls opaque are never copied.
        opaque = [part for part in below([value], in_objects=True) if type(part) in UNTOLD]
        return copy.deepcopy(value, {id(part): part for part in opaque}) if deep else value

    def _exception(self, name: str) -> BaseException:
        """Make an exception of that class; its message is not known here."""
        exception_class: Any = getattr(builtins, name, None)
        try:
            exception_class = named(self._module, name)
        except AttributeError:
            pass
        if not isinstance(exception_class, type) or not issubclass(exception_class, BaseException):
            exception_class = type(name, (Exception,), {})
        kind: Any = exception_class
        return cast(BaseException, kind.__new__(kind))
