"""Reads a suite's files whole, makes fresh objects from them, and runs their calls: the naive path's own decoder.

A call has as many frames as it may use on the fast path.
"""

from __future__ import annotations

import builtins
import inspect
import json
from array import array
from bisect import bisect_right
from collections import OrderedDict, deque
from collections.abc import Callable, Mapping, Sequence
from copy import deepcopy
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from types import ModuleType
from typing import Any

from harness.kernel.naive.equality import UNTOLD, attributes, elements, is_lazy
from harness.kernel.program.loader import limit_recursion as limit_frames
from harness.kernel.specs.tokens import Token, the_token
from harness.model.finitization import (
    ABSENT,
    CONTENTS,
    CallKind,
    ClassDomain,
    DomainKind,
    DomainValue,
    Finitization,
    Reference,
    Structures,
)
from harness.model.routines import NONE, ArgumentDomain, Fixed, Made, Routine, RoutineKind, TokenValue
from harness.model.sequence import SequenceScope

_NO_STATE = (1 << 32) - 1
"""The number that replaces the state before a first call."""


class SuiteContents:
    """The files of a suite, read whole."""

    def __init__(self, folder: Path) -> None:
        header = json.loads((folder / "header.json").read_text(encoding="utf-8"))
        self.inputs: int = header["inputs"]
        self._width: int = header["width"]
        self._calls: list[tuple[int, list[int]]] = header["calls"]
        self._structures: dict[str, list[list[int]]] = header["structures"]
        self.holds_sequences: bool = header["kind"] == "sequences"
        self.outside: dict[str, list[str]] = header.get("outside", {})
        self._states = array({1: "B", 2: "H", 4: "I"}[header["itemsize"]], (folder / "states.bin").read_bytes())
        self._runs: int = header["runs"]
        self._rows: list[list[int]] = header["rows"]
        self._numbers = array("Q", (folder / "inputs.bin").read_bytes())

    def input(self, number: int) -> tuple[Sequence[int], int, list[int]]:
        """Return the candidate vector, the target's position in the finitization and its arguments' indices."""
        state, call = self._pair(number)
        return self._states[state * self._width : (state + 1) * self._width], *self._calls[call]

    def sequence(self, number: int) -> list[tuple[int, list[int]]]:
        """Return the calls of a sequence: the position of each routine in the scope, and its arguments' indices."""
        state, last = self._pair(number)
        calls = [self._calls[last]]
        while state != _NO_STATE:
            state, call = self._states[2 * state : 2 * state + 2]
            calls.insert(0, self._calls[call])
        return [(target, arguments) for target, arguments in calls]

    def _pair(self, number: int) -> tuple[int, int]:
        """Return the numbers of an input's state and call."""
        run = bisect_right(range(self._runs), number, key=lambda run: self._numbers[3 * run]) - 1
        first, state, row = self._numbers[3 * run : 3 * run + 3]
        calls = self._rows[row]
        return state + (number - first) // len(calls), calls[(number - first) % len(calls)]

    def structure(self, target: int, parameter: int, index: int) -> list[int]:
        """Return the candidate vector of a structure that is passed as an argument."""
        return self._structures[f"{target}:{parameter}"][index]


_Place = tuple[Reference, int] | None
"""An object and the position of one of its fields; None for arguments."""


