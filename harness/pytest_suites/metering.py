"""Counts the steps of each test within budgets, and records the places of the target that it reaches."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager

from harness.kernel.program.steps import StepCounter, step_counter

UNLIMITED = 1 << 62


class PartMeter:
    """Steps and reached places since a part began; parts within parts are counted by themselves.

    Attributes:
        limit_met: whether a part has spent more than its budget since `limit_met` was last set to False.
        entered: the number of times that code of the selected mutant was executed.
        steps: the number of steps that were spent so far.
    """

    def __init__(self) -> None:
        self.counter: StepCounter = step_counter()
        self.limit_met = False
        self.entered = 0
        self.steps = 0
        self._sites: set[int] = set()
        self._budget = UNLIMITED
        self._used = 0
        self.counter.start(UNLIMITED)

    def reach(self, site: int) -> None:
        """Record that a place of the probed module is reached."""
        self._sites.add(site)

    def enter(self) -> bool:
        """Code of the selected mutant is executed; True, so that it can stand in a condition."""
        self.entered += 1
        return True

    @contextmanager
    def part(self, budget: int, record: Callable[[int, frozenset[int]], None]) -> Iterator[None]:
        """Count a part, which may spend `budget` steps; at its end, `record` gets the steps spent and the places."""
        self._note()
        outer = self._sites, self._budget, self._used
        self._sites, self._budget, self._used = set(), budget, 0
        self.counter.start(budget)
        try:
            yield
        finally:
            self._note()
            record(self._used, frozenset(self._sites))
            self._sites, self._budget, self._used = outer
            self.counter.start(max(0, self._budget - self._used))

    def _note(self) -> None:
        spent = self.counter.spent()
        self._used += spent
        self.steps += spent
        if self._used > self._budget:
            self.limit_met = True
