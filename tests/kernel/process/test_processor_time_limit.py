"""Processor time decides whether code is endless, and the wall clock only for code that sleeps."""

from __future__ import annotations

import os
import time

import pytest

from harness.kernel.process import processor_time_limit
from harness.kernel.process.processor_time_limit import OwnUsage, TimeLimit, Usage, seconds_starved


class Clocks:
    """A wall clock, and what a process has used, which tests set."""

    def __init__(self) -> None:
        self.wall, self.worked, self.starved = 100.0, 5.0, 7.0

    def limit(self, seconds: float) -> TimeLimit:
        return TimeLimit(seconds, lambda: Usage(self.worked, self.starved))

    def works(self, seconds: float) -> None:
        self.wall, self.worked = self.wall + seconds, self.worked + seconds

    def starves(self, seconds: float) -> None:
        self.wall, self.starved = self.wall + seconds, self.starved + seconds


@pytest.fixture
def clocks(monkeypatch: pytest.MonkeyPatch) -> Clocks:
    clocks = Clocks()
    monkeypatch.setattr(processor_time_limit.time, "monotonic", lambda: clocks.wall)
    return clocks


def test_a_process_that_works_is_ended_by_its_processor_time(clocks: Clocks) -> None:
    limit = clocks.limit(2)
    clocks.works(1.9)
    assert limit.exceeded() is None
    clocks.works(0.2)
    assert limit.exceeded() == "2 s of processor time"


def test_a_busy_machine_ends_nothing_that_has_not_used_its_time(clocks: Clocks) -> None:
    limit = clocks.limit(2)
    for _ in range(19):
        clocks.works(0.1)
        clocks.starves(50)
        assert limit.exceeded() is None


def test_a_process_that_sleeps_is_ended_by_the_wall_clock(clocks: Clocks) -> None:
    limit = clocks.limit(2)
    clocks.works(1.9)
    clocks.wall += 19.9
    assert limit.exceeded() is None
    clocks.wall += 0.2
    assert limit.exceeded() == "20 s of wall clock, as it sleeps or waits"


def test_a_restart_counts_from_now_on(clocks: Clocks) -> None:
    limit = clocks.limit(2)
    clocks.works(99)
    clocks.wall += 99
    limit.restart(3)
    assert limit.exceeded() is None
    clocks.works(3)
    assert limit.exceeded() == "3 s of processor time"


def test_processor_time_that_was_seen_counts_after_its_process_has_ended(clocks: Clocks) -> None:
    limit = clocks.limit(2)
    for used in (6.5, 5.0, 6.5):
        clocks.worked = used
        seen = limit.exceeded()
    assert seen == "2 s of processor time"


def test_a_process_that_sleeps_knows_that_it_did_not_lack_the_processor() -> None:
    usage = OwnUsage()
    before = usage()
    time.sleep(0.05)
    assert usage().starved == before.starved


@pytest.mark.skipif(not os.path.exists("/proc/self/schedstat"), reason="the system does not tell")
def test_the_time_for_which_another_process_was_ready_is_known() -> None:
    before, began, end = seconds_starved(os.getpid()), time.monotonic(), time.process_time() + 0.05
    while time.process_time() < end:
        pass
    starved, wall = seconds_starved(os.getpid()) - before, time.monotonic() - began
    assert 0 <= starved <= wall
    assert seconds_starved(1 << 30) == 0
