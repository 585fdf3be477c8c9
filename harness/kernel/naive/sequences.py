"""Performs sequences in the naive path's own way: calls are plain data, and arguments are numbers."""

from __future__ import annotations

import builtins
from collections.abc import Callable, Sequence
from copy import deepcopy
from dataclasses import dataclass, field
from types import ModuleType
from typing import Any

from harness.kernel.naive.calling import PerformedCall, call, is_object
from harness.kernel.naive.inputs import by_name, named, object_of_factory
from harness.kernel.specs.tokens import Token
from harness.model.routines import NONE, Fixed, Made, Routine, TokenValue
from harness.model.sequence import SequenceScope


@dataclass(frozen=True)
class EncodedCall:
    """One call: the target's name and kind ("constructor", "method" or "function"), and the number of the call whose
    result is the receiver.

    An argument is `(True, number of an earlier call)`, or `(False, place among the values of the sequence)`.
    """

    name: str
    kind: str
    receiver: int | None
    arguments: tuple[tuple[bool, int], ...]
    keywords: tuple[str, ...]

    @property
    def used_calls(self) -> list[int]:
        """Numbers of the calls whose results it takes."""
        own = [] if self.receiver is None else [self.receiver]
        return own + [number for is_earlier, number in self.arguments if is_earlier]


Tokens = dict[tuple[str, int], Token]
"""The one object for each token, by its domain and index."""


def encoded_calls(
    scope: SequenceScope, module: ModuleType, calls: Sequence[tuple[int, Sequence[int]]], tokens: Tokens
) -> tuple[list[EncodedCall], list[Any]]:
    """Encode calls of a suite. Return them with the values that their arguments name; `tokens` grows."""
    values: list[Any] = []

    def value_of(value: Any) -> Any:
        if isinstance(value, Fixed):
            return deepcopy(value.of)
        if isinstance(value, Made):
            return object_of_factory(value.domain, module)
        if isinstance(value, TokenValue):
            return tokens.setdefault((value.domain, value.index), Token(value.domain, value.index))
        return value

    def argument(routine: Routine, position: int, index: int) -> tuple[bool, int]:
        parameter_values = routine.parameters[position].values
        if index >= len(parameter_values):
            return True, index - len(parameter_values)
        values.append(None if index == NONE else value_of(parameter_values[index]))
        return False, len(values) - 1

    encoded_calls = []
    for target, indices in calls:
        routine = scope.routines[target]
        receiver = indices[0] if routine.has_receiver else None
        argument_indices = indices[1:] if routine.has_receiver else indices
        arguments = tuple(argument(routine, position, index) for position, index in enumerate(argument_indices))
        encoded_calls.append(
            EncodedCall(routine.name, routine.kind.value, receiver, arguments, tuple(routine.keywords))
        )
    return encoded_calls, values


@dataclass
class SequenceRun:
    """A sequence on one module: `results` of the calls so far, by number, where they did not raise."""

    module: ModuleType
    scope: SequenceScope
    routines: Sequence[Routine]
    calls: Sequence[EncodedCall]
    values: Sequence[Any]
    results: dict[int, Any] = field(default_factory=dict)
    done: int = 0

    @property
    def is_over(self) -> bool:
        """Whether all calls were performed."""
        return self.done == len(self.calls)

    @property
    def requires(self) -> Callable[..., Any] | None:
        """The precondition of the next call."""
        return self.routines[self.done].requires

    @property
    def place(self) -> str:
        """The words before the detail of a kill by the next call."""
        encoded_call = self.calls[self.done]
        owner = f"{self.scope.root}." * (encoded_call.kind == "method")
        return f"call {self.done + 1} of {len(self.calls)}, {owner}{encoded_call.name}: "

    def routine(self) -> tuple[str | None, Any, list[Any]]:
        """Return the name of the routine that is called next, None for a constructor; its receiver and arguments."""
        encoded_call = self.calls[self.done]
        receiver = None if encoded_call.receiver is None else self.results[encoded_call.receiver]
        name = None if encoded_call.kind == "constructor" else encoded_call.name
        return name, receiver, [self._value(*argument) for argument in encoded_call.arguments]

    def perform(self) -> PerformedCall:
        """Run the next call."""
        number, encoded_call = self.done, self.calls[self.done]
        self.done += 1
        raised, returned, arguments = self._outcome(number, encoded_call)
        objects, receiver = self.objects(), encoded_call.receiver
        root = returned if receiver is None else objects.get(receiver)
        earlier = [held for at, held in objects.items() if at != number]
        changeable = [held for held in arguments if is_object(held) and not any(held is one for one in earlier)]
        constructs = encoded_call.kind == "constructor"
        return PerformedCall(raised, returned, root, arguments, changeable, objects, constructs)

    def _outcome(self, number: int, encoded_call: EncodedCall) -> tuple[str | None, Any, list[Any]]:
        """Return the type of the exception that a call raises, the value that it returns, and its arguments."""
        arguments: list[Any] = []
        try:
            arguments = [self._value(*argument) for argument in encoded_call.arguments]
            receiver = None if encoded_call.receiver is None else self.results[encoded_call.receiver]
            function = self._function(encoded_call, receiver)
        except BaseException as error:
            return type(error).__qualname__, None, arguments
        passed = [receiver, *arguments] if encoded_call.kind == "function" else arguments
        raised, returned = call(function, passed, list(self.results.values()))
        if raised is None:
            self.results[number] = returned
        return raised, returned, arguments

    def _value(self, is_earlier: bool, at: int) -> Any:
        return self.results[at] if is_earlier else self.values[at]

    def _function(self, encoded_call: EncodedCall, receiver: Any) -> Callable[..., Any]:
        if encoded_call.kind == "method":
            function = getattr(receiver, encoded_call.name)
        elif encoded_call.kind == "constructor" and encoded_call.name == "list" and not hasattr(self.module, "list"):
            function = list
        else:
            function = named(self.module, encoded_call.name)
        return by_name(function, encoded_call.keywords)

    def objects(self) -> dict[int, Any]:
        """Return, by number, the objects that constructors made or that some call has taken so far."""
        so_far = self.calls[: self.done]
        numbers = {number for encoded_call in so_far for number in encoded_call.used_calls}
        numbers |= {number for number, encoded_call in enumerate(so_far) if encoded_call.kind == "constructor"}
        return {
            number: self.results[number]
            for number in sorted(numbers)
            if number in self.results and is_object(self.results[number])
        }


def root_class(module: ModuleType, name: str) -> type | None:
    """Return the class that sequences are about; None if the name is not that of a class."""
    try:
        named_class = named(module, name)
    except AttributeError:
        named_class = getattr(builtins, name, None)
    return named_class if isinstance(named_class, type) else None