class Objects:
    """The objects that one candidate vector describes, made of one module's classes when first used."""

    def __init__(self, finitization: Finitization, module: ModuleType, vector: Sequence[int]) -> None:
        self._finitization = finitization
        self._module = module
        self._vector = vector
        self._objects: dict[Reference, Any] = {}
        self._places = _places(finitization)

    def value(self, value: DomainValue, place: _Place = None) -> Any:
        """Return a plain value as it is, an object for a reference: always the same one, unless it is own."""
        if not isinstance(value, Reference):
            return value
        if self._finitization.domains[value.domain].own:
            value = Reference(value.domain, self._places[value.domain].index(place))
        if value not in self._objects:
            self._make(value)
        return self._objects[value]

    def _make(self, reference: Reference) -> None:
        domain = self._finitization.domains[reference.domain]
        choices = self._choices(reference)
        if domain.kind is DomainKind.TOKEN:
            texts, index = domain.elements, reference.index
            self._objects[reference] = texts[index] if texts else the_token(domain.class_name, index)
        elif domain.kind is DomainKind.NOTHING:
            self._objects[reference] = None
        elif domain.kind is DomainKind.MADE:
            self._objects[reference] = object_of_factory(domain, self._module)
        elif domain.kind is not DomainKind.OBJECT:
            self._hold(reference, domain, [value for _, value in choices])
        else:
            instance = self._objects[reference] = _empty(named(self._module, domain.class_name))
            for at, (name, value) in enumerate(choices):
                held = self.value(value, (reference, at))
                if name != CONTENTS:
                    object.__setattr__(instance, name, held)
                elif isinstance(instance, list):
                    list.extend(instance, held)
                else:
                    set_item = OrderedDict.__setitem__ if isinstance(instance, OrderedDict) else dict.__setitem__
                    for key in held:
                        set_item(instance, key, held[key])

    def _hold(self, reference: Reference, domain: ClassDomain, values: list[DomainValue]) -> None:
        """Make a container, then its contents."""
        if domain.kind is DomainKind.SET:
            self._objects[reference] = {key for key, holds in zip(domain.keys, values, strict=True) if holds}
        elif domain.kind is DomainKind.DICT:
            items: dict[Any, Any] = {}
            self._objects[reference] = items
            for at, (key, value) in enumerate(zip(domain.keys, values, strict=True)):
                if value is not ABSENT:
                    items[key] = self.value(value, (reference, at))
        else:
            sequence: Any = [] if domain.kind is DomainKind.LIST else deque(maxlen=domain.maxlen)
            self._objects[reference] = sequence
            length, *elements = values
            assert isinstance(length, int)
            for at, element in enumerate(elements[:length]):
                sequence.append(self.value(element, (reference, at + 1)))

    def _choices(self, reference: Reference) -> list[tuple[str, DomainValue]]:
        """Return the object's field names and the values that the vector selects from their field domains."""
        position = 0
        for domain in self._finitization.domains:
            fields = self._finitization.fields_of(domain)
            if domain.number == reference.domain:
                position += reference.index * len(fields)
                return [(name, values[self._vector[position + at]]) for at, (name, values) in enumerate(fields)]
            position += len(self._places[domain.number] if domain.own else range(domain.size)) * len(fields)
        raise ValueError(f"{reference} is in no class domain")


def _places(finitization: Finitization) -> dict[int, list[_Place]]:
    """Return, by class domain of own objects, the places that have one each, in the order of their numbers."""
    places_by_domain: dict[int, list[_Place]] = {
        domain.number: [None] if domain.kind is DomainKind.MADE else [] for domain in finitization.domains if domain.own
    }
    before: object = None
    while before != (before := {number: len(places) for number, places in places_by_domain.items()}):
        for number, places in places_by_domain.items():
            places[:] = [place for place in places if place is None]
            places += [
                (Reference(owner.number, index), at)
                for owner in finitization.domains
                for index in range(before[owner.number] if owner.own else owner.size)
                for at, (_, values) in enumerate(finitization.fields_of(owner))
                if any(isinstance(value, Reference) and value.domain == number for value in values)
            ]
    return places_by_domain


def _empty(cls: Any) -> Any:
    """Make an instance without `__init__`; if `__new__` needs arguments, use that of the class in C below it."""
    try:
        inspect.signature(cls.__new__).bind(cls)
    except TypeError:
        base = next(base for base in cls.__mro__ if base.__module__ in ("builtins", "collections"))
        return base.__new__(cls)
    except ValueError:
        pass  # one written in C
    return cls.__new__(cls)


