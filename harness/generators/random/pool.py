"""Sequences to go on from: each once, by the classes of what it gives, and moved behind others."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from harness.generators.random.chance import Chance
from harness.generators.sequences.calls import moved
from harness.kernel.inputs.suites import Call
from harness.model.routines import ArgumentDomain, Routine
from harness.model.sequence import SequenceScope

REPEATED_ONE_IN = 10
"""How often a call is repeated: one attempt in so many (section 3.1)."""

MOST_REPEATS = 100
"""Of one call, at the most (section 3.1)."""

Calls = tuple[Call, ...]

Objects = tuple[tuple[int, tuple[str, ...]], ...]
"""Numbers of the calls that gave objects, and the names by which each is asked for."""


@dataclass(frozen=True)
class Draft:
    """A sequence to be tried: calls known to go well, and one to be made once or several times behind them."""

    before: Calls
    call: Call
    times: int

    def calls(self, times: int) -> Calls:
        """The sequence with so many of its repetitions."""
        return (*self.before, *([self.call] * times))


class Pool:
    """Kept sequences, from which new ones are made at random."""

    def __init__(self, bounds: SequenceScope, chance: Chance, most_calls: int) -> None:
        self._bounds = bounds
        self._routines = bounds.routines
        self._chance = chance
        self._most_calls = most_calls
        self._by_class: dict[str, list[tuple[Calls, int]]] = {}

    def add(self, calls: Calls, objects: Objects) -> None:
        """Keeps a sequence that went well, for these objects, which are unlike all before."""
        for number, classes in objects:
            for name in classes:
                self._by_class.setdefault(name, []).append((calls, number))

    def draft(self) -> Draft | None:
        """A routine at random with arguments at random; None where nothing in the pool will do, or it gets too long."""
        target = self._chance.below(len(self._routines))
        routine = self._routines[target]
        making = _Making(self._by_class, self._chance, self._routines)
        arguments: list[int | None] = [making.object(self._bounds.root)] if routine.has_receiver else []
        arguments += [making.argument(parameter) for parameter in routine.parameters]
        known = tuple(argument for argument in arguments if argument is not None)
        room = self._most_calls - len(making.calls)
        if len(known) != len(arguments) or room < 1:
            return None
        times = 1
        if routine.has_receiver and not self._chance.below(REPEATED_ONE_IN):
            times += self._chance.below(MOST_REPEATS)
        return Draft(tuple(making.calls), Call(target, known), min(times, room))


class _Making:
    """The sequences that give one call its receiver and arguments, one behind the other."""

    def __init__(
        self, by_class: dict[str, list[tuple[Calls, int]]], chance: Chance, routines: Sequence[Routine]
    ) -> None:
        self._by_class = by_class
        self._chance = chance
        self._routines = routines
        self.calls: list[Call] = []

    def argument(self, parameter: ArgumentDomain) -> int | None:
        """One of its values, or of its classes an object; None where there is none."""
        count = len(parameter.values) + len(parameter.earlier)
        if not count:
            return None
        chosen = self._chance.below(count)
        if chosen < len(parameter.values):
            return chosen
        number = self.object(parameter.earlier[chosen - len(parameter.values)])
        return None if number is None else number + len(parameter.values)

    def object(self, class_name: str) -> int | None:
        """One of the pool, whose sequence is appended; None: there is none.

        So no two arguments of a call are one object, as in the inputs of other generators.
        """
        pool = self._by_class.get(class_name)
        if not pool:
            return None
        calls, number = pool[self._chance.below(len(pool))]
        first = len(self.calls)
        self.calls += [moved(call, self._routines[call.target], first) for call in calls]
        return first + number
