"""Runs tests one by one under pytest's own hooks, each with its budget of steps."""

from __future__ import annotations

import random
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from mmap import mmap
from time import perf_counter
from typing import Any

import pytest

from harness.kernel.program.loader import StepCounter, StepLimit, budget_for, step_counter
from harness.pytest_suites.job import MeasuredTests, OriginalOrder
from harness.pytest_suites.outcomes import (
    FAILED,
    SKIPPED,
    SKIPPED_TEST,
    XFAILED,
    XFAILED_TEST,
    OutcomePlugin,
    TestFailure,
    failure_of,
    words_of,
)

SIZE = 16 << 20
"""Bytes of the reserve; they are only addresses, as no memory is written."""


class Reserve:
    """Counts against the limit on memory while it is kept."""

    def __init__(self) -> None:
        self._memory: mmap | None = None

    def keep(self) -> None:
        """Take the reserve, unless it is kept already or there is not as much memory."""
        if self._memory is None:
            try:
                self._memory = mmap(-1, SIZE)
            except OSError:
                pass  # another test has used up all memory; as much as possible is reported

    def give_back(self) -> None:
        """Release the reserve for code that needs memory now."""
        if self._memory is not None:
            self._memory.close()
            self._memory = None


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


Sites = frozenset[int]


@dataclass
class TestMeasurement:
    """The measurements of one test; `sites` are the places of the target that it reaches.

    `raised` is the error that made it fail on the original, in words for people, which may differ from run to run.
    """

    outcome: str = ""
    raised: str = ""
    steps: int = 0
    sites: set[int] = field(default_factory=set)


class Measuring:
    """A plug-in that counts the steps of tests, of fixtures that tests share, and of the teardown of both.

    With `budgets`, each part may spend ten times the steps that the original spent, plus a thousand. A fixture that
    several tests share has its own budget, whichever test uses it first. `shared_seconds` were spent on setting up such
    fixtures.
    """

    def __init__(self, meter: PartMeter, budgets: MeasuredTests | None) -> None:
        self.meter = meter
        self.outcomes = OutcomePlugin()
        self.tests: dict[str, TestMeasurement] = {}
        self.shared: dict[str, int] = {}
        self.teardown = 0
        self.shared_seconds = 0.0
        self._sets_up_shared = False
        self._budgets = budgets
        self._reserve = Reserve()
        self._items: Sequence[pytest.Item] = ()

    def run_one(
        self, items: Sequence[pytest.Item], item: pytest.Item, following: pytest.Item | None
    ) -> TestFailure | None:
        """Run one test, with the one after it, of the whole suite `items`; return why it failed, or None."""
        self._items = items
        self.outcomes.begin()
        self.meter.limit_met = False
        test = self.tests.setdefault(item.nodeid, TestMeasurement())
        budget = UNLIMITED
        if self._budgets is not None:
            budget = budget_for(self._budgets.steps.get(item.nodeid, 0) + self._budgets.first_steps)
            self._reserve.keep()

        def record(steps: int, sites: Sites) -> None:
            test.steps += steps
            test.sites |= sites

        with self.meter.part(budget, record):
            try:
                item.config.hook.pytest_runtest_protocol(item=item, nextitem=following)
            except (KeyboardInterrupt, SystemExit, MemoryError, pytest.exit.Exception) as error:
                self._reserve.give_back()
                self.outcomes.outcome = FAILED  # pytest lets these through, to end the run, or has no memory itself
                self.outcomes.failure = failure_of(error, "call")
        if self._budgets is None and self.outcomes.error is not None:
            test.raised = words_of(self.outcomes.error)
        self.outcomes.error = None
        failure = self.outcomes.failure
        if self.meter.limit_met and failure is None:
            failure = failure_of(StepLimit(), "call")  # the program has swallowed it
            self.outcomes.outcome = FAILED
        if self._budgets is not None and failure is None:  # it has passed on the original, and may say nothing now
            if self.outcomes.outcome == SKIPPED:
                failure = SKIPPED_TEST
            elif self.outcomes.outcome == XFAILED and item.nodeid not in self._budgets.xfailing:
                failure = XFAILED_TEST
        test.outcome = self.outcomes.outcome
        return failure

    @pytest.hookimpl(wrapper=True, trylast=True)
    def pytest_runtest_call(self, item: pytest.Item) -> Generator[None, object, object]:
        """Release the reserve after MemoryError: pytest keeps the test's objects, and needs memory to report it."""
        try:
            return (yield)
        except MemoryError:
            self._reserve.give_back()
            raise

    @pytest.hookimpl(wrapper=True, tryfirst=True)
    def pytest_fixture_setup(self, fixturedef: pytest.FixtureDef[Any], request: Any) -> Generator[None, object, object]:
        """Count the steps of a shared fixture. Its sites count for all tests that may use it, those below its node."""
        if fixturedef.scope == "function":
            return (yield)
        name = f"{fixturedef.scope} {fixturedef.baseid} {fixturedef.argname}"
        below = request.node

        def record(steps: int, sites: Sites) -> None:
            self.shared[name] = max(steps, self.shared.get(name, 0))
            self._reached_below(below, sites)

        budget = UNLIMITED if self._budgets is None else budget_for(self._budgets.shared.get(name, 0))
        is_outermost, began = not self._sets_up_shared, perf_counter()
        self._sets_up_shared = True
        try:
            with self.meter.part(budget, record):
                return (yield)
        finally:
            if is_outermost:
                self._sets_up_shared = False
                self.shared_seconds += perf_counter() - began

    @pytest.hookimpl(wrapper=True, tryfirst=True)
    def pytest_runtest_teardown(
        self, item: pytest.Item, nextitem: pytest.Item | None
    ) -> Generator[None, object, object]:
        """Count the steps of teardown. It may be that of a class or module: its sites count for all tests below it."""
        kept_nodes = () if nextitem is None else nextitem.listchain()
        ended_nodes = [node for node in item.listchain() if node not in kept_nodes]

        def record(steps: int, sites: Sites) -> None:
            self.teardown += steps
            self._reached_below(ended_nodes[0], sites)

        budget = UNLIMITED if self._budgets is None else budget_for(self._budgets.teardown)
        with self.meter.part(budget, record):
            return (yield)

    def _reached_below(self, node: Any, sites: Sites) -> None:
        if not sites:
            return
        for item in self._items:
            if node in item.listchain():
                self.tests.setdefault(item.nodeid, TestMeasurement()).sites.update(sites)


def in_sequence(items: Sequence[pytest.Item]) -> Iterable[tuple[pytest.Item, pytest.Item | None]]:
    """Return each test with the one after it."""
    return zip(items, (*items[1:], None), strict=False)  # of no items there is none after


def without(items: Sequence[pytest.Item], left_out: Sequence[str]) -> list[pytest.Item]:
    """Return the items but those with node ids that are left out."""
    return [item for item in items if item.nodeid not in left_out]


def ordered(items: Sequence[pytest.Item], order: OriginalOrder) -> Sequence[pytest.Item]:
    """Return the items as an order wants them."""
    chosen = list(items)
    if order.backwards:
        chosen.reverse()
    if order.shuffle is not None:
        random.Random(order.shuffle).shuffle(chosen)
    return chosen


Work = Callable[[pytest.Session], None]
"""The work to do once the suite is collected."""