def object_of_factory(domain: ClassDomain, module: ModuleType) -> Any:
    """Call the domain's factory, a function of the spec, and return the object that it makes."""
    make: Any = domain.factory
    try:
        required = [p for p in inspect.signature(make).parameters.values() if p.default is p.empty]
    except (TypeError, ValueError):
        required = []
    instance = (
        make(module)
        if required and required[0].kind in (required[0].POSITIONAL_ONLY, required[0].POSITIONAL_OR_KEYWORD)
        else make()
    )
    if not domain.compared:
        UNTOLD.add(type(instance))
    return instance


def named(module: ModuleType, dotted: str) -> Any:
    """Return the class or function of that qualified name."""
    member: Any = module
    for part in dotted.split("."):
        member = getattr(member, part)
    return member


@dataclass
class StateRun:
    """An input made ready on one module: `call(*passed)` runs the target, `requires` is its own precondition,
    and `any_state` whether the root need not satisfy rep_ok.
    """

    name: str
    root: Any
    arguments: list[Any]
    call: Callable[..., Any]
    passed: list[Any]
    requires: Callable[..., Any] | None
    any_state: bool
    is_over: bool = False
    place: str = ""
    """Words before the detail of a kill: none."""

    def routine(self) -> tuple[str | None, Any, list[Any]]:
        """Return the name of the routine that is called next, its receiver and its arguments."""
        return self.name, self.root, self.arguments

    def perform(self) -> PerformedCall:
        """Run the call."""
        raised, returned = call(self.call, self.passed, [self.root])
        self.is_over = True
        objects = {} if self.root is None else {0: self.root}
        return PerformedCall(raised, returned, self.root, self.arguments, self.arguments, objects)


def by_name(function: Callable[..., Any], names: Sequence[str]) -> Callable[..., Any]:
    """Return a function that takes positional arguments only, and passes the last ones to `function` by those names."""

    def call(*passed: Any) -> Any:
        named_ones = {name: passed[at - len(names)] for at, name in enumerate(names)}
        return function(*passed[: len(passed) - len(names)], **named_ones)

    return call if names else function


def case(suite: SuiteContents, number: int, finitization: Finitization, module: ModuleType) -> StateRun:
    """Prepare input `number` with objects of its own."""
    vector, position, indices = suite.input(number)
    objects = Objects(finitization, module, vector)
    root = objects.value(Reference(0, 0))
    target = finitization.targets[position]
    arguments = []
    for at, (parameter, index) in enumerate(zip(target.parameters, indices, strict=True)):
        if isinstance(parameter, Structures):
            argument_objects = Objects(parameter.finitization, module, suite.structure(position, at, index))
            arguments.append(argument_objects.value(Reference(0, 0)))
        else:
            arguments.append(objects.value(parameter[index]))
    if target.kind is CallKind.FUNCTION:
        function = named(module, target.name)
        passed = arguments if finitization.domains[0].kind is DomainKind.NOTHING else [root, *arguments]
    else:
        function, passed = getattr(root, target.name), arguments
    function = by_name(function, target.keywords)
    return StateRun(target.name, root, arguments, function, passed, target.requires, target.any_state)


Tokens = dict[tuple[str, int], Token]
"""The one object for each token, by its domain and index."""

_Argument = tuple[bool, Any]
"""Whether it is the result of an earlier call, and the number of that call or the value."""


