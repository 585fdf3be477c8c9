"""Carries out calls of sequences on one module: routines are numbers, arguments are values or earlier results."""

from __future__ import annotations

import builtins
from collections.abc import Callable, Sequence
from contextlib import suppress
from copy import deepcopy
from types import ModuleType
from typing import Any, NamedTuple

from harness.errors import SpecError
from harness.kernel.inputs.suites import Call
from harness.kernel.objects.module_state import ModuleState
from harness.kernel.objects.reading import factory_object
from harness.kernel.program.loader import resolve
from harness.kernel.specs.tokens import the_token
from harness.model.routines import ArgumentDomain, Fixed, Made, Routine, RoutineKind, TokenValue
from harness.model.sequence import SequenceScope, is_misuse

ABSENT: Any = type("Absent", (), {"__slots__": (), "__repr__": lambda self: "<no result>"})()
"""The result of a call that raised."""


class ReadyCall(NamedTuple):
    """A call about to be made: `function(*passed)`; `receiver` is None for a constructor."""

    function: Callable[..., Any]
    passed: Sequence[Any]
    receiver: Any
    arguments: Sequence[Any]
    routine: Routine


class PlainCall(NamedTuple):
    """A call of a method on the result of an earlier call, with values that calls cannot change."""

    name: str
    receiver: int
    arguments: tuple[Any, ...]


class Routines:
    """The routines of a scope on one module, the original or a mutant.

    Args:
        kept: what the module keeps, to be put back before the first call of each sequence; None: nothing.

    Raises:
        SpecError: the module has no such class or function.
    """

    def __init__(self, module: ModuleType, scope: SequenceScope, kept: ModuleState | None = None) -> None:
        self._kept = kept
        self.scope = scope
        self._module = module
        self._made: dict[Made, Any] = {}  # made here, where no steps are counted, and copied for each call
        for value in (value for routine in scope.routines for p in routine.parameters for value in p.values):
            if isinstance(value, Made) and value.domain.compared:
                with suppress(SpecError):  # a mutant may not have what it takes; its calls tell
                    self._made[value] = factory_object(value.domain, module)
        self.routines = scope.routines
        self.omits = scope.omission()
        self.root_class = _root_class(module, scope.root)
        self._functions = [self._function(module, routine) for routine in self.routines]
        self._plain: dict[Call, PlainCall | None] = {}

    def ready(self, call: Call, results: Sequence[Any]) -> ReadyCall:
        """Prepare a call of a sequence whose earlier calls gave `results`.

        Raises:
            LookupError: an earlier call that it refers to has no result, as it raised.
        """
        if not results and self._kept is not None:
            self._kept.put_back()
        routine = self.routines[call.target]
        plain = self.plain(call)
        if plain is not None:
            receiver = _result(results, plain.receiver)
            return ReadyCall(self.method(receiver, plain.name), plain.arguments, receiver, plain.arguments, routine)
        indices = call.arguments
        receiver = None
        if routine.has_receiver:
            receiver, indices = _result(results, indices[0]), indices[1:]
        arguments = [
            self.argument(parameter, index, results)
            for parameter, index in zip(routine.parameters, indices, strict=True)
        ]
        function = self._functions[call.target]
        passed: Sequence[Any] = arguments
        if routine.kind is RoutineKind.METHOD:
            function = with_keywords(self.method(receiver, routine.name), routine.keywords)
        elif routine.kind is RoutineKind.FUNCTION:
            passed = (receiver, *arguments)
        return ReadyCall(function, passed, receiver, arguments, routine)

    def plain(self, call: Call) -> PlainCall | None:
        """Return the call, if it is a plain one."""
        try:
            return self._plain[call]
        except KeyError:
            plain = self._plain[call] = self._plain_call(call)
            return plain

    def _plain_call(self, call: Call) -> PlainCall | None:
        routine = self.routines[call.target]
        if routine.kind is not RoutineKind.METHOD or routine.keywords:
            return None
        receiver, *indices = call.arguments
        values: list[Any] = []
        for parameter, index in zip(routine.parameters, indices, strict=True):
            if index >= len(parameter.values) or isinstance(parameter.value(index), (Fixed, Made, TokenValue)):
                return None
            values.append(parameter.value(index))
        return PlainCall(routine.name, receiver, tuple(values))

    def argument(self, parameter: ArgumentDomain, index: int, results: Sequence[Any]) -> Any:
        """Return the argument that an index stands for.

        Raises:
            LookupError: as `ready`.
        """
        if index >= len(parameter.values):
            return _result(results, index - len(parameter.values))
        value = parameter.value(index)
        if isinstance(value, Fixed):
            return deepcopy(value.of)
        if isinstance(value, Made):
            made = self._made.get(value)
            return factory_object(value.domain, self._module) if made is None else deepcopy(made)
        if isinstance(value, TokenValue):
            return the_token(value.domain, value.index)
        return value

    def is_of_root(self, value: Any) -> bool:
        """Return whether a value is a structure under test: its class derives from the root's, if that is a class.

        Executes no code of the program, as `isinstance` may.
        """
        return self.root_class is not None and self.root_class in type(value).__mro__

    def is_misuse(self, error: BaseException) -> bool:
        """Return whether an exception says that a routine was misused (beapi2023, section 3.4)."""
        return is_misuse(error, self.scope.misuses)

    def function(self, target: int) -> Callable[..., Any]:
        """Return the callable of a constructor or function; a function takes the receiver first."""
        return self._functions[target]

    @staticmethod
    def method(receiver: Any, name: str) -> Callable[..., Any]:
        """Return a method of a receiver, bound.

        Raises:
            SpecError: the receiver has no method of that name.
        """
        try:
            bound_method: Callable[..., Any] = getattr(receiver, name)
        except AttributeError:
            raise SpecError(
                f"the spec names routine {name!r}, but {type(receiver).__name__} has no such method; correct the name"
            ) from None
        return bound_method

    @staticmethod
    def _function(module: ModuleType, routine: Routine) -> Callable[..., Any]:
        if routine.kind is RoutineKind.METHOD:
            return Routines.method  # looked up on each receiver
        if routine.kind is RoutineKind.CONSTRUCTOR and routine.name == "list" and not hasattr(module, "list"):
            return list
        return with_keywords(resolve(module, routine.name), routine.keywords)


def _root_class(module: ModuleType, name: str) -> type | None:
    """Return the class that sequences are about, of the module or built in; None if the name is not that of a class."""
    try:
        cls = resolve(module, name)
    except SpecError:
        cls = getattr(builtins, name, None)
    return cls if isinstance(cls, type) else None


def with_keywords(function: Callable[..., Any], names: Sequence[str]) -> Callable[..., Any]:
    """Return `function`, taking the arguments of those names by position, after the others."""

    def call(*arguments: Any) -> Any:
        return function(*arguments[: -len(names)], **dict(zip(names, arguments[-len(names) :], strict=True)))

    return call if names else function


def _result(results: Sequence[Any], number: int) -> Any:
    result = results[number]
    if result is ABSENT:
        raise LookupError(f"call {number + 1} gave nothing")
    return result
