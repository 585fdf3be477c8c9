"""Sequences to go on from: each once, by the classes of what it gives, and moved behind others."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from harness.generators.chance import Chance
from harness.generators.policies.random.options import Options
from harness.generators.sequences.calls import moved
from harness.kernel.inputs.suites import Call
from harness.model.routines import NONE, ArgumentDomain, Routine
from harness.model.sequence import SequenceScope

REPEATED_ONE_IN = 10
"""How often a call is repeated: one attempt in so many (section 3.1)."""

ALIASED_ONE_IN = 10
"""How often an object is passed once more, where the call is given one of the class: the paper prints no number."""

NONE_ONE_IN = 20
"""How often None is passed where it may be, as by Randoop's `null-ratio`."""

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

    def __init__(self, bounds: SequenceScope, chance: Chance, most_calls: int, options: Options) -> None:
        self._options = options
        self._bounds = bounds
        self._routines = bounds.routines
        self._chance = chance
        self._most_calls = most_calls
        self._by_class: dict[str, list[_Held]] = {}

    def add(self, calls: Calls, objects: Objects) -> None:
        """Keeps a sequence that went well, for these objects, which are unlike all before."""
        for number, classes in objects:
            for name in classes:
                self._by_class.setdefault(name, []).append(_Held(calls, number, classes))

    def draft(self) -> Draft | None:
        """A routine at random with arguments at random; None where nothing in the pool will do, or it gets too long."""
        target = self._chance.below(len(self._routines))
        routine = self._routines[target]
        making = _Making(self._by_class, self._chance, self._routines, self._options)
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


def takes_none(parameter: ArgumentDomain) -> bool:
    """Return whether `none=yes` passes None to a parameter: it takes objects, and its values do not have None already.

    Numbers and truths do not count as objects, as they do not in Java.
    """
    has_objects = bool(parameter.earlier) or any(type(value) not in (bool, int, float) for value in parameter.values)
    return has_objects and None not in parameter.values


class _Held(NamedTuple):
    """An object of the pool: the sequence that gives it, the number of its call there, and the names it goes by."""

    calls: Calls
    number: int
    classes: tuple[str, ...]


class _Making:
    """The sequences that give one call its receiver and arguments, one behind the other."""

    def __init__(
        self, by_class: dict[str, list[_Held]], chance: Chance, routines: Sequence[Routine], options: Options
    ) -> None:
        self._by_class = by_class
        self._chance = chance
        self._routines = routines
        self._options = options
        self._given: dict[str, list[int]] = {}
        self.calls: list[Call] = []

    def argument(self, parameter: ArgumentDomain) -> int | None:
        """One of its values, or of its classes an object; None where there is none."""
        if self._options.none and takes_none(parameter) and not self._chance.below(NONE_ONE_IN):
            return NONE
        count = len(parameter.values) + len(parameter.earlier)
        if not count:
            return None
        chosen = self._chance.below(count)
        if chosen < len(parameter.values):
            return chosen
        number = self.object(parameter.earlier[chosen - len(parameter.values)], parameter.apart)
        return None if number is None else number + len(parameter.values)

    def object(self, class_name: str, apart: bool = False) -> int | None:
        """One of the pool, whose sequence is appended, or one that the call is given already; None: there is none.

        Args:
            apart: whether it may be no other argument of the call.
        """
        given = () if apart or not self._options.aliases else self._given.get(class_name, ())
        if given and not self._chance.below(ALIASED_ONE_IN):
            return given[self._chance.below(len(given))]
        pool = self._by_class.get(class_name)
        if not pool:
            return None
        held = pool[self._chance.below(len(pool))]
        first = len(self.calls)
        self.calls += [moved(call, self._routines[call.target], first) for call in held.calls]
        if not apart:
            for name in held.classes:
                self._given.setdefault(name, []).append(first + held.number)
        return first + held.number
