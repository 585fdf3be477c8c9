"""Enumerates the calls that a scope allows, and renumbers the references of calls when sequences are joined."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from itertools import product
from typing import NamedTuple

from harness.kernel.inputs.suites import Call
from harness.model.routines import Routine
from harness.model.sequence import SequenceScope, class_names


class CallChoice(NamedTuple):
    """A routine with an index into the values of each parameter, or None for an object of a sequence."""

    target: int
    indices: tuple[int | None, ...]

    def classes(self, routine: Routine, root: str) -> list[tuple[str, ...]]:
        """Return the names of the possible classes of each object that the call takes, the receiver first."""
        receiver = [(root,)] if routine.has_receiver else []
        arguments = zip(routine.parameters, self.indices, strict=True)
        return receiver + [parameter.earlier for parameter, index in arguments if index is None]

    def call(self, routine: Routine, results: Sequence[int]) -> Call:
        """Return the call whose objects are the results with those numbers, the receiver's first."""
        left = iter(results)
        receiver = (next(left),) if routine.has_receiver else ()
        arguments = zip(routine.parameters, self.indices, strict=True)
        return Call(
            self.target,
            (*receiver, *(len(p.values) + next(left) if index is None else index for p, index in arguments)),
        )


class ScopeClasses:
    """The names by which a scope refers to objects: those of their classes and of the base classes of these."""

    def __init__(self, scope: SequenceScope) -> None:
        earlier = (name for routine in scope.routines for p in routine.parameters for name in p.earlier)
        self._wanted = dict.fromkeys((scope.root, *earlier))
        self._names: dict[type, tuple[str, ...]] = {}

    def names(self, cls: type) -> tuple[str, ...]:
        """Return the names of the objects of a class, in the order of the scope."""
        names = self._names.get(cls)
        if names is None:
            own = class_names(cls)
            names = self._names[cls] = tuple(name for name in self._wanted if name in own)
        return names


def choices(scope: SequenceScope, target: int) -> list[CallChoice]:
    """Return all choices of a routine, in the order of its values, objects last."""
    routine = scope.routines[target]
    options: list[list[int | None]] = []
    for parameter in routine.parameters:
        objects: list[int | None] = [None] if parameter.earlier else []
        options.append([*range(len(parameter.values)), *objects])
    return [CallChoice(target, indices) for indices in product(*options)]


def moved(call: Call, routine: Routine, by: int, behind: int = 0) -> Call:
    """Return the call with references shifted by `by` calls, inserted into its sequence before call `behind`."""
    return _renumbered(call, routine, lambda number: number + by if number >= behind else number) if by else call


def without(calls: Sequence[Call], routines: Sequence[Routine], dropped: Collection[int]) -> tuple[Call, ...]:
    """Return the sequence without the calls of those numbers, and without calls that take results of dropped calls.

    It is empty if the last call is left out.
    """
    places: dict[int, int] = {}
    remaining: list[Call] = []
    for number, call in enumerate(calls):
        routine = routines[call.target]
        if number not in dropped and all(one in places for one in call.earlier(routine)):
            places[number] = len(remaining)
            remaining.append(_renumbered(call, routine, places.__getitem__))
    return tuple(remaining) if len(calls) - 1 in places else ()


def _renumbered(call: Call, routine: Routine, place: Callable[[int], int]) -> Call:
    """Return the call with another number for each earlier call that it refers to."""
    arguments = list(call.arguments)
    first = int(routine.has_receiver)
    if first:
        arguments[0] = place(arguments[0])
    for at, parameter in enumerate(routine.parameters, start=first):
        values = len(parameter.values)
        if arguments[at] >= values:
            arguments[at] = values + place(arguments[at] - values)
    return Call(call.target, tuple(arguments))
