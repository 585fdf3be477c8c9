"""Evaluates a spec's postconditions of single calls on outcomes of the original, or of a mutant (section 6)."""

from __future__ import annotations

import copy
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from harness.errors import SpecError
from harness.kernel.inputs.describe import exception_name
from harness.kernel.judging.oracle import Kill
from harness.kernel.judging.prepared import ReturnedOrRaised
from harness.kernel.objects.content import is_always_true
from harness.kernel.objects.object_creation import opaque_as_it_is
from harness.kernel.objects.reading import ATOMS
from harness.kernel.specs.contracts import Postcondition, postconditions
from harness.kernel.specs.spec import Spec
from harness.model.outcome import KillReason, Phase

BROKEN = Kill(KillReason.POSTCONDITION, Phase.POSTCONDITION, "the postcondition does not hold")

RETURNED = b"R"
"""The outcome of a call that raised nothing; else `raised_outcome`."""


def raised_outcome(error: BaseException | None) -> bytes:
    """Return the outcome that says whether a call raised, and an exception of which class."""
    return RETURNED if error is None else b"E" + exception_name(error).encode()


@dataclass(frozen=True)
class CallPostcondition:
    """A call's postcondition, if it has one, with the pre-state values that it gets."""

    post: Postcondition | None
    before: Any = None
    arguments: Sequence[Any] = ()


NOTHING_PROMISED = CallPostcondition(None)
NOTHING_DONE = ReturnedOrRaised(None, None)


class Contracts:
    """The postconditions of a spec, for one call after the other; the caller starts the step counter."""

    def __init__(self, spec: Spec) -> None:
        self._spec = spec
        self._posts = postconditions(spec.module)

    def of(self, name: str, root: Any, arguments: Sequence[Any]) -> CallPostcondition:
        """Return the postcondition and the pre-state values of the call of the routine `name` that is about to run.

        Raises:
            SpecError: a pre-state value can be neither abstracted nor copied.
        """
        post = self._posts.get(name.replace(".", "_"))
        if post is None:
            return NOTHING_PROMISED
        return CallPostcondition(
            post, self._stable_value(root, root), [self._stable_value(argument, root) for argument in arguments]
        )

    def postcondition_result(
        self, promise: CallPostcondition, root: Any, arguments: Sequence[Any], done: ReturnedOrRaised, program: Any
    ) -> Any:
        """Return the postcondition's answer on a call that is over; True where there is none.

        Args:
            root: the structure as it is now, like `arguments`, those of the call.
        """
        post = promise.post
        if post is None:
            return True
        values: dict[str, Any] = {"raised": done.raised, "program": program}
        if "arguments_after" in post.extras:
            values["arguments_after"] = [self._seen(argument, root) for argument in arguments]
        extras = {name: values[name] for name in post.extras}
        states = () if root is None else (promise.before, self._seen(root, root))
        return post.holds(*states, done.returned, *promise.arguments, **extras)

    def check_answer(self, name: str, answer: Any) -> None:
        """Refuse an answer of a postcondition that is true of every call.

        Raises:
            SpecError: it is a function, or something still to be run.
        """
        if answer is not True and is_always_true(answer):
            raise SpecError(
                f"{self._spec.module.__file__}: the postcondition of {name} returned a {type(answer).__name__}, which "
                "is true of every call; return True or False"
            )

    def _stable_value(self, value: Any, root: Any) -> Any:
        """Return the abstract value, or a copy that the call cannot change."""
        if type(value) in ATOMS:
            return value
        if self._is_structure(value, root):
            return self._seen(value, root)
        try:
            with opaque_as_it_is():
                return copy.deepcopy(value)
        except Exception as error:
            raise SpecError(
                f"{self._spec.module.__file__}: postconditions get copies of the values before a call, and a "
                f"{type(value).__name__} cannot be copied ({exception_name(error)}); define abstraction(state), which "
                "tells it"
            ) from None

    def _seen(self, value: Any, root: Any) -> Any:
        abstraction = self._spec.abstraction
        return abstraction(value) if abstraction is not None and self._is_structure(value, root) else value

    def _is_structure(self, value: Any, root: Any) -> bool:
        """Return whether a postcondition gets the abstract value: of the receiver, and of objects of exactly its class.

        This is the rule of states, in sequences too: the abstract value of a derived class may lack what it adds.
        """
        return self._spec.abstraction is not None and (value is root or type(value) is type(root))


def raises_otherwise(promise: CallPostcondition, done: ReturnedOrRaised, expected: bytes) -> Kill | None:
    """Return the kill for a call whose exception neither the original raises nor a postcondition allows."""
    if done.raised is None or raised_outcome(done.raised) == expected:
        return None
    name = exception_name(done.raised)
    if name == MemoryError.__qualname__:
        return Kill(KillReason.MEMORY_LIMIT, Phase.CALL, "raised MemoryError")
    if promise.post is None or "raised" not in promise.post.extras:
        return Kill(KillReason.EXCEPTION, Phase.CALL, f"raised {name}")
    return None


def broken(done: ReturnedOrRaised, expected: bytes) -> Kill:
    """Return the kill for a call that violates its postcondition: the exception, if the original raises another."""
    if done.raised is not None and raised_outcome(done.raised) != expected:
        return Kill(KillReason.EXCEPTION, Phase.CALL, f"raised {exception_name(done.raised)}")
    return BROKEN
