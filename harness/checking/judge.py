"""Decides whether a call does what the spec says (exhaustive2003, section 6.1)."""

from __future__ import annotations

import copy
from collections.abc import Callable
from dataclasses import dataclass
from types import ModuleType
from typing import Any

from harness.errors import SpecError
from harness.kernel.inputs.making import opaque_as_it_is
from harness.kernel.inputs.routines import with_keywords
from harness.kernel.program.loader import resolve
from harness.kernel.program.steps import StepCounter, StepLimit
from harness.kernel.specs.contracts import Property
from harness.kernel.specs.spec import Spec
from harness.model.finitization import CallKind, Target

BUDGET = 100_000
"""Steps of the program and its spec on one input. There is no original to compare with, so it is a constant."""

_UNLIMITED = 1 << 62


@dataclass(frozen=True)
class Violation:
    """What is wrong, in a few words."""

    what: str


class Judge:
    """Checks calls on one module; `spec` and `module` spend the steps of `counter`."""

    def __init__(self, spec: Spec, module: ModuleType, counter: StepCounter, has_state: bool = True) -> None:
        self._spec = spec
        self._module = module
        self._counter = counter
        self._has_state = has_state
        counter.start(_UNLIMITED)

    def check(self, checked: Property, target: Target, this: Any, arguments: list[Any]) -> Violation | None:
        """Makes the call (or evaluates the axiom) on a valid input; None where all is well."""
        self._counter.start(BUDGET)
        try:
            if checked.axiom is not None:
                return self._check_axiom(checked, checked.axiom, this, arguments)
            return self._check_call(checked, target, this, arguments)
        except StepLimit:
            return Violation(f"it does not end within {BUDGET:,} steps")
        finally:
            self._counter.start(_UNLIMITED)

    def limited(self, function: Callable[..., Any], *arguments: Any) -> Any:
        """What `function(*arguments)` returns, with its steps limited; raises whatever it raises, or StepLimit."""
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

    def _check_axiom(
        self, checked: Property, axiom: Callable[..., Any], this: Any, arguments: list[Any]
    ) -> Violation | None:
        asked = {"program": self._module} if checked.extras else {}
        try:
            holds = axiom(*[this] * self._has_state, *arguments, **asked)
        except (Exception, SystemExit) as error:
            return Violation(f"the axiom raised {_told(error)}")
        return None if holds else Violation("the axiom does not hold")

    def _check_call(self, checked: Property, target: Target, this: Any, arguments: list[Any]) -> Violation | None:
        post = checked.postcondition
        before = self._view(this, this) if post is not None else None
        given = [self._view(argument, this) for argument in arguments] if post is not None else []
        result, raised = None, None
        try:
            result = self._bound(target, this)(*arguments)
        except (Exception, SystemExit) as error:
            raised = error
        if raised is not None and post is not None and "raised" not in checked.extras:
            return Violation(f"it raised {_told(raised)}")
        try:
            if not self._spec.rep_ok(this):
                return Violation("the post-state does not satisfy rep_ok")
        except Exception as error:
            return Violation(f"rep_ok raised {_told(error)} on the post-state")
        if post is None:
            return None
        try:
            extras = {
                "raised": raised,
                "arguments_after": [self._after(argument, this) for argument in arguments],
                "program": self._module,
            }
            asked = {name: value for name, value in extras.items() if name in checked.extras}
            states = [before, self._after(this, this)] if self._has_state else []
            holds = post(*states, result, *given, **asked)
        except Exception as error:
            return Violation(f"the postcondition raised {_told(error)}")
        return None if holds else Violation("the postcondition does not hold")

    def _view(self, value: Any, this: Any) -> Any:
        """What is kept of a value before the call: the abstract value, or a copy that the call cannot change."""
        if self._is_structure(value, this):
            return self._abstract(value)
        try:
            with opaque_as_it_is():
                return copy.deepcopy(value)
        except Exception as error:
            raise SpecError(
                f"{self._spec.module.__file__}: postconditions get copies of what was before a call, and a "
                f"{type(value).__name__} cannot be copied ({_told(error)}); define abstraction(state), which tells it"
            ) from None

    def _after(self, value: Any, this: Any) -> Any:
        return self._abstract(value) if self._is_structure(value, this) else value

    def _is_structure(self, value: Any, this: Any) -> bool:
        return self._spec.abstraction is not None and (value is this or type(value) is type(this))

    def _abstract(self, value: Any) -> Any:
        assert self._spec.abstraction is not None
        return self._spec.abstraction(value)


def _told(error: BaseException) -> str:
    text = " ".join(str(error).split())
    return f"{type(error).__name__}: {text}" if text else type(error).__name__
