"""Integers in circuits, in the order encoding: a literal for each bound says whether the integer reaches it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from harness.errors import UsageError
from harness.generators.sat.circuits import FALSE, TRUE, Circuits

MOST_VALUES = 1_000_000
"""Of one integer: each takes a literal."""


@dataclass(frozen=True)
class Unary:
    """An integer from `least` to `least + len(reached)`; `reached[k]` says that it is at least `least + 1 + k`."""

    least: int
    reached: tuple[int, ...] = ()

    @property
    def most(self) -> int:
        """The largest that it can be."""
        return self.least + len(self.reached)

    def at_least(self, bound: int) -> int:
        """Whether it is `bound` or more."""
        if bound <= self.least:
            return TRUE
        return self.reached[bound - self.least - 1] if bound <= self.most else FALSE


def counted(circuits: Circuits, literals: Sequence[int]) -> Unary:
    """How many of the literals are true: by halves; at once where each is known to imply the one before."""
    known = sum(each == TRUE for each in literals)
    open_ones = [each for each in literals if each not in (TRUE, FALSE)]
    if all(circuits.implies(later, sooner) for sooner, later in pairwise(open_ones)):
        return Unary(known, tuple(open_ones))
    return added(circuits, Unary(known), _halved(circuits, [Unary(0, (each,)) for each in open_ones]))


def summed(circuits: Circuits, numbers: Sequence[Unary]) -> Unary:
    """The sum of several integers."""
    return _halved(circuits, list(numbers)) if numbers else Unary(0)


def _halved(circuits: Circuits, numbers: list[Unary]) -> Unary:
    if len(numbers) == 1:
        return numbers[0]
    half = len(numbers) // 2
    return added(circuits, _halved(circuits, numbers[:half]), _halved(circuits, numbers[half:]))


def added(circuits: Circuits, one: Unary, other: Unary) -> Unary:
    """The sum of two integers: it reaches a bound where the two reach parts of it."""
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
    """The integer with the other sign: it reaches -b where the other does not reach b + 1."""
    return Unary(-number.most, tuple(-each for each in reversed(number.reached)))


def check_width(width: int) -> None:
    """Whether an integer may have so many values.

    Raises:
        UsageError: it may not.
    """
    if width > MOST_VALUES:
        raise UsageError(
            f"an integer of the invariant may have {width} values, more than {MOST_VALUES}; "
            "use smaller factors and integers, or compare them without adding"
        )


def times(number: Unary, factor: int) -> Unary:
    """A multiple by a factor from 0.

    Raises:
        UsageError: it may have too many values.
    """
    check_width(len(number.reached) * factor)
    return Unary(number.least * factor, tuple(each for each in number.reached for _ in range(factor)))


def equal(circuits: Circuits, one: Unary, other: Unary) -> int:
    """Whether two integers are equal."""
    return circuits.both(not_more(circuits, one, other), not_more(circuits, other, one))


def not_more(circuits: Circuits, one: Unary, other: Unary) -> int:
    """Whether the one is at most the other: the other reaches what the one reaches."""
    if one.least > other.most:
        return FALSE
    bounds = range(max(one.least, other.least + 1), min(one.most, other.most + 1) + 1)
    return circuits.all(circuits.either(-one.at_least(bound), other.at_least(bound)) for bound in bounds)


def less(circuits: Circuits, one: Unary, other: Unary) -> int:
    """Whether the one is below the other."""
    return not_more(circuits, Unary(one.least + 1, one.reached), other)
