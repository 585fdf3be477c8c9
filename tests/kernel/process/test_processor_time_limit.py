"""Processor time decides whether code is endless, and the wall clock for what sleeps, stops itself or waits."""

import os
import signal
import subprocess
import sys
import time
from dataclasses import dataclass

import pytest

from harness.kernel.process import limits
from harness.kernel.process.child_process import Supervision, run_child
from harness.kernel.process.confinement import ProcessLimits
from harness.kernel.process.limits import IDLE_FACTOR, OwnUsage, TimeLimit, Usage, seconds_starved
from harness.kernel.process.progress import Progress
from harness.model.outcome import KillReason


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
def clocks(monkeypatch):
    clocks = Clocks()
    monkeypatch.setattr(limits.time, "monotonic", lambda: clocks.wall)
    return clocks


def test_a_process_that_works_is_ended_by_its_processor_time(clocks):
    limit = clocks.limit(2)
    clocks.works(1.9)
    assert limit.exceeded() is None
    clocks.works(0.2)
    assert limit.exceeded() == "2 s of processor time"


def test_a_busy_machine_ends_nothing_that_has_not_used_its_time(clocks):
    limit = clocks.limit(2)
    for _ in range(19):
        clocks.works(0.1)
        clocks.starves(50)
        assert limit.exceeded() is None


def test_a_process_that_sleeps_is_ended_by_the_wall_clock(clocks):
    limit = clocks.limit(2)
    clocks.works(1.9)
    clocks.wall += 19.9
    assert limit.exceeded() is None
    clocks.wall += 0.2
    assert limit.exceeded() == "20 s of wall clock, as it sleeps or waits"


def test_a_restart_counts_from_now_on(clocks):
    limit = clocks.limit(2)
    clocks.works(99)
    clocks.wall += 99
    limit.restart(3)
    assert limit.exceeded() is None
    clocks.works(3)
    assert limit.exceeded() == "3 s of processor time"


def test_processor_time_that_was_seen_counts_after_its_process_has_ended(clocks):
    limit = clocks.limit(2)
    for used in (6.5, 5.0, 6.5):
        clocks.worked = used
        seen = limit.exceeded()
    assert seen == "2 s of processor time"


def test_a_process_that_sleeps_knows_that_it_did_not_lack_the_processor():
    usage = OwnUsage()
    before = usage()
    time.sleep(0.05)
    assert usage().starved == before.starved


@pytest.mark.skipif(not os.path.exists("/proc/self/schedstat"), reason="the system does not tell")
def test_the_time_for_which_another_process_was_ready_is_known():
    before, began, end = seconds_starved(os.getpid()), time.monotonic(), time.process_time() + 0.05
    while time.process_time() < end:
        pass
    starved, wall = seconds_starved(os.getpid()) - before, time.monotonic() - began
    assert 0 <= starved <= wall
    assert seconds_starved(1 << 30) == 0


ALLOWED = 0.5


@dataclass(frozen=True)
class Nothing:
    """The answer of a child that has nothing to say."""


@pytest.mark.parametrize("number", [signal.SIGSTOP, signal.SIGTSTP])
def test_a_child_that_stops_itself_is_ended_before_one_that_waits(number, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)

    def work() -> Nothing:
        os.kill(os.getpid(), number)
        return Nothing()

    began = time.monotonic()
    death = run_child(Nothing, work, LIMITS, 60.0, Supervision(Progress(0, 1), lambda _: ALLOWED))
    assert (death.reason, death.outside) == (KillReason.WALL_LIMIT, False)
    assert time.monotonic() - began < IDLE_FACTOR * ALLOWED


LIMITS = ProcessLimits(memory=1 << 34, file_size=1 << 20, open_files=64)


@pytest.fixture
def busy_processor():
    """A processor on which another process works; it is no child of this one, whose children `run_child` ends."""
    number = min(os.sched_getaffinity(0))
    working = f"import os, signal; os.sched_setaffinity(0, {{{number}}}); signal.alarm(60)\nwhile True: pass"
    shell = ["sh", "-c", '"$0" -c "$1" >&- 2>&- & echo $!', sys.executable, working]
    process = int(subprocess.run(shell, stdout=subprocess.PIPE, check=True).stdout)
    yield number
    os.kill(process, signal.SIGKILL)


@pytest.mark.slow
@pytest.mark.skipif(not os.path.exists("/proc/self/schedstat"), reason="the system does not tell")
def test_a_child_that_lacks_the_processor_is_not_overdue(busy_processor, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)

    def work() -> Nothing:
        os.sched_setaffinity(0, {busy_processor})
        os.nice(19)
        while seconds_starved(os.getpid()) < 0.2 * IDLE_FACTOR:
            pass
        return Nothing()

    assert run_child(Nothing, work, LIMITS, 60.0, Supervision(Progress(0, 1), lambda _: 0.1)) == Nothing()


def test_a_child_that_sleeps_is_overdue(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)

    def work() -> Nothing:
        time.sleep(60)
        return Nothing()

    death = run_child(Nothing, work, LIMITS, 60.0, Supervision(Progress(0, 1), lambda _: 0.1))
    assert (death.reason, death.slept) == (KillReason.WALL_LIMIT, True)
