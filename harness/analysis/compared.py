"""Compares generators at one scope and an equal budget, with scores from kill matrices and first kills."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum
from fractions import Fraction

import numpy as np

from harness.analysis.comparable_suites import ComparedSuite, SubjectComparison
from harness.analysis.hypergeometric import chances_of_reaching, expected_reached, nearly_expected_reached
from harness.analysis.kill_matrix import Flags, KillMatrix, Numbers
from harness.model.mutant import Mutant

SIZES = (100, 1000, 10_000)
"""Numbers of inputs, or of calls, at which generators are compared where nothing else is said."""

SECONDS = (Fraction(1, 100), Fraction(1, 10), Fraction(1))
"""Processor seconds at which they are."""


class Basis(Enum):
    """The budget at which suites are compared."""

    INPUTS = "inputs"
    CALLS = "calls"
    SECONDS = "seconds"


Calls = Callable[[ComparedSuite], Numbers]
"""The number of calls of each input of a suite."""


class SelectionMode(Enum):
    """The way in which a part of a suite was chosen."""

    WHOLE = "whole"
    PREFIX = "first inputs"
    DRAWN = "drawn at random"


@dataclass(frozen=True)
class SuitePart:
    """`size` inputs of a suite: all, its first ones, or, of a generator without random prefixes, any at random."""

    suite: ComparedSuite
    size: int

    @property
    def selection(self) -> SelectionMode:
        """Return how these inputs are chosen."""
        if self.size == self.suite.trial.inputs:
            return SelectionMode.WHOLE
        return SelectionMode.PREFIX if self.suite.has_random_prefixes else SelectionMode.DRAWN

    @property
    def first(self) -> Flags:
        """Return one flag per input of the suite, set for the first `size` ones."""
        return np.arange(self.suite.trial.inputs) < self.size

    def score(self, counted: Flags) -> Fraction:
        """Return killed mutants divided by those that count; for random inputs, the exact mean over all draws."""
        hits = self._hits_by_draws(counted)
        if hits is not None:
            return expected_reached(hits, self.suite.trial.inputs, self.size) / len(hits)
        return Fraction(int((self.suite.kills.killed_by_mask(self.first) & counted).sum()), int(counted.sum()))

    def score_to_draw(self, counted: Flags) -> float:
        """Return the score as a float, whose mean over draws is right to six digits and cheap at any size."""
        hits = self._hits_by_draws(counted)
        if hits is not None:
            return nearly_expected_reached(hits, self.suite.trial.inputs, self.size) / len(hits)
        return float(self.score(counted))

    def _hits_by_draws(self, counted: Flags) -> list[int] | None:
        """Return how many inputs kill each mutant that counts; None if these inputs are not drawn at random."""
        kills = self.suite.kills
        if self.selection is not SelectionMode.DRAWN or not isinstance(kills, KillMatrix):
            return None
        hits: list[int] = np.array(kills.killing_inputs(), dtype=np.int64)[counted].tolist()
        return hits

    def chances(self) -> list[Fraction]:
        """Return for each mutant the chance that these inputs kill it: 0 or 1, unless they are drawn at random."""
        kills = self.suite.kills
        if self.selection is SelectionMode.DRAWN and isinstance(kills, KillMatrix):
            return chances_of_reaching(kills.killing_inputs(), self.suite.trial.inputs, self.size)
        return [Fraction(int(flag)) for flag in kills.killed_by_mask(self.first)]


@dataclass(frozen=True)
class Point:
    """The scores of one generator at one scope and budget (None: whole suites), one for the part of each suite.

    `branches` are the branch coverages of the same parts, where they are known.
    """

    subject: str
    title: str
    generator: str
    limit: Fraction | None
    scope: int
    selections: tuple[SelectionMode, ...]
    inputs: tuple[int, ...]
    killed: tuple[Fraction, ...]
    branches: tuple[Fraction, ...] = ()


def parts(suites: Sequence[ComparedSuite], basis: Basis, limit: Fraction, calls: Calls) -> list[SuitePart]:
    """Choose as many inputs of each suite as the budget allows, and none of a suite that does not use it up.

    Of processor seconds, a suite that is made and run within the budget counts as a whole.
    """
    sizes = ((suite, _size(suite, basis, limit, calls)) for suite in suites)
    return [SuitePart(suite, size) for suite, size in sizes if size]


def whole_suites(suites: Sequence[ComparedSuite]) -> list[SuitePart]:
    """Return each suite with all of its inputs."""
    return [SuitePart(suite, suite.trial.inputs) for suite in suites]


Branches = Callable[[Sequence[SuitePart]], Sequence[Fraction]]
"""The branch coverage of parts of suites of one subject and generator; none where it is not known."""


def one_call(suite: ComparedSuite) -> Numbers:
    """Return one call for each input, as inputs that are states have."""
    return np.ones(suite.trial.inputs, dtype=np.int64)


def points(
    compared: Iterable[SubjectComparison],
    limits: Sequence[Fraction | int],
    branches: Branches = lambda chosen: (),
    basis: Basis = Basis.INPUTS,
    calls: Calls = one_call,
) -> list[Point]:
    """Score each generator by subject, scope and budget (whole suites last), if its suites use the budget up."""
    scored = []
    for subject in compared:
        counted = subject.counted()
        for limit in (*map(Fraction, limits), None):
            for generator, suites in subject.suites.items():
                chosen = whole_suites(suites) if limit is None else parts(suites, basis, limit, calls)
                if chosen and counted.any():
                    scored.append(_point(subject, generator, limit, chosen, counted, branches))
    return scored


@dataclass(frozen=True)
class Kills:
    """One mutant and, by generator, how many of its whole suites kill it, and of how many."""

    mutant: Mutant
    killed: Mapping[str, tuple[int, int]]

    def is_killed_by(self, generator: str) -> bool:
        """Return True if at least half of the generator's suites kill it."""
        killing, suites = self.killed[generator]
        return 2 * killing >= suites

    def is_killed_by_any(self, generator: str) -> bool:
        """Return True if at least one of the generator's suites kills it."""
        return self.killed[generator][0] > 0


