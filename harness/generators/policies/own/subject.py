"""The subject as the generator of a user sees it, and the calls that users write, encoded for suites of sequences.

A sequence is a list of calls, and a call is a list or tuple: the name of a routine, then its arguments. The first call
is a constructor, as in `[("SearchTree",), ("add", 3), ("remove", 3)]`. Other calls are made on the object of the first
one. A call that is a dict names the call whose result it is made on: `{"call": "add", "on": 2, "args": [3]}`.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from types import ModuleType
from typing import Any

from harness.errors import SpecError
from harness.generators.policies.own.runs import Outside, WrongInput, short_text, wrong_number
from harness.kernel.inputs.suites import Call
from harness.kernel.specs.spec import Spec
from harness.kernel.specs.tokens import Token, the_token
from harness.model.domains import DomainKind
from harness.model.finitization import Finitization
from harness.model.literals import NotLiteral, literal_of
from harness.model.routines import NONE, ArgumentDomain, Fixed, TokenValue, Value, domain_of_parameter
from harness.model.sequence import SequenceScope


@dataclass(frozen=True)
class Result:
    """The result of call `number` of a sequence, from 0, as an argument of a later call."""

    number: int


@dataclass(frozen=True)
class _OutsideValue:
    """The place of an argument among the values beyond the bounds of its parameter."""

    index: int


_Argument = int | Result | _OutsideValue
EncodedCall = tuple[int, tuple[_Argument, ...]]
"""The number of a routine, and its arguments: an index of the domain, an earlier result, or a value beyond it."""


class CallEncoder:
    """Encodes sequences, and collects the values that are beyond the bounds of their parameters."""

    def __init__(self, bounds: SequenceScope) -> None:
        self._routines = bounds.routines
        self._most_calls = bounds.most_calls
        self._indices = [[_indices(parameter) for parameter in routine.parameters] for routine in self._routines]
        self.outside = Outside()

    def sequence(self, calls: Any) -> tuple[EncodedCall, ...]:
        """Encode a sequence.

        Raises:
            WrongInput: it is none.
        """
        if not isinstance(calls, (list, tuple)) or not calls:
            raise WrongInput(
                f"{short_text(calls)} is no list of calls; give one for each input, such as {self._example()}"
            )
        encoded: list[EncodedCall] = []
        for number, call in enumerate(calls):
            encoded.append(self._call(call, number, encoded))
        return tuple(encoded)

    def is_beyond(self, sequence: Sequence[EncodedCall]) -> bool:
        """Return True if a sequence is longer than the bounds allow, or has a value that is beyond them."""
        is_long = self._most_calls is not None and len(sequence) > self._most_calls
        return is_long or any(isinstance(part, _OutsideValue) for _, parts in sequence for part in parts)

    def calls(self, sequence: Sequence[EncodedCall]) -> tuple[Call, ...]:
        """Return the calls for a suite, once all values beyond the bounds are known."""
        return tuple(
            Call(target, tuple(self._number(target, at, part) for at, part in enumerate(parts)))
            for target, parts in sequence
        )

    def _number(self, target: int, at: int, part: _Argument) -> int:
        routine = self._routines[target]
        if routine.has_receiver and at == 0:
            assert isinstance(part, Result)
            return part.number
        position = at - routine.has_receiver
        within = len(routine.parameters[position].values)
        if isinstance(part, Result):
            return within + self.outside.count(target, position) + part.number
        return within + part.index if isinstance(part, _OutsideValue) else part

    def _call(self, call: Any, number: int, before: Sequence[EncodedCall]) -> EncodedCall:
        name, receiver, arguments = self._parts(call, number)
        target = self._target(name, len(arguments), number)
        routine = self._routines[target]
        parts = [self._argument(target, at, argument, number) for at, argument in enumerate(arguments)]
        if not routine.has_receiver:
            return target, tuple(parts)
        if not before:
            raise WrongInput(f"call 0 is {name}, not a constructor; begin with {self._example()[1:]}")
        if not 0 <= receiver < number:
            raise WrongInput(f"call {number}, {name}, is made on call {receiver}, which does not come before it")
        return target, (Result(receiver), *parts)

    def _parts(self, call: Any, number: int) -> tuple[str, int, Sequence[Any]]:
        """Return the name of a call, the number of the call that it is made on, and its arguments."""
        if isinstance(call, Mapping):
            name, receiver, arguments = call.get("call"), call.get("on", 0), call.get("args", [])
            unknown = sorted(map(str, set(call) - {"call", "on", "args"}))
            if unknown:
                raise WrongInput(f"call {number} has {unknown[0]!r}; a call has call, on and args")
        elif isinstance(call, (list, tuple)) and call:
            name, receiver, arguments = call[0], 0, call[1:]
        else:
            name = None
        if not isinstance(name, str) or type(receiver) is not int or not isinstance(arguments, (list, tuple)):
            raise WrongInput(
                f"call {number} is {short_text(call)}, not a name with arguments, such as {self._a_call!r}; of a state "
                'with a call, write (state, "name", (argument, ...))'
            )
        return name, receiver, arguments

    def _target(self, name: str, count: int, number: int) -> int:
        named = [at for at, routine in enumerate(self._routines) if routine.name == name]
        fitting = [at for at in named if len(self._routines[at].parameters) == count]
        if fitting:
            return fitting[0]
        if named:
            raise WrongInput(f"call {number}: {wrong_number(name, count, [self._routines[at] for at in named])}")
        known = ", ".join(dict.fromkeys(routine.name for routine in self._routines))
        raise WrongInput(f"call {number} is {name}, which the spec does not declare; there are {known}")

    def _argument(self, target: int, at: int, argument: Any, number: int) -> _Argument:
        if isinstance(argument, Mapping) and set(argument) == {"result"}:
            argument = Result(argument["result"])
        if isinstance(argument, Token):
            argument = f"{argument.domain} {argument.index}"
        if isinstance(argument, Result):
            if type(argument.number) is not int or not 0 <= argument.number < number:
                raise WrongInput(f"call {number} takes the result of call {argument.number}, which is not before it")
            return argument
        try:
            literal = literal_of(argument)
        except NotLiteral as error:
            raise WrongInput(
                f"call {number} takes a value of type {error}; give plain values, lists, tuples, sets and dicts of "
                "them, or results of earlier calls"
            ) from None
        index = self._indices[target][at].get(literal)
        if index is not None:
            return index
        if argument is None:
            return NONE
        return _OutsideValue(self.outside.number(target, at, literal))

    @property
    def _a_call(self) -> tuple[Any, ...]:
        routine = next((routine for routine in self._routines if routine.has_receiver), None)
        return ("name",) if routine is None else (routine.name, *map(_first, routine.parameters))

    def _example(self) -> str:
        constructor = next((routine for routine in self._routines if not routine.has_receiver), None)
        parts = () if constructor is None else (constructor.name, *(_first(p) for p in constructor.parameters))
        return f"[{parts!r}, ...]"


def _indices(parameter: ArgumentDomain) -> dict[str, int]:
    """Return the indices of a parameter's values by their literals."""
    indices: dict[str, int] = {}
    for index, value in enumerate(parameter.values):
        with suppress(NotLiteral):  # no user can write it
            indices.setdefault(literal_of(plain_value(value)), index)
    return indices


