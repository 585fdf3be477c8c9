"""Integers in circuits, in the order encoding, and the comparison of numbers and sets of integers.

A literal for each bound says that the integer reaches it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from harness.errors import UsageError
from harness.generators.sat.circuits import FALSE, TRUE, Circuits

MOST_VALUES = 1_000_000
"""The largest number of values of one integer; each needs a literal."""


@dataclass(frozen=True)
class Unary:
    """An integer from `least` to `least + len(reached)`; `reached[k]` says that it is at least `least + 1 + k`."""

    least: int
    reached: tuple[int, ...] = ()

    @property
    def most(self) -> int:
        """The largest possible value."""
        return self.least + len(self.reached)

    def at_least(self, bound: int) -> int:
        """Return a literal that is true if the integer is `bound` or more."""
        if bound <= self.least:
            return TRUE
        return self.reached[bound - self.least - 1] if bound <= self.most else FALSE


def counted(circuits: Circuits, literals: Sequence[int]) -> Unary:
    """Return the number of true literals, by halves; directly if each is known to imply the one before."""
    certain = sum(each == TRUE for each in literals)
    open_ones = [each for each in literals if each not in (TRUE, FALSE)]
    if all(circuits.implies(later, sooner) for sooner, later in pairwise(open_ones)):
        return Unary(certain, tuple(open_ones))
    return added(circuits, Unary(certain), _halved(circuits, [Unary(0, (each,)) for each in open_ones]))


def summed(circuits: Circuits, numbers: Sequence[Unary]) -> Unary:
    """Return the sum of several integers."""
    return _halved(circuits, list(numbers)) if numbers else Unary(0)


def _halved(circuits: Circuits, numbers: list[Unary]) -> Unary:
    if len(numbers) == 1:
        return numbers[0]
    half = len(numbers) // 2
    return added(circuits, _halved(circuits, numbers[:half]), _halved(circuits, numbers[half:]))


def added(circuits: Circuits, one: Unary, other: Unary) -> Unary:
    """Return the sum of two integers: it reaches a bound if the two reach parts of it."""
    least = one.least + other.least
    if not one.reached or not other.reached:
        return Unary(least, one.reached or other.reached)
    reached = []
    for bound in range(1, len(one.reached) + len(other.reached) + 1):
        parts = range(max(0, bound - len(other.reached)), min(bound, len(one.reached)) + 1)
        reached.append(
            circuits.any(
                circuits.both(one.at_least(one.least + part), other.at_least(other.least + bound - part))
                for part in parts
            )
        )
    return Unary(least, tuple(reached))


def negated(number: Unary) -> Unary:
    """Return the negated integer: it reaches -b if the original does not reach b + 1."""
    return Unary(-number.most, tuple(-each for each in reversed(number.reached)))


def check_width(width: int) -> None:
    """Check that an integer may have `width` values.

    Raises:
        UsageError: there are too many values.
    """
    if width > MOST_VALUES:
        raise UsageError(
            f"an integer of the invariant may have {width} values, more than {MOST_VALUES}; "
            "use smaller factors and integers, or compare them without adding"
        )


def times(number: Unary, factor: int) -> Unary:
    """Return a multiple by a factor of at least 0.

    Raises:
        UsageError: the product may have too many values.
    """
    check_width(len(number.reached) * factor)
    return Unary(number.least * factor, tuple(each for each in number.reached for _ in range(factor)))


def equal(circuits: Circuits, one: Unary, other: Unary) -> int:
    """Return a literal that is true if two integers are equal."""
    return circuits.both(not_more(circuits, one, other), not_more(circuits, other, one))


def not_more(circuits: Circuits, one: Unary, other: Unary) -> int:
    """Return a literal that is true if `one` is at most `other`, which reaches each bound that `one` reaches."""
    if one.least > other.most:
        return FALSE
    bounds = range(max(one.least, other.least + 1), min(one.most, other.most + 1) + 1)
    return circuits.all(circuits.either(-one.at_least(bound), other.at_least(bound)) for bound in bounds)


def less(circuits: Circuits, one: Unary, other: Unary) -> int:
    """Return a literal that is true if `one` is below `other`."""
    return not_more(circuits, Unary(one.least + 1, one.reached), other)


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
        return summed(circuits, [_weighted(value, literal) for value, literal in integers.held.items()])
    least, most = min([0, *integers.held]), max([0, *integers.held])
    check_width(most - least)
    suffixes = dict(zip(integers.held, circuits.suffixes(list(integers.held.values())), strict=False))
    reached = []
    for bound in range(least + 1, most + 1):
        if bound > 0:
            reached.append(next((each for value, each in suffixes.items() if value >= bound), FALSE))
        else:
            reached.append(-circuits.any(literal for value, literal in integers.held.items() if value < bound))
    return Unary(least, tuple(reached))


def _weighted(value: int, literal: int) -> Unary:
    check_width(abs(value))
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
        return (less if strictly else not_more)(circuits, one, other)
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
