"""The naive path's postcondition oracle, which calls the spec's own functions by code of its own."""

from __future__ import annotations

import builtins
import copy
import inspect
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from types import ModuleType
from typing import Any, cast

from harness.kernel.naive.equality import UNTOLD
from harness.kernel.naive.inputs import named
from harness.kernel.naive.views import Did, Kill, limit_recursion
from harness.kernel.naive.words import ENDLESS
from harness.kernel.program.steps import StepCounter, StepLimit, budget_for
from harness.kernel.specs.spec import Spec
from harness.model.outcome import KillReason, Phase


@dataclass(frozen=True)
class Asked:
    """A postcondition and the pre-state values that it gets; `steps` were spent on making these values."""

    function: Callable[..., Any] | None
    before: Any
    given: Sequence[Any]
    steps: int

    @property
    def extras(self) -> list[str]:
        """The names of the postcondition's keyword-only parameters."""
        if self.function is None:
            return []
        parameters = inspect.signature(self.function).parameters.values()
        return [parameter.name for parameter in parameters if parameter.kind is parameter.KEYWORD_ONLY]


@dataclass(frozen=True)
class Kept:
    """The original's call: the class of its exception, its steps, and the steps of preparing and checking."""

    raised: str | None
    steps: int
    judge_steps: int


class Promised:
    """Calls the postconditions of one spec; exceptions are made again by their names, among those of `module`."""

    def __init__(self, spec: Spec, counter: StepCounter, module: ModuleType) -> None:
        self._spec = spec
        self._counter = counter
        self._module = module

    def asked(self, name: str, root: Any, arguments: Sequence[Any]) -> Asked:
        """Return the postcondition of the call that is about to run, and spend steps of the running counter on it."""
        already = self._counter.spent()
        function = vars(self._spec.module).get(f"post_{name.replace('.', '_')}")
        if function is None:
            return Asked(None, None, (), 0)
        before, *argument_values = [self._told(value, root, deep=True) for value in (root, *arguments)]
        return Asked(function, before, argument_values, self._counter.spent() - already)

    def original(self, asked: Asked, did: Did, steps: int, holds: Callable[[], Any]) -> Kept:
        """Return the original's outcome.

        Raises:
            ValueError: the call violates its contract.
        """
        self._counter.start(ENDLESS)
        baseline = Kept(did.raised, steps, 0)
        kill = self._wrong(asked, did, baseline, holds)
        if kill is not None or (did.raised and asked.function is not None and "raised" not in asked.extras):
            raise ValueError("the original breaks what its spec promises")
        return Kept(did.raised, steps, asked.steps + self._counter.spent())

    def judged(self, asked: Asked, did: Did, kept: Kept, holds: Callable[[], Any]) -> Kill | None:
        """Return why a mutant's call, which has ended within its steps, is wrong; None if it is not."""
        self._counter.start(budget_for(kept.judge_steps) - asked.steps)
        return self._wrong(asked, did, kept, holds)

    def _wrong(self, asked: Asked, did: Did, kept: Kept, holds: Callable[[], Any]) -> Kill | None:
        is_other = did.raised is not None and did.raised != kept.raised
        if is_other and did.raised == "MemoryError":
            return KillReason.MEMORY_LIMIT, Phase.CALL, "raised MemoryError"
        if is_other and "raised" not in asked.extras:
            return KillReason.EXCEPTION, Phase.CALL, f"raised {str(did.raised)[:200]}"
        phase, reason, subject = Phase.REP_OK, KillReason.REP_INVARIANT, "post-state"
        limit_recursion()
        try:
            if not holds():
                return reason, phase, "the post-state does not satisfy rep_ok"
            phase, reason, subject = Phase.POSTCONDITION, KillReason.POSTCONDITION, "postcondition"
            if asked.function is None or self._answer(asked, did):
                return None
        except StepLimit:
            return KillReason.STEP_LIMIT, phase, f"checking the {subject} takes too many steps"
        except MemoryError:
            return KillReason.MEMORY_LIMIT, phase, f"checking the {subject} ran out of memory"
        except Exception as error:
            return reason, phase, f"checking the {subject} raised {type(error).__qualname__[:200]}"
        if is_other:
            return KillReason.EXCEPTION, Phase.CALL, f"raised {str(did.raised)[:200]}"
        return reason, phase, "the postcondition does not hold"

    def _answer(self, asked: Asked, did: Did) -> Any:
        assert asked.function is not None
        values: dict[str, Callable[[], Any]] = {
            "raised": lambda: None if did.raised is None else self._exception(did.raised),
            "arguments_after": lambda: [self._told(argument, did.root) for argument in did.arguments],
            "program": lambda: self._module,
        }
        keywords = {name: values[name]() for name in asked.extras}
        states = [] if did.root is None else [asked.before, self._told(did.root, did.root)]
        return asked.function(*states, did.returned, *asked.given, **keywords)

    def _told(self, value: Any, root: Any, deep: bool = False) -> Any:
        abstraction = self._spec.abstraction
        if abstraction is not None and (value is root or type(value) is type(root)):
            return abstraction(value)
        # Values that a spec calls opaque are never copied.
        return copy.deepcopy(value, _as_they_are(value)) if deep else value

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


def too_long_before() -> Kill:
    """Return the kill for a pre-state whose preparation takes more steps than the whole judgement may."""
    return KillReason.STEP_LIMIT, Phase.POSTCONDITION, "telling the pre-state takes too many steps"


def untold_before(error: BaseException) -> Kill:
    """Return the kill for a pre-state whose preparation raises an exception."""
    if isinstance(error, MemoryError):
        return KillReason.MEMORY_LIMIT, Phase.POSTCONDITION, "telling the pre-state ran out of memory"
    return (
        KillReason.POSTCONDITION,
        Phase.POSTCONDITION,
        f"telling the pre-state raised {type(error).__qualname__[:200]}",
    )


def _as_they_are(value: Any) -> dict[int, Any]:
    """Return a memo for deepcopy with which the opaque values below stay themselves."""
    memo: dict[int, Any] = {}
    left, seen = [value], set()
    while left and UNTOLD:
        part = left.pop()
        if id(part) in seen:
            continue
        seen.add(id(part))
        if type(part) in UNTOLD:
            memo[id(part)] = part
        elif isinstance(part, dict):
            left += [*part, *part.values()]
        elif isinstance(part, (list, tuple, set, frozenset)):
            left += part
        elif hasattr(part, "__dict__"):
            left += vars(part).values()
    return memo
