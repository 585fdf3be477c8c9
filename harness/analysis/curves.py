"""Scores the first n inputs of suites, or n inputs drawn at random, at rising n: the curves of scores by budget."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from statistics import median

import numpy as np

from harness.analysis.comparable_suites import ComparedSuite, SubjectComparison
from harness.analysis.compared import Basis, Branches, SelectionMode, SuitePart
from harness.analysis.kill_matrix import Numbers

MOST_MEASURED = 1000
"""The largest part of a suite of which branches are measured for a curve; those of whole suites are known."""


Calls = Callable[[ComparedSuite], Numbers | None]
"""The number of calls of each input of a suite; None where it is not known."""


@dataclass(frozen=True)
class CurvePoint:
    """The suites of one generator, each cut to `size` inputs.

    Attributes:
        budgets: the median cost of these inputs over suites, by basis, without calls and seconds that are not known.
        killed: the score of each suite.
        branches: the branch coverage of each suite; empty where it is not known.
    """

    size: int
    budgets: Mapping[Basis, float]
    killed: tuple[float, ...]
    branches: tuple[float, ...]


@dataclass(frozen=True)
class Curve:
    """The points of one generator on one subject at one scope, up to the size of its smallest suite."""

    subject: str
    title: str
    scope: int
    generator: str
    points: tuple[CurvePoint, ...]


def curves(compared: Sequence[SubjectComparison], branches: Branches, calls: Calls) -> Iterator[Curve]:
    """Yield the curve of each generator by subject and scope, if any mutant counts.

    Sizes are 1, 2, 5, 10, 20, 50, ..., and the whole of the smallest suite.
    """
    for one in compared:
        counted = one.counted()
        if not counted.any():
            continue
        for generator, suites in one.suites.items():
            costs = [calls(suite) for suite in suites]
            sizes = sizes_of(min(suite.trial.inputs for suite in suites))
            cut = {size: [SuitePart(suite, size) for suite in suites] for size in sizes}
            covered = _covered(cut, branches)
            points = [
                CurvePoint(
                    size,
                    _budgets(parts, costs),
                    tuple(part.score_to_draw(counted) for part in parts),
                    covered.get(size, ()),
                )
                for size, parts in cut.items()
            ]
            yield Curve(one.subject, one.title, one.scope, generator, tuple(points))


def sizes_of(inputs: int) -> list[int]:
    """Return the numbers of inputs at which a suite of so many inputs is scored."""
    steps = (step * 10**power for power in range(len(str(inputs))) for step in (1, 2, 5))
    return [*(size for size in steps if size < inputs), inputs]


def _covered(cut: Mapping[int, Sequence[SuitePart]], branches: Branches) -> dict[int, tuple[float, ...]]:
    """Return the branch coverage of the parts of each size; all are measured at once."""
    measurable = {
        size: parts
        for size, parts in cut.items()
        if all(size <= MOST_MEASURED or part.selection is SelectionMode.WHOLE for part in parts)
    }
    ratios = iter(branches([part for parts in measurable.values() for part in parts]))
    covered = {
        size: tuple(float(ratio) for _, ratio in zip(parts, ratios, strict=False)) for size, parts in measurable.items()
    }
    return {size: of_parts for size, of_parts in covered.items() if of_parts}


def _budgets(parts: Sequence[SuitePart], calls: Sequence[Numbers | None]) -> dict[Basis, float]:
    """Return the formulas of `docs/what_the_numbers_mean.md`, solved for the budget of so many inputs."""
    costs: dict[Basis, list[float | None]] = {
        Basis.INPUTS: [float(part.size) for part in parts],
        Basis.CALLS: [_calls(part, each) for part, each in zip(parts, calls, strict=True)],
        Basis.SECONDS: [_seconds(part.suite, part.size) for part in parts],
    }
    known_costs = {basis: [cost for cost in listed if cost is not None] for basis, listed in costs.items()}
    return {basis: median(listed) for basis, listed in known_costs.items() if len(listed) == len(parts)}


def _calls(part: SuitePart, calls: Numbers | None) -> float | None:
    if calls is None:
        return None
    if part.suite.has_random_prefixes:
        return float(calls[: part.size].sum())
    return float(np.mean(calls) * part.size)


def _seconds(suite: ComparedSuite, size: int) -> float | None:
    if suite.making is None or suite.running is None:
        return None
    share = size / suite.trial.inputs
    making = float(suite.making) * (share if suite.has_random_prefixes else 1)
    return making + float(suite.running) * share
