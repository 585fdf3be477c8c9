"""Forked children that run tests, and report facts or the test at which they died."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from dataclasses import replace
from mmap import mmap
from pathlib import Path
from time import perf_counter
from typing import TypeVar

from harness.errors import UsageError
from harness.kernel.process.child_process import Broken, ChildDeath, Supervision, run_child
from harness.kernel.process.confinement import ProcessLimits
from harness.kernel.process.limits import WALL_FACTOR
from harness.kernel.process.progress import NOT_STARTED, Progress
from harness.kernel.process.talk import ReportedError
from harness.kernel.running.fact_validation import NO_RUN, broken_by
from harness.model.outcome import Phase
from harness.pytest_suites.job import MeasuredTests, MutantOrder
from harness.pytest_suites.reports import EarlyEnd, FirstKill, MutantFacts, MutantFault, lost
from harness.pytest_suites.work_tree import WorkTree

_LIMITS_OF_ORIGINAL = ProcessLimits(memory=8 << 30, file_size=1 << 30, open_files=1024)
_LIMITS = ProcessLimits(memory=320 << 20, file_size=64 << 20, open_files=256)
"""A mutant that hoards stays below half a gigabyte with what it is forked from, unless the original needs more."""
_MEMORY_FACTOR = 2
"""The factor by which a mutant's memory may exceed the growth of the original."""
_MOST_FACTS = 1 << 28
_MOST_NAME = 1 << 14
_ORIGINAL_SECONDS = 3600.0
_TEST_SECONDS = 5.0
"""Seconds for a test in addition to ten times the original's: pytest itself takes time around each."""
_COLLECTING_SECONDS = 10.0
"""Seconds for collecting a suite with a mutant, in addition to ten times the original's."""

_WAITING_FACTOR = 5
"""The multiple of the original's time that a mutant may wait or sleep, if that is more than the suite's limit."""

T = TypeVar("T")

Work = Callable[[Sequence[str], Progress], MutantFacts]
"""Runs the tests with these node ids, and says at which of them it is."""


class Current:
    """The test that a child is at, in memory shared with its parent; of a very long node id only the beginning."""

    def __init__(self) -> None:
        self._memory = mmap(-1, _MOST_NAME)

    def begin(self, node: str) -> None:
        """Store the name of the test that the child begins."""
        name = node.encode(errors="replace")
        self._memory[:] = name[:_MOST_NAME].ljust(_MOST_NAME, b"\0")

    def name(self) -> str:
        """Return the name of that test; empty before the first."""
        return self._memory[:].rstrip(b"\0").decode(errors="ignore")


