"""Finds one scope's inputs in a larger scope's suite, so that a run of the larger serves both by indexing.

Suites of two scopes number objects, values and states differently. Inputs are therefore compared in a form that does
not depend on numbers. In it, values represent themselves, and objects are numbered in the order in which they are found
on the way from the root, field by field.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from harness.analysis.kill_matrix import Numbers
from harness.errors import UsageError
from harness.kernel.inputs.state_space import PLAIN, FieldDomain, StateSpace
from harness.kernel.inputs.suites import Call, SuiteReader, structure_key
from harness.model.finitization import CONTAINERS, Finitization, Structures

Form = tuple[object, ...]
"""A form of a state or an input; two forms are equal exactly if the states or inputs are isomorphic."""


class NestingError(UsageError):
    """An input of the smaller scope is none of the larger one's."""


def index_map(
    smaller: SuiteReader, smaller_bounds: Finitization, larger: SuiteReader, larger_bounds: Finitization
) -> Numbers:
    """Return, for each input of `smaller`, in its order, the number of the same input in `larger`.

    Each suite comes with the finitization that it was made with. Time and memory: one pass over `larger`, and the forms
    of `smaller`.

    Raises:
        NestingError: an input of `smaller` is not in `larger`; the message names it.
    """
    ours, theirs = _Forms(smaller, smaller_bounds), _Forms(larger, larger_bounds)
    inputs: dict[tuple[int, Form], list[int]] = {}
    states: dict[Form, int] = {}
    for number in range(len(smaller)):
        state, call = smaller.input(number)
        own = states.setdefault(ours.state(state), len(states))
        inputs.setdefault((own, ours.call(state, call)), []).append(number)
    places: dict[int, int | None] = {}
    numbers = np.full(len(smaller), -1, dtype=np.int64)
    for number in range(len(larger)):
        state, call = larger.input(number)
        if state not in places:
            places[state] = states.get(theirs.state(state))
        place = places[state]
        if place is not None:
            numbers[inputs.get((place, theirs.call(state, call)), [])] = number
    missing = np.flatnonzero(numbers < 0)
    if len(missing):
        first, header = int(missing[0]), smaller.header
        target = header.targets[smaller.calls[smaller.input(first)[1]].target]
        raise NestingError(
            f"{header.subject}: input {first} ({target}) of scope {header.scope} and {len(missing) - 1} others are "
            f"none of scope {larger.header.scope}; run scope {header.scope} itself"
        )
    return numbers


class _Forms:
    """The forms of a suite's states and calls. Only the last state's form is stored, as inputs come state by state."""

    def __init__(self, suite: SuiteReader, bounds: Finitization) -> None:
        self._suite = suite
        self._space = StateSpace(bounds)
        self._targets = [
            (target.name, [self._parameter(number, at, p) for at, p in enumerate(target.parameters)])
            for number, target in enumerate(bounds.targets)
        ]
        self._state = -1
        self._walk = _Walk(self._space, ())
        self._form: Form = ()
        self._plain: dict[int, Form] = {}

    def state(self, number: int) -> Form:
        """Return the form of a state."""
        if number != self._state:
            self._walk = _Walk(self._space, self._suite.vector(number))
            self._form = self._walk.object(0)
            self._state = number
        return self._form

    def call(self, state: int, number: int) -> Form:
        """Return the form of a call on a state; argument objects are represented by their places in it."""
        if number in self._plain:
            return self._plain[number]
        call = self._suite.calls[number]
        if self._is_plain(call):
            form = self._plain[number] = self._call(call, None)
            return form
        self.state(state)
        return self._call(call, self._walk.copy())

    def _parameter(self, target: int, position: int, parameter: object) -> FieldDomain | list[Form]:
        if isinstance(parameter, Structures):
            space = StateSpace(parameter.finitization)
            vectors = self._suite.header.structures[structure_key(target, position)]
            return [_Walk(space, vector).object(0) for vector in vectors]
        assert isinstance(parameter, tuple)
        return self._space.field_domain(parameter)

    def _is_plain(self, call: Call) -> bool:
        parameters = self._targets[call.target][1]
        return all(
            isinstance(p, list) or p.objects[index] == PLAIN
            for p, index in zip(parameters, call.arguments, strict=True)
        )

    def _call(self, call: Call, walk: _Walk | None) -> Form:
        name, parameters = self._targets[call.target]
        arguments: list[object] = []
        for parameter, index in zip(parameters, call.arguments, strict=True):
            if isinstance(parameter, list):
                arguments.append(parameter[index])
            elif walk is None or parameter.objects[index] == PLAIN:
                arguments.append(_plain(parameter, index))
            else:
                arguments.append(walk.object(parameter.objects[index]))
        return (name, *arguments)


class _Walk:
    """Walks one vector from the root; objects are numbered in the order in which they are found."""

    def __init__(self, space: StateSpace, vector: Sequence[int], object_numbers: dict[int, int] | None = None) -> None:
        self._space = space
        self._vector = vector
        self._object_numbers = {} if object_numbers is None else object_numbers

    def copy(self) -> _Walk:
        """Return a copy that continues the walk from here."""
        return _Walk(self._space, self._vector, dict(self._object_numbers))

    def object(self, number: int) -> Form:
        """Return the form of an object, with all objects below it that were not found before."""
        if number in self._object_numbers:
            return ("again", self._object_numbers[number])
        self._object_numbers[number] = len(self._object_numbers)
        owner = self._space.objects[number]
        fields = range(owner.first, owner.first + len(owner.names))
        if owner.is_sequence:
            length = self._space.fields[owner.first].domain.plain[self._vector[owner.first]]
            assert isinstance(length, int)
            return (owner.domain.class_name, *(self._value(field) for field in fields[1 : length + 1]))
        if owner.domain.kind in CONTAINERS:
            there = [(name, field) for name, field in zip(owner.names, fields, strict=True) if self._vector[field]]
            return (owner.domain.class_name, *((name, self._value(field)) for name, field in sorted(there)))
        return (owner.domain.class_name, owner.names, *map(self._value, fields))

    def _value(self, field: int) -> Form:
        domain, index = self._space.fields[field].domain, self._vector[field]
        number = domain.objects[index]
        return _plain(domain, index) if number == PLAIN else self.object(number)


def _plain(domain: FieldDomain, index: int) -> Form:
    value = domain.plain[index]
    return (type(value).__name__, value)  # True is not 1 here