class SequenceRun:
    """A sequence on one module. The values that its calls take are made before the first call.

    Args:
        calls: the position of each routine in the scope, and its arguments' indices.
        tokens: those that other programs get, too; they grow.
    """

    def __init__(
        self, module: ModuleType, scope: SequenceScope, calls: Sequence[tuple[int, Sequence[int]]], tokens: Tokens
    ) -> None:
        self._module = module
        self._scope = scope
        self._tokens = tokens
        self._calls = [self._read(scope.routines[target], list(indices)) for target, indices in calls]
        self._results: dict[int, Any] = {}  # by the number of a call; none of one that raised
        self._done = 0

    def _read(self, routine: Routine, indices: list[int]) -> tuple[Routine, int | None, list[_Argument]]:
        """Return a routine, the number of the call whose result is the receiver, and the arguments of a call."""
        receiver = indices.pop(0) if routine.has_receiver else None
        return routine, receiver, list(map(self._argument, routine.parameters, indices))

    def _argument(self, parameter: ArgumentDomain, index: int) -> _Argument:
        if index >= len(parameter.values):
            return True, index - len(parameter.values)
        value = None if index == NONE else parameter.values[index]
        if isinstance(value, Fixed):
            return False, deepcopy(value.of)
        if isinstance(value, Made):
            return False, object_of_factory(value.domain, self._module)
        if isinstance(value, TokenValue):
            return False, self._tokens.setdefault((value.domain, value.index), Token(value.domain, value.index))
        return False, value

    @property
    def is_over(self) -> bool:
        """Whether all calls were performed."""
        return self._done == len(self._calls)

    @property
    def requires(self) -> Callable[..., Any] | None:
        """The precondition of the next call."""
        return self._calls[self._done][0].requires

    @property
    def place(self) -> str:
        """The words before the detail of a kill by the next call."""
        routine, _, _ = self._calls[self._done]
        owner = f"{self._scope.root}." * (routine.kind is RoutineKind.METHOD)
        return f"call {self._done + 1} of {len(self._calls)}, {owner}{routine.name}: "

    def routine(self) -> tuple[str | None, Any, list[Any]]:
        """Return the name of the routine that is called next, None for a constructor; its receiver and arguments."""
        routine, number, arguments = self._calls[self._done]
        name = None if routine.kind is RoutineKind.CONSTRUCTOR else routine.name
        receiver = None if number is None else self._results[number]
        return name, receiver, [self._results[held] if is_earlier else held for is_earlier, held in arguments]

    def perform(self) -> PerformedCall:
        """Run the next call."""
        number, (routine, receiver, _) = self._done, self._calls[self._done]
        raised, returned, arguments = self._outcome(routine)
        self._done += 1
        objects = self._objects()
        root = returned if receiver is None else objects.get(receiver)
        earlier = [held for at, held in objects.items() if at != number]
        changeable = [held for held in arguments if is_object(held) and not any(held is one for one in earlier)]
        constructs = routine.kind is RoutineKind.CONSTRUCTOR
        return PerformedCall(raised, returned, root, arguments, changeable, objects, constructs)

    def _outcome(self, routine: Routine) -> tuple[str | None, Any, list[Any]]:
        """Return the type of the exception that the next call raises, the value that it returns, and its arguments."""
        try:
            _, receiver, arguments = self.routine()
            function = self._function(routine, receiver)
        except BaseException as error:
            return type(error).__qualname__, None, []
        passed = [receiver, *arguments] if routine.kind is RoutineKind.FUNCTION else arguments
        raised, returned = call(function, passed, list(self._results.values()))
        if raised is None:
            self._results[self._done] = returned
        return raised, returned, arguments

    def _function(self, routine: Routine, receiver: Any) -> Callable[..., Any]:
        if routine.kind is RoutineKind.METHOD:
            function = getattr(receiver, routine.name)
        elif routine.kind is RoutineKind.CONSTRUCTOR and routine.name == "list" and not hasattr(self._module, "list"):
            function = list
        else:
            function = named(self._module, routine.name)
        return by_name(function, routine.keywords)

    def _objects(self) -> dict[int, Any]:
        """Return, by number, the objects that constructors made or that some call has taken so far."""
        numbers: set[int] = set()
        for number, (routine, receiver, arguments) in enumerate(self._calls[: self._done]):
            numbers |= {held for is_earlier, held in arguments if is_earlier}
            numbers |= {number} if routine.kind is RoutineKind.CONSTRUCTOR else set()
            numbers |= set() if receiver is None else {receiver}
        return {at: self._results[at] for at in sorted(numbers) if at in self._results and is_object(self._results[at])}


