"""Sums of variables with whole coefficients, brought into the form of a difference where they have one.

A solver answers with a value of each variable, with None if there is no solution, or with UNKNOWN.
"""

from __future__ import annotations

from collections.abc import Iterable
from math import gcd
from typing import TypeAlias

Coefficients: TypeAlias = tuple[tuple[int, int], ...]
"""Pairs of a variable and its coefficient, which is not 0, in the order of the variables."""
Slot: TypeAlias = tuple[int, int]
"""A variable (0: the number zero), and the constant that is added to it."""
Bound: TypeAlias = float
"""A whole number, or INFINITE."""
Row: TypeAlias = tuple[Bound, ...]
Hole: TypeAlias = tuple[int, int, int]
"""(x, y, d) with x < y: x - y is not d."""
INFINITE = float("inf")
"""The bound of a difference that is unbounded."""


class Unknown:
    """The answer of a solver that has reached its limit."""

    def __repr__(self) -> str:
        return "UNKNOWN"


UNKNOWN = Unknown()

Range: TypeAlias = tuple[int, int] | None
"""The least and the largest value; None means any value."""
Ranges: TypeAlias = tuple[Range, ...]
"""The ranges of the variables 1, 2, ..., as far as they have one."""
Solution: TypeAlias = tuple[int, ...] | None | Unknown


def combined(one: Coefficients, other: Coefficients, factor: int) -> Coefficients:
    """Return the coefficients of `one + factor * other`."""
    total = dict(one)
    for x, weight in other:
        total[x] = total.get(x, 0) + factor * weight
    return tuple(sorted((x, weight) for x, weight in total.items() if weight))


def scaled(coefficients: Coefficients, factor: int) -> Coefficients:
    """Return the coefficients, each multiplied by the factor."""
    return tuple((x, weight * factor) for x, weight in coefficients) if factor else ()


def difference(coefficients: Coefficients) -> tuple[int, int, int] | None:
    """Return x, y and k for coefficients that are k (x - y), where k > 0 and x or y may be 0; None for all others."""
    if len(coefficients) == 1:
        x, weight = coefficients[0]
        return (x, 0, weight) if weight > 0 else (0, x, -weight)
    if len(coefficients) == 2:
        (x, one), (y, other) = coefficients
        if one == -other:
            return (x, y, one) if one > 0 else (y, x, other)
    return None


def content(coefficients: Coefficients) -> int:
    """Return the greatest whole number that divides all coefficients."""
    return gcd(*(weight for _, weight in coefficients))


def value(coefficients: Iterable[tuple[int, int]], values: list[int] | tuple[int, ...]) -> int:
    """Return the sum for the values of all variables, where `values[0]` belongs to variable 0 and is 0."""
    return sum(weight * values[x] for x, weight in coefficients)
