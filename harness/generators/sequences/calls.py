"""The calls that a scope allows, and how a call that refers to objects is put behind the sequences that make them."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from itertools import product
from typing import NamedTuple

from harness.kernel.inputs.suites import Call
from harness.model.routines import Routine
from harness.model.sequence import SequenceScope


class Choice(NamedTuple):
    """A routine with an index into the values of each parameter, or None where an object of a sequence goes."""

    target: int
    indices: tuple[int | None, ...]

    def classes(self, routine: Routine, root: str) -> list[tuple[str, ...]]:
        """Of each object that it takes, the receiver first: the names of the classes one of which it is of."""
        receiver = [(root,)] if routine.has_receiver else []
        given = zip(routine.parameters, self.indices, strict=True)
        return receiver + [parameter.earlier for parameter, index in given if index is None]

    def call(self, routine: Routine, results: Sequence[int]) -> Call:
        """The call whose objects are the results of those numbers, the receiver's first."""
        left = iter(results)
        receiver = (next(left),) if routine.has_receiver else ()
        given = zip(routine.parameters, self.indices, strict=True)
        return Call(
            self.target,
            (*receiver, *(len(p.values) + next(left) if index is None else index for p, index in given)),
        )


def choices(scope: SequenceScope, target: int) -> list[Choice]:
    """All of a routine, in the order of its values, objects last."""
    routine = scope.routines[target]
    options: list[list[int | None]] = []
    for parameter in routine.parameters:
        objects: list[int | None] = [None] if parameter.earlier else []
        options.append([*range(len(parameter.values)), *objects])
    return [Choice(target, indices) for indices in product(*options)]


def moved(call: Call, routine: Routine, by: int, behind: int = 0) -> Call:
    """The call as it is when `by` more calls stand in its sequence, before its call of the number `behind`."""
    return _renumbered(call, routine, lambda number: number + by if number >= behind else number) if by else call


def without(calls: Sequence[Call], routines: Sequence[Routine], dropped: Collection[int]) -> tuple[Call, ...]:
    """Return the sequence without the calls of those numbers, and without calls that take what these give.

    It is empty if its last call is not kept.
    """
    places: dict[int, int] = {}
    kept: list[Call] = []
    for number, call in enumerate(calls):
        routine = routines[call.target]
        if number not in dropped and all(one in places for one in call.earlier(routine)):
            places[number] = len(kept)
            kept.append(_renumbered(call, routine, places.__getitem__))
    return tuple(kept) if len(calls) - 1 in places else ()


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
