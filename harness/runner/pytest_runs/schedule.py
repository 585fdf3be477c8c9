"""In which order mutants are run, and each on which tests first: the same for any number of processes."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from harness.model.mutant import Mutant
from harness.runner.pytest_runs.original import Original


@dataclass(frozen=True)
class Group:
    """Neighbours: the mutants of one function, run one after the other, so that each learns from those before it.

    `anew` are those that run while the suite is collected, so that it has to be collected with each of them.
    """

    mutants: tuple[int, ...]
    anew: bool


def groups(mutants: Sequence[Mutant], anew: Collection[int]) -> list[Group]:
    """All mutants by number, those that are collected anew first."""
    found: dict[tuple[bool, str], list[int]] = {}
    for number, mutant in enumerate(mutants):
        found.setdefault((number not in anew, mutant.function), []).append(number)
    return [Group(tuple(numbers), not later) for (later, _), numbers in sorted(found.items(), key=lambda pair: pair[0])]


@dataclass
class Likelihood:
    """Which tests a mutant is run on first: those that killed its neighbours, the latest one first, then the shortest.

    Short is what takes few steps: seconds would make another order of each run.
    """

    original: Original
    _killers: list[int] = field(default_factory=list)

    def order(self, tests: Iterable[int]) -> list[int]:
        """The tests by number, likeliest killers first."""
        rank = {test: place for place, test in enumerate(self._killers)}
        last = len(rank)
        return sorted(tests, key=lambda test: (rank.get(test, last), self._steps(test), test))

    def killed_by(self, test: int | None) -> None:
        """A mutant was killed by the test."""
        if test is not None:
            self._killers = [test, *(other for other in self._killers if other != test)]

    def _steps(self, test: int) -> int:
        return self.original.measured.steps[self.original.tests[test]]


def tests_of(mutant: int, original: Original) -> Collection[int]:
    """The tests that a mutant is run on: those that reach it, or all, where it is reached before any."""
    return range(len(original.tests)) if mutant in original.on_loading else original.reached[mutant]


def numbered(original: Original) -> Mapping[str, int]:
    """The tests' numbers by node id."""
    return {node: number for number, node in enumerate(original.tests)}