def plain_value(value: Value) -> Any:
    """Return a value of a domain as users write it; a token is written as `Key 0`."""
    if isinstance(value, TokenValue):
        return f"{value.domain} {value.index}"
    return value.of if isinstance(value, Fixed) else value


def _first(parameter: ArgumentDomain) -> Any:
    return parameter.values[0] if parameter.values else None


@dataclass(frozen=True)
class RoutineOfSubject:
    """A constructor, method or function that may be called.

    Attributes:
        name: its name, the first part of a call.
        kind: `constructor`, `method` or `function`.
        parameters: for each parameter, the values within the bounds of the scope.
        earlier: for each parameter, the names of the classes whose objects it takes.
    """

    name: str
    kind: str
    parameters: tuple[tuple[Any, ...], ...]
    earlier: tuple[tuple[str, ...], ...]

    @classmethod
    def of(cls, name: str, kind: str, parameters: Iterable[ArgumentDomain]) -> RoutineOfSubject:
        """Return a routine with these domains."""
        domains = tuple(parameters)
        values = tuple(tuple(map(_value, domain.values)) for domain in domains)
        return cls(name, kind, values, tuple(domain.earlier for domain in domains))


@dataclass(frozen=True)
class SubjectOfGenerator:
    """The program under test with the bounds of its spec.

    Attributes:
        module: the implementation, executed: its classes and functions.
        root: the name of the class that inputs are about; empty for functions without a state.
        routines: what may be called.
        most_calls: the greatest number of calls in a sequence; None if the spec does not bound it.
        has_state: whether calls are made on objects.
    """

    module: ModuleType
    root: str
    routines: tuple[RoutineOfSubject, ...]
    most_calls: int | None = None
    has_state: bool = True

    @classmethod
    def of(cls, spec: Spec, module: ModuleType, scope: int, source: str) -> SubjectOfGenerator:
        """Return the subject, with the routines that the spec declares at a scope.

        Raises:
            SpecError: the spec is unusable.
        """
        states = None if spec.finitization_of is None else spec.finitization(scope)
        if states is not None and states.domains[0].kind is DomainKind.NOTHING:
            return cls(module, "", _targets(states), has_state=False)
        try:
            bounds = spec.sequences(scope, source)
        except SpecError:
            if states is None:
                raise
            return cls(module, states.domains[0].class_name, _targets(states))
        routines = (RoutineOfSubject.of(one.name, one.kind.value, one.parameters) for one in bounds.routines)
        return cls(module, bounds.root, tuple(routines), bounds.most_calls)

    def result(self, number: int) -> Result:
        """Return the result of call `number` of a sequence, from 0, for use as an argument of a later call."""
        return Result(number)


def _targets(states: Finitization) -> tuple[RoutineOfSubject, ...]:
    """Return the targets of a finitization."""
    nothing = ArgumentDomain(())
    return tuple(
        RoutineOfSubject.of(
            target.name,
            target.kind.value,
            [domain_of_parameter(parameter, states) or nothing for parameter in target.parameters],
        )
        for target in states.targets
    )


def _value(value: Value) -> Any:
    return the_token(value.domain, value.index) if isinstance(value, TokenValue) else plain_value(value)
