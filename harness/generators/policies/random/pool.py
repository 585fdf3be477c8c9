"""Stores sequences to extend, by the classes of the objects that they return, and concatenates them into drafts."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from harness.generators.chance import Chance
from harness.generators.policies.random.options import Options
from harness.generators.sequences.structures import moved
from harness.kernel.inputs.suites import Call
from harness.model.routines import NONE, ArgumentDomain, Routine
from harness.model.sequence import SequenceScope

REPEATED_ONE_IN = 10
"""A call is repeated in one of this many attempts (section 3.1)."""

ALIASED_ONE_IN = 10
"""One in this many objects is an earlier object of the same call, if it has one; the paper prints no number."""

NONE_ONE_IN = 20
"""One in this many arguments is None where it may be, like Randoop's `null-ratio`."""

MOST_REPEATS = 100
"""The largest number of repetitions of one call (section 3.1)."""

Calls = tuple[Call, ...]

Objects = tuple[tuple[int, tuple[str, ...]], ...]
"""The numbers of the calls that returned objects, and the class names by which parameters refer to each."""


@dataclass(frozen=True)
class Draft:
    """A sequence to execute: calls that are known to go well, and a last call that may be repeated."""

    before: Calls
    call: Call
    times: int

    def calls(self, times: int) -> Calls:
        """Return the sequence with its last call repeated `times` times."""
        return (*self.before, *([self.call] * times))


class Pool:
    """Stored sequences, from which new ones are drawn at random."""

    def __init__(self, bounds: SequenceScope, chance: Chance, most_calls: int, options: Options) -> None:
        self._options = options
        self._bounds = bounds
        self._routines = bounds.routines
        self._chance = chance
        self._most_calls = most_calls
        self._by_class: dict[str, list[_Held]] = {}

    def add(self, calls: Calls, objects: Objects) -> None:
        """Store a sequence that went well, for its new objects."""
        for number, classes in objects:
            for name in classes:
                self._by_class.setdefault(name, []).append(_Held(calls, number, classes))

    def draft(self) -> Draft | None:
        """Return a random routine with random arguments; None if the pool lacks an object or the draft is too long."""
        target = self._chance.below(len(self._routines))
        routine = self._routines[target]
        making = _Making(self._by_class, self._chance, self._routines, self._options)
        arguments: list[int | None] = [making.object(self._bounds.root)] if routine.has_receiver else []
        arguments += [making.argument(parameter) for parameter in routine.parameters]
        indices = tuple(argument for argument in arguments if argument is not None)
        room = self._most_calls - len(making.calls)
        if len(indices) != len(arguments) or room < 1:
            return None
        times = 1
        if routine.has_receiver and not self._chance.below(REPEATED_ONE_IN):
            times += self._chance.below(MOST_REPEATS)
        return Draft(tuple(making.calls), Call(target, indices), min(times, room))


def takes_none(parameter: ArgumentDomain) -> bool:
    """Return whether `none=yes` passes None to a parameter: it takes objects, and None is not among its values.

    Numbers and Booleans do not count as objects, as in Java.
    """
    has_objects = bool(parameter.earlier) or any(type(value) not in (bool, int, float) for value in parameter.values)
    return has_objects and None not in parameter.values


class _Held(NamedTuple):
    """An object of the pool: the sequence that returns it, the number of its call there, and its class names."""

    calls: Calls
    number: int
    classes: tuple[str, ...]


class _Making:
    """Concatenates the sequences that provide one call's receiver and arguments."""

    def __init__(
        self, by_class: dict[str, list[_Held]], chance: Chance, routines: Sequence[Routine], options: Options
    ) -> None:
        self._by_class = by_class
        self._chance = chance
        self._routines = routines
        self._options = options
        self._arguments_by_class: dict[str, list[int]] = {}
        self.calls: list[Call] = []

    def argument(self, parameter: ArgumentDomain) -> int | None:
        """Return the index of a value or object for the parameter; None if there is none."""
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

    def object(self, class_name: str, is_distinct: bool = False) -> int | None:
        """Return the number of an object of the pool, whose sequence is appended, or of an object that the call has.

        Return None if there is none.

        Args:
            is_distinct: whether the object must differ from all other arguments of the call.
        """
        aliases = () if is_distinct or not self._options.aliases else self._arguments_by_class.get(class_name, ())
        if aliases and not self._chance.below(ALIASED_ONE_IN):
            return aliases[self._chance.below(len(aliases))]
        pool = self._by_class.get(class_name)
        if not pool:
            return None
        held = pool[self._chance.below(len(pool))]
        first = len(self.calls)
        self.calls += [moved(call, self._routines[call.target], first) for call in held.calls]
        if not is_distinct:
            for name in held.classes:
                self._arguments_by_class.setdefault(name, []).append(first + held.number)
        return first + held.number