def kills_by_generator(subject: SubjectComparison) -> list[Kills]:
    """Return, for each mutant that counts, the whole suites that kill it, in the order of places in the source."""
    rows = {generator: [suite.kills.killed_by() for suite in suites] for generator, suites in subject.suites.items()}
    order = next(iter(subject.suites.values()))[0].kills.mutants
    kills_of_mutants = [
        Kills(
            subject.mutants[mutant],
            {name: (sum(int(row[number]) for row in of_name), len(of_name)) for name, of_name in rows.items()},
        )
        for number, mutant in enumerate(order)
        if mutant not in subject.proven
    ]
    return sorted(
        kills_of_mutants, key=lambda kills: (kills.mutant.location.line, kills.mutant.location.column, kills.mutant.id)
    )


def _size(suite: ComparedSuite, basis: Basis, limit: Fraction, calls: Calls) -> int | None:
    """Return the size of a prefix within the budget; for drawn inputs, the size that is within it on average."""
    inputs = suite.trial.inputs
    if basis is Basis.INPUTS:
        return int(limit) if limit <= inputs else None
    if basis is Basis.CALLS:
        spent = np.cumsum(calls(suite))
        if spent[-1] < limit:
            return None
        return (
            int(np.searchsorted(spent, int(limit), side="right"))
            if suite.has_random_prefixes
            else int(limit * inputs / int(spent[-1]))
        )
    if suite.making is None or suite.running is None:
        return None
    at_once = Fraction() if suite.has_random_prefixes else suite.making
    each = (suite.making + suite.running - at_once) / inputs
    left = limit - at_once
    if left < 0 or not each:
        return None if left < 0 else inputs
    return min(inputs, int(left / each))


def _point(
    subject: SubjectComparison,
    generator: str,
    limit: Fraction | None,
    chosen: Sequence[SuitePart],
    counted: Flags,
    branches: Branches,
) -> Point:
    return Point(
        subject=subject.subject,
        title=subject.title,
        generator=generator,
        limit=limit,
        scope=subject.scope,
        selections=tuple(part.selection for part in chosen),
        inputs=tuple(part.size for part in chosen),
        killed=tuple(part.score(counted) for part in chosen),
        branches=tuple(branches(chosen)),
    )
