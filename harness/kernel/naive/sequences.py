"""The naive path's own way of carrying out sequences: calls told as plain data, arguments by numbers."""

from __future__ import annotations

import builtins
from collections.abc import Callable, Sequence
from copy import deepcopy
from dataclasses import dataclass
from types import ModuleType
from typing import Any

from harness.kernel.naive.inputs import by_name, named
from harness.kernel.naive.views import call
from harness.kernel.naive.words import ToldCall
from harness.kernel.specs.tokens import Token
from harness.model.routines import NONE, Fixed, Routine, TokenValue
from harness.model.sequence import SequenceScope

_NO_OBJECTS = (type(None), bool, int, float, complex, str, bytes, tuple, frozenset, Token, type)
"""Types of values of which it does not matter which one it is."""


Tokens = dict[tuple[str, int], Token]
"""The one object for each token, by its domain and index."""


def told_calls(
    scope: SequenceScope, calls: Sequence[tuple[int, Sequence[int]]], tokens: Tokens
) -> tuple[list[ToldCall], list[Any]]:
    """Calls as a suite has them, told; and the values that their arguments name, with `tokens`, which grow."""
    values: list[Any] = []

    def value_of(value: Any) -> Any:
        if isinstance(value, Fixed):
            return deepcopy(value.of)
        if isinstance(value, TokenValue):
            return tokens.setdefault((value.domain, value.index), Token(value.domain, value.index))
        return value

    def argument(routine: Routine, position: int, index: int) -> tuple[bool, int]:
        known = routine.parameters[position].values
        if index >= len(known):
            return True, index - len(known)
        values.append(None if index == NONE else value_of(known[index]))
        return False, len(values) - 1

    told = []
    for target, indices in calls:
        routine = scope.routines[target]
        receiver = indices[0] if routine.has_receiver else None
        others = indices[1:] if routine.has_receiver else indices
        arguments = tuple(argument(routine, position, index) for position, index in enumerate(others))
        told.append(ToldCall(routine.name, routine.kind.value, receiver, arguments, tuple(routine.keywords)))
    return told, values


def is_object(value: Any) -> bool:
    """Whether it matters which one a value is."""
    return not isinstance(value, _NO_OBJECTS)


@dataclass
class Performance:
    """A sequence on one module: `results` of the calls so far, by number, where they did not raise."""

    module: ModuleType
    calls: Sequence[ToldCall]
    values: Sequence[Any]
    results: dict[int, Any]
    done: int

    def next(self) -> tuple[str | None, Any, list[Any]]:
        """Carries out the next call: the type of its exception, what it returned, its arguments."""
        number, told = self.done, self.calls[self.done]
        self.done += 1
        arguments: list[Any] = []
        try:
            arguments = [self.results[at] if is_earlier else self.values[at] for is_earlier, at in told.arguments]
            receiver = None if told.receiver is None else self.results[told.receiver]
            function = self._function(told, receiver)
        except BaseException as error:
            return type(error).__qualname__, None, arguments
        passed = [receiver, *arguments] if told.kind == "function" else arguments
        raised, returned = call(function, passed)
        if raised is None:
            self.results[number] = returned
        return raised, returned, arguments

    def _function(self, told: ToldCall, receiver: Any) -> Callable[..., Any]:
        if told.kind == "method":
            found = getattr(receiver, told.name)
        elif told.kind == "constructor" and told.name == "list" and not hasattr(self.module, "list"):
            found = list
        else:
            found = named(self.module, told.name)
        return by_name(found, told.keywords)

    def objects(self) -> dict[int, Any]:
        """By number, what constructors made so far, and what some call so far has taken, as far as it is objects."""
        so_far = self.calls[: self.done]
        numbers = {number for told in so_far for number in told.taken}
        numbers |= {number for number, told in enumerate(so_far) if told.kind == "constructor"}
        return {
            number: self.results[number]
            for number in sorted(numbers)
            if number in self.results and is_object(self.results[number])
        }


def root_class(module: ModuleType, name: str) -> type | None:
    """The class that sequences are about; None where it is none."""
    try:
        found = named(module, name)
    except AttributeError:
        found = getattr(builtins, name, None)
    return found if isinstance(found, type) else None
