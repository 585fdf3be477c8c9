"""A child that stops itself is overdue after the time that it has, not after the longer time of one that waits."""

from __future__ import annotations

import os
import signal
import time
from dataclasses import dataclass
from pathlib import Path

import pytest

from harness.kernel.process.child_process import ChildDeath, Supervision, is_stopped, kill_group, run_child
from harness.kernel.process.confinement import ProcessLimits
from harness.kernel.process.processor_time_limit import IDLE_FACTOR
from harness.kernel.process.progress import Progress
from harness.model.outcome import KillReason

ALLOWED = 0.5


@dataclass(frozen=True)
class Nothing:
    """The answer of a child that has nothing to say."""


@pytest.mark.parametrize("number", [signal.SIGSTOP, signal.SIGTSTP])
def test_a_child_that_stops_itself_is_ended_before_one_that_waits(
    number: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)

    def work() -> Nothing:
        os.kill(os.getpid(), number)
        return Nothing()

    began = time.monotonic()
    limits = ProcessLimits(memory=1 << 34, file_size=1 << 20, open_files=64)
    death = run_child(Nothing, work, limits, 60.0, Supervision(Progress(0, 1), lambda _: ALLOWED))
    assert isinstance(death, ChildDeath)
    assert (death.reason, death.outside) == (KillReason.WALL_LIMIT, False)
    assert time.monotonic() - began < IDLE_FACTOR * ALLOWED


def test_a_child_that_has_ended_is_not_stopped() -> None:
    child = os.fork()
    if child == 0:
        os._exit(0)
    os.waitid(os.P_PID, child, os.WEXITED | os.WNOWAIT)
    assert not is_stopped(child)
    os.waitpid(child, 0)


def test_a_child_that_goes_on_is_not_stopped_any_more() -> None:
    child = os.fork()
    if child == 0:
        os.kill(os.getpid(), signal.SIGSTOP)
        while True:
            time.sleep(1)
    try:
        os.waitid(os.P_PID, child, os.WSTOPPED | os.WNOWAIT)
        assert is_stopped(child)
        os.kill(child, signal.SIGCONT)
        os.waitid(os.P_PID, child, os.WCONTINUED | os.WNOWAIT)
        assert not is_stopped(child)
    finally:
        kill_group(child)
        os.waitpid(child, 0)
