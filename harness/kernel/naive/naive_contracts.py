"""The naive path's postcondition oracle, which calls the spec's own functions by code of its own."""

from __future__ import annotations

import builtins
import copy
import inspect
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, cast

from harness.kernel.naive.calling import PerformedCall, below, limit_recursion
from harness.kernel.naive.equality import UNTOLD
from harness.kernel.naive.inputs import named
from harness.kernel.naive.oracle import Kill, Oracle, OriginalCall
from harness.kernel.naive.words import ENDLESS
from harness.kernel.program.steps import StepLimit, budget_for
from harness.model.outcome import KillReason, Phase


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