class Children:
    """Forks one child after the other, each in the project as it was, contained and with limits.

    Args:
        writable: the folder that holds the project's copy.
        wait: the seconds that a mutant may wait or sleep at least.
        alive: called about every second.
    """

    def __init__(self, tree: WorkTree, writable: Path, wait: int, alive: Callable[[], None]) -> None:
        self._tree = tree
        self._wait = wait
        self._writable = [str(writable)]
        self._alive = alive
        self._home = Path.cwd()

    def original(self, kind: type[T], work: Callable[[Current], T]) -> T | EarlyEnd:
        """Return the result of a child that runs the original, or the test at which the child died.

        Args:
            kind: the class of the values that the work returns.

        Raises:
            UsageError: the child reports an error, or its process ends before the first test.
        """
        self._begin()
        progress, current = Progress(0, 1), Current()
        result = run_child(
            kind,
            lambda: work(current),
            _LIMITS_OF_ORIGINAL,
            _ORIGINAL_SECONDS,
            Supervision(progress, lambda number: _ORIGINAL_SECONDS, alive=self._alive, most_facts=_MOST_FACTS),
            writable=self._writable,
        )
        if isinstance(result, ReportedError):
            raise UsageError(result.message)
        if not isinstance(result, (ChildDeath, Broken)):
            return result
        how = result.detail if isinstance(result, ChildDeath) else result.fault
        if current.name():
            return EarlyEnd(current.name(), how)
        raise UsageError(f"the suite ends its process while it is collected ({how}); correct it")

    def mutant(self, order: MutantOrder, measured: MeasuredTests, work: Work) -> MutantFacts | MutantFault:
        """Return the facts of a mutant. If it dies in a test of a whole row, further children run the later tests."""
        began = perf_counter()
        facts = MutantFacts(0, 0)
        remaining = order.tests
        while True:
            child_facts = self._of_mutant(remaining, measured, work)
            if isinstance(child_facts, str):
                return MutantFault(child_facts)
            facts = facts.joined(child_facts)
            remaining = remaining[child_facts.executed :]
            died = child_facts.steps is None
            if not (order.matrix and died and remaining and child_facts.executed):
                return replace(facts, seconds=perf_counter() - began)

    def _begin(self) -> None:
        """Change to the home folder of children and restore the project's copy, which may be made again."""
        os.chdir(self._home)
        self._tree.restore()

    def _of_mutant(self, tests: Sequence[str], measured: MeasuredTests, work: Work) -> MutantFacts | str:
        """Return the facts of a child's run or of its death; text is a fault of the machine."""
        for attempt in range(2):
            progress = Progress(0, len(tests) + 1)
            result = self._run(tests, measured, work, progress)
            # A death that the machine (SIGKILL: memory) or the harness may have caused counts the second time.
            if not (isinstance(result, ChildDeath) and result.outside and attempt == 0):
                break
        if not isinstance(result, ChildDeath):
            return result
        position = progress.position()
        if position is None:
            return lost(result.reason, result.detail)
        if position.current >= len(tests):
            return MutantFacts(0, None, first=FirstKill(None, result.reason, result.detail, Phase.LOAD))
        bits = int.from_bytes(progress.bits(len(tests)), "little")
        kills = [node for number, node in enumerate(tests) if bits >> number & 1 and number != position.current]
        at = tests[position.current]
        died = MutantFacts(0, None, first=FirstKill(at, result.reason, result.detail))
        if kills:  # the child could not report why the first one failed
            earlier_facts = self._of_mutant(tests[: position.current], measured, work)
            if isinstance(earlier_facts, str):
                return earlier_facts
            died = replace(earlier_facts, steps=None, first=earlier_facts.first or died.first)
        return replace(died, kills=(*kills, at), executed=position.current + 1)

    def _run(
        self, tests: Sequence[str], measured: MeasuredTests, work: Work, progress: Progress
    ) -> MutantFacts | ChildDeath | str:
        def constant(number: int) -> float:  # not started, or tests that only the mutant has: it is collected
            return _TEST_SECONDS if number < len(tests) else _COLLECTING_SECONDS

        def original(number: int) -> float:
            if number >= len(tests):
                return measured.loading_seconds
            return measured.seconds.get(tests[number], 0.0) + measured.first_seconds

        def allowed(number: int) -> float:
            return WALL_FACTOR * original(number) + constant(number)

        of_tests = measured.first_seconds + sum(measured.seconds.get(test, 0.0) for test in tests)

        def idle(number: int) -> tuple[float, float]:
            loading = measured.loading_seconds if number >= len(tests) else 0.0
            longest = original(number), of_tests + loading
            return max(self._wait, _WAITING_FACTOR * longest[0]), max(self._wait, _WAITING_FACTOR * longest[1])

        self._begin()
        result = run_child(
            MutantFacts,
            lambda: work(tests, progress),
            replace(_LIMITS, memory=max(_LIMITS.memory, _MEMORY_FACTOR * measured.memory)),
            allowed(NOT_STARTED) + sum(map(allowed, range(len(tests)))),
            Supervision(progress, allowed, constant, self._alive, _MOST_FACTS, idle),
            writable=self._writable,
        )
        if isinstance(result, ChildDeath) and result.slept:
            return result._replace(detail=f"waits longer than {self._wait} s and {_WAITING_FACTOR} x the original")
        return result if isinstance(result, ChildDeath) else _believed(result)


def _believed(report: MutantFacts | Broken | ReportedError) -> MutantFacts | ChildDeath | str:
    """Return the facts that a child says, a death if they cannot be facts, or text if the machine is at fault."""
    if isinstance(report, Broken):
        return broken_by(report)
    if isinstance(report, ReportedError) or not report.is_consistent or report.steps is None:
        return NO_RUN
    knows_where = report.first is None or report.first.killer is not None or report.first.phase is Phase.LOAD
    return report if knows_where else NO_RUN
