"""Encodes properties of sets of integers in circuits: totals, order, and equality with a single number."""

from __future__ import annotations

from dataclasses import dataclass

from harness.generators.sat import numbers
from harness.generators.sat.circuits import FALSE, Circuits
from harness.generators.sat.numbers import Unary


@dataclass(frozen=True)
class Integers:
    """A set of integers: `held` has the literal of each, in ascending order. `lone`: it has one element at most."""

    held: dict[int, int]
    lone: bool


def total(circuits: Circuits, integers: Integers) -> Unary:
    """Return the sum of a set's integers; if it has at most one, by the bounds that this one reaches.

    Raises:
        UsageError: the sum may have too many values.
    """
    if not integers.lone:
        return numbers.summed(circuits, [_weighted(value, literal) for value, literal in integers.held.items()])
    least, most = min([0, *integers.held]), max([0, *integers.held])
    numbers.check_width(most - least)
    suffixes = dict(zip(integers.held, circuits.suffixes(list(integers.held.values())), strict=False))
    reached = []
    for bound in range(least + 1, most + 1):
        if bound > 0:
            reached.append(next((each for value, each in suffixes.items() if value >= bound), FALSE))
        else:
            reached.append(-circuits.any(literal for value, literal in integers.held.items() if value < bound))
    return Unary(least, tuple(reached))


def _weighted(value: int, literal: int) -> Unary:
    numbers.check_width(abs(value))
    return Unary(0, (literal,) * value) if value >= 0 else Unary(value, (-literal,) * -value)


def is_set_of(circuits: Circuits, integers: Integers, other_literals: list[int], number: Unary) -> int:
    """Return a literal that is true if a set is exactly the number; `other_literals` are those of its non-integers."""
    equal = [
        circuits.either(-literal, circuits.both(number.at_least(value), -number.at_least(value + 1)))
        for value, literal in integers.held.items()
    ]
    return circuits.all([circuits.any(integers.held.values()), *equal, *(-each for each in other_literals)])


def ordered(circuits: Circuits, one: Integers | Unary, other: Integers | Unary, *, strictly: bool) -> int:
    """Return a literal that is true if each integer of `one` is below (or at) each of `other`; a number is a set."""
    if isinstance(one, Unary) and isinstance(other, Unary):
        return (numbers.less if strictly else numbers.not_more)(circuits, one, other)
    if isinstance(one, Unary) and isinstance(other, Integers):
        return circuits.all(
            circuits.either(-literal, -one.at_least(value + 1 - strictly)) for value, literal in other.held.items()
        )
    assert isinstance(one, Integers)
    if isinstance(other, Unary):
        return circuits.all(
            circuits.either(-literal, other.at_least(value + strictly)) for value, literal in one.held.items()
        )
    return _by_bounds(circuits, one, other, strictly)


def _by_bounds(circuits: Circuits, one: Integers, other: Integers, strictly: bool) -> int:
    """Return a literal that is true if `other` has nothing below (or at) the bounds that `one` reaches.

    If `other` has at most one element, this element reaches more than `one`.
    """
    reaches = circuits.suffixes(list(one.held.values()))
    values = list(one.held)
    theirs = list(other.held.values())
    beyond = circuits.suffixes(theirs) if other.lone else []
    parts = []
    for place, value in enumerate(values):
        below = [at for at, found in enumerate(other.held) if found < value + strictly]
        if not below:
            continue
        if other.lone:
            from_here = beyond[below[-1] + 1]
            parts.append(circuits.any([-reaches[place], -beyond[0], from_here]))
        else:
            parts.append(-circuits.both(reaches[place], circuits.any(theirs[: below[-1] + 1])))
    return circuits.all(parts)
