"""Values for the integers of a path: any solution takes the same path, and which one is taken is a choice."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from enum import StrEnum

from harness.generators.symbolic.differences import Differences
from harness.generators.symbolic.systems import Range, Ranges, Solution, System

MOST_TRIES = 64
"""Values that are tried for a variable, from the wanted one outwards, before the one that is known is taken."""

Below = Callable[[int], int]
"""A number from 0 to below the one that is given."""


class Values(StrEnum):
    """Which solution of a path's system is taken."""

    ADJACENT = "adjacent"
    """The least values, so that those in a row are next to each other."""
    SPREAD = "spread"
    """As far from each other as the ranges allow, in the same order."""
    BOUNDARY = "boundary"
    """In turn the greatest and the least value that a variable can have."""
    RANDOM = "random"
    """Drawn from the ranges."""


def concretised(system: System, ranges: Ranges, values: Values, below: Below) -> Solution:
    """As `System.solution`, and of several solutions the one that is asked for.

    The variables are fixed one after the other, each to the value next to the one that is wanted which some solution
    has. Those without a range have the value of the last solution that was asked for.

    Args:
        below: for `Values.RANDOM`, what numbers are drawn by.
    """
    known = system.solution(ranges)
    if not isinstance(known, tuple) or values is Values.ADJACENT:
        return known
    fixed = list(ranges)
    for at, (limits, target) in enumerate(zip(ranges, _wanted(known, ranges, values, below), strict=True)):
        if limits is None:
            continue
        for value in _from(target, limits):
            if value == known[at]:
                break
            fixed[at] = (value, value)
            tried = system.solution(tuple(fixed))
            if isinstance(tried, tuple):
                known = tried
                break
        fixed[at] = (known[at], known[at])
    return known


def extremes(system: System, ranges: Ranges) -> list[tuple[int, ...]]:
    """Return the solutions with the least and with the greatest values within the ranges, each once.

    If no solution has the least or the greatest values of all variables, these are fixed one after the other. The list
    is empty if the system has no solution.
    """
    ends = system.extremes(ranges) if isinstance(system, Differences) else None
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


def _wanted(least: tuple[int, ...], ranges: Ranges, values: Values, below: Below) -> Iterator[int]:
    """For each variable with a range the value that it is to have, if it can; others follow, of which 0 is said."""
    ranks = {value: rank for rank, value in enumerate(sorted(set(least[: len(ranges)])))}
    for at, limits in enumerate(ranges):
        if limits is None:
            yield 0
            continue
        low, high = limits
        if values is Values.SPREAD:
            yield low + ranks[least[at]] * (high - low) // max(1, len(ranks) - 1)
        elif values is Values.BOUNDARY:
            yield low if at % 2 else high
        else:
            yield low + below(high - low + 1)


def _from(target: int, limits: Range) -> Iterator[int]:
    """Values within limits, those next to `target` first; MOST_TRIES at the most."""
    assert limits is not None
    low, high = limits
    for tries in range(MOST_TRIES):
        value = target + (tries + 1) // 2 * (1 if tries % 2 else -1)
        if low <= value <= high:
            yield value