def root_class(module: ModuleType, name: str) -> type | None:
    """Return the class that sequences are about; None if the name is not that of a class."""
    try:
        named_class = named(module, name)
    except AttributeError:
        named_class = getattr(builtins, name, None)
    return named_class if isinstance(named_class, type) else None


_NO_OBJECTS = (type(None), bool, int, float, complex, str, bytes, tuple, frozenset, Token, type)
"""Types of values whose identity does not matter."""

MOST_DRAWN = 1000
"""The number of elements that are drawn of an iterator that a call returns."""


def call(function: Callable[..., Any], passed: Sequence[Any], owners: Sequence[Any] = ()) -> tuple[str | None, Any]:
    """Run a call. Return the type of the exception that it raises, if it does, and the value that it returns.

    Iterators that it returns, also in lists, tuples and dicts, are replaced by those over their first elements, unless
    an owner or an argument holds one.
    """
    limit_recursion()
    try:
        returned = function(*passed)
        lazy = [one for one in below([returned], in_objects=False) if is_lazy(one)]
        if lazy:
            held = below([*owners, *passed], in_objects=True)
            if not any(one is other for one in lazy for other in held):
                returned = _drawn(returned, [])
        return None, returned
    except BaseException as error:
        return type(error).__qualname__, None


@dataclass(frozen=True)
class PerformedCall:
    """A call that has run, with the objects behind it.

    Attributes:
        raised: the type of the exception that it raised, if it did.
        returned: the value that it returned.
        root: the object that it was called on, or the one that it constructed.
        arguments: its other arguments.
        changeable: the arguments that it can have changed, and that are no `objects`.
        objects: by the number of the call that gave them, all objects of a sequence; of a state, its root alone.
        constructs: True if it was a constructor's call.
    """

    raised: str | None
    returned: Any
    root: Any
    arguments: Sequence[Any]
    changeable: Sequence[Any]
    objects: Mapping[int, Any]
    constructs: bool = False

    @property
    def other_objects(self) -> list[Any]:
        """The objects besides the root."""
        return [held for held in self.objects.values() if held is not self.root]


def is_object(value: Any) -> bool:
    """Return whether the identity of a value matters."""
    return not isinstance(value, _NO_OBJECTS)


def below(roots: list[Any], *, in_objects: bool) -> list[Any]:
    """Return all values below roots, each once: below lists, tuples and dicts only, or below all objects."""
    found: dict[int, Any] = {}
    while roots:
        value = roots.pop()
        kind = type(value)  # not `isinstance`, which asks the program
        if id(value) in found or issubclass(kind, (str, bytes, int, float, type(None), type, ModuleType)):
            continue
        found[id(value)] = value
        if kind in (list, tuple) or (in_objects and issubclass(kind, (list, tuple, set, frozenset, deque))):
            roots.extend(elements(value))
        if kind is dict or (in_objects and issubclass(kind, dict)):
            roots.extend([*dict.keys(value), *dict.values(value)])
        if in_objects:
            roots.extend(attributes(value).values())
    return list(found.values())


def _drawn(value: Any, pairs: list[tuple[Any, Any]]) -> Any:
    """Return a copy of lists, tuples and dicts in which iterators are replaced; `pairs` has those that were."""
    if type(value) is dict:
        return {key: _drawn(held, pairs) for key, held in value.items()}
    if type(value) in (list, tuple):
        return type(value)([_drawn(held, pairs) for held in value])
    if not is_lazy(value):
        return value
    for before, after in pairs:
        if before is value:
            return after
    pairs.append((value, iter([_drawn(held, pairs) for held in islice(value, MOST_DRAWN)])))
    return next(after for before, after in pairs if before is value)


def limit_recursion(more: int = 0) -> None:
    """Allow as many frames as the fast path does, which counts its limit from three frames above the caller.

    Args:
        more: how many more frames than on the fast path there are between the caller and the program.
    """
    limit_frames(more - 4)  # which counts from its own frame, one below this one
