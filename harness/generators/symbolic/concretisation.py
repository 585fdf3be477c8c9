"""Chooses values for the integers of a path. Any solution takes the same path, so the choice is free."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from enum import StrEnum

from harness.generators.symbolic.formulas import Range, Ranges, Solution
from harness.generators.symbolic.systems import System

MOST_TRIES = 64
"""The number of values tried for a variable, from the wanted one outwards, before its known value is taken."""

Below = Callable[[int], int]
"""A function that returns a number from 0 to below its argument."""


class ValueRule(StrEnum):
    """The rules by which one solution of a path's system is chosen."""

    ADJACENT = "adjacent"
    """The least values, so that values in a row are next to each other."""
    SPREAD = "spread"
    """Values as far from each other as the ranges allow, in the same order."""
    BOUNDARY = "boundary"
    """The greatest and the least value that a variable can have, in turn."""
    RANDOM = "random"
    """Values drawn from the ranges at random."""


def concretised(system: System, ranges: Ranges, values: ValueRule, below: Below) -> Solution:
    """Return a solution like `System.solution`, and choose between several solutions by `values`.

    The variables are fixed one after the other. Each gets the value that some solution has and that is next to the
    wanted value. Variables without a range have their value in the last solution that was found.

    Args:
        below: draws the numbers for `ValueRule.RANDOM`.
    """
    solution = system.solution(ranges)
    if not isinstance(solution, tuple) or values is ValueRule.ADJACENT:
        return solution
    fixed = list(ranges)
    for at, (limits, target) in enumerate(zip(ranges, _preferred_values(solution, ranges, values, below), strict=True)):
        if limits is None:
            continue
        for value in _from(target, limits):
            if value == solution[at]:
                break
            fixed[at] = (value, value)
            candidate = system.solution(tuple(fixed))
            if isinstance(candidate, tuple):
                solution = candidate
                break
        fixed[at] = (solution[at], solution[at])
    return solution


def extremes(system: System, ranges: Ranges) -> list[tuple[int, ...]]:
    """Return the solutions with the least and with the greatest values within the ranges, each once.

    If no solution has the least or the greatest values of all variables, these are fixed one after the other. The list
    is empty if the system has no solution.
    """
    ends = system.extremes(ranges)
    if ends is None:
        solution = system.solution(ranges)
        if not isinstance(solution, tuple):
            return []
        ends = _extreme(system, ranges, solution, 0), _extreme(system, ranges, solution, 1)
    return list(dict.fromkeys(ends))


def _extreme(system: System, ranges: Ranges, solution: tuple[int, ...], end: int) -> tuple[int, ...]:
    """Return the solution with the least (`end` is 0) or the greatest (1) values; `solution` is any solution."""
    fixed, step = list(ranges), 2 * end - 1
    for at, limits in enumerate(ranges):
        if limits is None:
            continue
        bound = tried = limits[end]
        while solution[at] != bound:
            fixed[at] = (min(tried, bound), max(tried, bound))
            nearer = system.solution(tuple(fixed))
            if isinstance(nearer, tuple):
                solution = nearer
            else:
                bound = tried - step
            tried = solution[at] + step * ((abs(bound - solution[at]) + 1) // 2)
        fixed[at] = (bound, bound)
    return solution


def _preferred_values(least: tuple[int, ...], ranges: Ranges, values: ValueRule, below: Below) -> Iterator[int]:
    """Yield the wanted value of each variable with a range, and 0 for each variable without a range."""
    ranks = {value: rank for rank, value in enumerate(sorted(set(least[: len(ranges)])))}
    for at, limits in enumerate(ranges):
        if limits is None:
            yield 0
            continue
        low, high = limits
        if values is ValueRule.SPREAD:
            yield low + ranks[least[at]] * (high - low) // max(1, len(ranks) - 1)
        elif values is ValueRule.BOUNDARY:
            yield low if at % 2 else high
        else:
            yield low + below(high - low + 1)


def _from(target: int, limits: Range) -> Iterator[int]:
    """Yield values within limits, those next to `target` first; at most MOST_TRIES."""
    assert limits is not None
    low, high = limits
    for tries in range(MOST_TRIES):
        value = target + (tries + 1) // 2 * (1 if tries % 2 else -1)
        if low <= value <= high:
            yield value
