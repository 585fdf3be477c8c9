"""Processor time decides whether code is endless, and the wall clock only for code that does not use any."""

from __future__ import annotations

import pytest

from harness.kernel.process import time_limits
from harness.kernel.process.time_limits import TimeLimit


class Clocks:
    """A wall clock and a clock of processor time, which tests set."""

    def __init__(self) -> None:
        self.wall, self.used = 100.0, 5.0

    def limit(self, seconds: float) -> TimeLimit:
        return TimeLimit(seconds, lambda: self.used)


@pytest.fixture
def clocks(monkeypatch: pytest.MonkeyPatch) -> Clocks:
    found = Clocks()
    monkeypatch.setattr(time_limits.time, "monotonic", lambda: found.wall)
    return found


def test_a_process_that_works_is_ended_by_its_processor_time(clocks: Clocks) -> None:
    limit = clocks.limit(2)
    clocks.used += 1.9
    assert limit.exceeded() is None
    clocks.used += 0.2
    assert limit.exceeded() == "2 s of processor time"


def test_a_busy_machine_ends_nothing_that_has_not_used_its_time(clocks: Clocks) -> None:
    limit = clocks.limit(2)
    clocks.wall += 19
    clocks.used += 1
    assert limit.exceeded() is None


def test_a_process_that_sleeps_is_ended_by_the_wall_clock(clocks: Clocks) -> None:
    limit = clocks.limit(2)
    clocks.wall += 20
    assert limit.exceeded() == "20 s of wall clock, as it sleeps or waits"


def test_a_restart_counts_both_clocks_from_now_on(clocks: Clocks) -> None:
    limit = clocks.limit(2)
    clocks.wall, clocks.used = clocks.wall + 99, clocks.used + 99
    limit.restart(3)
    assert limit.exceeded() is None
    clocks.used += 3
    assert limit.exceeded() == "3 s of processor time"


def test_processor_time_that_was_seen_counts_after_its_process_has_ended(clocks: Clocks) -> None:
    limit = clocks.limit(2)
    for used in (6.5, 5.0, 6.5):
        clocks.used = used
        seen = limit.exceeded()
    assert seen == "2 s of processor time"
