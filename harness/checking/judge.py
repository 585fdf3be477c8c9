"""Decides whether a call satisfies the spec (exhaustive2003, section 6.1)."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from types import ModuleType
from typing import Any, NamedTuple

from harness.kernel.inputs.routines import with_keywords
from harness.kernel.judging.postcondition import CallPostcondition, Contracts
from harness.kernel.judging.prepared import ReturnedOrRaised, outcome_of
from harness.kernel.program.loader import StepCounter, StepLimit, resolve
from harness.kernel.specs.contracts import Property
from harness.kernel.specs.spec import Spec
from harness.model.finitization import CallKind, Target
from harness.model.sequence import DEFAULT_MISUSES, is_misuse

BUDGET = 100_000
"""The steps that the program and its spec may take on one input. No original could determine the number."""

_UNLIMITED = 1 << 62


class CallCheck(NamedTuple):
    """The outcome of a call or an axiom on one input.

    Attributes:
        violation: a short description of the violation, or None.
        refused: whether a call without a postcondition raised an exception of misuse (decision 111).
    """

    violation: str | None
    refused: bool = False


class CallChecker:
    """Checks calls on one module; `spec` and `module` spend the steps of `counter`.

    `misuses` are names of the exceptions that a routine without postcondition may raise.
    """

    def __init__(
        self,
        spec: Spec,
        module: ModuleType,
        counter: StepCounter,
        has_state: bool = True,
        misuses: Iterable[str] = DEFAULT_MISUSES,
    ) -> None:
        self._spec = spec
        self._promises = Contracts(spec)
        self._module = module
        self._counter = counter
        self._has_state = has_state
        self._misuses = tuple(misuses)
        counter.start(_UNLIMITED)

    def check(self, checked: Property, target: Target, this: Any, arguments: list[Any]) -> CallCheck:
        """Make the call, or evaluate the axiom, on a valid input."""
        try:
            if checked.axiom is not None:
                return CallCheck(self.limited(self._check_axiom, checked, checked.axiom, this, arguments))
            checked_call: CallCheck = self.limited(self._check_call, target, this, arguments)
            return checked_call
        except StepLimit:
            return CallCheck(f"it does not end within {BUDGET:,} steps")

    def limited(self, function: Callable[..., Any], *arguments: Any) -> Any:
        """Return `function(*arguments)`, with its steps limited; raise its exceptions, or StepLimit."""
        self._counter.start(BUDGET)
        try:
            return function(*arguments)
        finally:
            self._counter.start(_UNLIMITED)

    def _bound(self, target: Target, this: Any) -> Callable[..., Any]:
        if target.kind is CallKind.METHOD:
            return with_keywords(getattr(this, target.name), target.keywords)
        function = with_keywords(resolve(self._module, target.name), target.keywords)
        return (lambda *arguments: function(this, *arguments)) if self._has_state else function

    def _check_axiom(self, checked: Property, axiom: Callable[..., Any], this: Any, arguments: list[Any]) -> str | None:
        extras = {"program": self._module} if checked.extras else {}
        holds, raised = outcome_of(lambda: axiom(*[this] * self._has_state, *arguments, **extras))
        if raised is not None:
            return f"the axiom raised {_error_text(raised)}"
        return None if holds else "the axiom does not hold"

    def _check_call(self, target: Target, this: Any, arguments: list[Any]) -> CallCheck:
        promise = self._promises.of(target.name, this, arguments)
        done = outcome_of(lambda: self._bound(target, this)(*arguments))
        if done.raised is not None and not self._is_allowed(promise, done.raised):
            return CallCheck(f"it raised {_error_text(done.raised)}")
        refused = done.raised is not None and promise.post is None
        return CallCheck(self._violation_after(promise, this, arguments, done), refused)

    def _violation_after(
        self, promise: CallPostcondition, this: Any, arguments: list[Any], done: ReturnedOrRaised
    ) -> str | None:
        try:
            if not self._spec.rep_ok(this):
                return "the post-state does not satisfy rep_ok"
        except Exception as error:
            return f"rep_ok raised {_error_text(error)} on the post-state"
        try:
            holds = self._promises.postcondition_result(promise, this, arguments, done, self._module)
        except Exception as error:
            return f"the postcondition raised {_error_text(error)}"
        return None if holds else "the postcondition does not hold"

    def _is_allowed(self, promise: CallPostcondition, error: BaseException) -> bool:
        """Return whether a call may raise that error, before the postcondition is evaluated."""
        if promise.post is None:
            return is_misuse(error, self._misuses)
        return "raised" in promise.post.extras


def _error_text(error: BaseException) -> str:
    text = " ".join(str(error).split())
    return f"{type(error).__name__}: {text}" if text else type(error).__name__
