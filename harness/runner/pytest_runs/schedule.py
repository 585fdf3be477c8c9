"""The schedule of a pytest suite orders mutants and their tests, the same for any number of workers."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from harness.model.outcome import Mutant, MutantResult
from harness.pytest_suites.job import MutantOrder
from harness.pytest_suites.reports import MutantFacts
from harness.runner.pytest_runs.original import OriginalTests
from harness.runner.shards import WHOLE_SHARE, TrialShare

Killer = str
"""The node id of the test that kills a mutant first."""


@dataclass(frozen=True)
class MutantAnswer:
    """The facts of one mutant; text is a fault."""

    mutant: str
    facts: MutantFacts | str


@dataclass(frozen=True)
class GroupOrder:
    """Mutants of one function, run one after the other, so that each learns from the kills of those before it.

    Attributes:
        orders: of the mutants, each with its tests from the shortest on; between them the killers of those that an
            earlier run has judged.
        killers: the tests that killed earlier mutants of the group, the latest one first.
    """

    orders: tuple[MutantOrder | Killer, ...]
    killers: tuple[Killer, ...] = ()

    @classmethod
    def of(cls, orders: Sequence[MutantOrder | Killer], killers: tuple[Killer, ...] = ()) -> GroupOrder | None:
        """Return the group, without killers in front of the next mutant; None if no mutant is left."""
        for number, order in enumerate(orders):
            if isinstance(order, MutantOrder):
                return cls(tuple(orders[number:]), killers)
            killers = _latest(order, killers)
        return None

    @property
    def id(self) -> str:
        """The id of the mutant that is next."""
        return self.order.id

    @property
    def order(self) -> MutantOrder:
        """The order of the next mutant, on its likeliest killers first; of a whole row, as the suite has them."""
        order = self.orders[0]
        assert isinstance(order, MutantOrder)
        if order.matrix:
            return order
        tests = dict.fromkeys(order.tests)
        first = [killer for killer in self.killers if killer in tests]
        return replace(order, tests=tuple(dict.fromkeys([*first, *tests])))

    def after(self, facts: MutantFacts | str) -> GroupOrder | None:
        """Return the order of the mutants after the next one, which has these facts."""
        first = None if isinstance(facts, str) else facts.first
        killed_by = None if first is None else first.killer
        killers = self.killers if killed_by is None else _latest(killed_by, self.killers)
        return GroupOrder.of(self.orders[1:], killers)


@dataclass(frozen=True)
class MutantSchedule:
    """The mutants of a run with their numbers in the metamutant, and the results that an earlier run has stored."""

    mutants: Sequence[Mutant]
    selectors: Mapping[str, int]
    original: OriginalTests
    done: Mapping[str, MutantResult]
    seed: int
    matrix: bool
    share: TrialShare = WHOLE_SHARE

    def left(self, number: int) -> bool:
        """Return whether a mutant is to be run: one that no test reaches is not."""
        mutant = self.mutants[number].id
        return self.share.has(mutant) and mutant not in self.done and bool(tests_of(number, self.original))

    def groups(self) -> list[GroupOrder]:
        """Return the orders of all mutants that are left, those first that run while the suite is collected."""
        grouped: dict[tuple[bool, str], list[int]] = {}
        for number, mutant in enumerate(self.mutants):
            grouped.setdefault((number not in self.original.recollected, mutant.function), []).append(number)
        groups = [GroupOrder.of([*self._orders(grouped[key])]) for key in sorted(grouped)]
        return [group for group in groups if group is not None]

    def _orders(self, numbers: Sequence[int]) -> Iterator[MutantOrder | Killer]:
        for number in numbers:
            result = self.done.get(self.mutants[number].id)
            if result is None:
                if self.left(number):
                    yield self._order(number)
            elif result.input is not None:
                yield self.original.tests[result.input]

    def _order(self, number: int) -> MutantOrder:
        """Return the order to run a mutant on tests from the shortest on; of a whole row, as the suite has them.

        Short is what takes few steps: seconds would make another order of each run.
        """
        original, mutant = self.original, self.mutants[number]
        steps = original.measured.steps
        chosen = sorted(tests_of(number, original))
        names = [original.tests[test] for test in chosen]
        tests = tuple(names if self.matrix else sorted(names, key=lambda test: steps[test]))
        return MutantOrder(
            mutant.id, self.selectors[mutant.id], tests, self.seed, self.matrix, number in original.recollected
        )


def tests_of(mutant: int, original: OriginalTests) -> Collection[int]:
    """Return the numbers of the tests that a mutant is run on: all if it is reached before any test, else those
    reaching it.
    """
    return range(len(original.tests)) if mutant in original.on_loading else original.reached[mutant]


def numbered(original: OriginalTests) -> Mapping[str, int]:
    """Return the tests' numbers by node id."""
    return {node: number for number, node in enumerate(original.tests)}


def _latest(killer: Killer, killers: tuple[Killer, ...]) -> tuple[Killer, ...]:
    return (killer, *(other for other in killers if other != killer))
