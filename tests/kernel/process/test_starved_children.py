"""A child that is ready to run, but does not get the processor, is not taken for one that sleeps."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from harness.kernel.process.child_process import ChildDeath, Supervision, run_child
from harness.kernel.process.confinement import ProcessLimits
from harness.kernel.process.processor_time_limit import IDLE_FACTOR, seconds_starved
from harness.kernel.process.progress import Progress
from harness.model.outcome import KillReason

ALLOWED = 0.1
LIMITS = ProcessLimits(memory=1 << 34, file_size=1 << 20, open_files=64)


@dataclass(frozen=True)
class Nothing:
    """The answer of a child that has nothing to say."""


@pytest.fixture
def busy_processor() -> Iterator[int]:
    """A processor on which another process works; it is no child of this one, whose children `run_child` ends."""
    number = min(os.sched_getaffinity(0))
    working = f"import os, signal; os.sched_setaffinity(0, {{{number}}}); signal.alarm(60)\nwhile True: pass"
    shell = ["sh", "-c", '"$0" -c "$1" >&- 2>&- & echo $!', sys.executable, working]
    process = int(subprocess.run(shell, stdout=subprocess.PIPE, check=True).stdout)
    yield number
    os.kill(process, signal.SIGKILL)


@pytest.mark.slow
@pytest.mark.skipif(not os.path.exists("/proc/self/schedstat"), reason="the system does not tell")
def test_a_child_that_lacks_the_processor_is_not_overdue(
    busy_processor: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)

    def work() -> Nothing:
        os.sched_setaffinity(0, {busy_processor})
        os.nice(19)
        while seconds_starved(os.getpid()) < 2 * IDLE_FACTOR * ALLOWED:
            pass
        return Nothing()

    assert run_child(Nothing, work, LIMITS, 60.0, Supervision(Progress(0, 1), lambda _: ALLOWED)) == Nothing()


def test_a_child_that_sleeps_is_overdue(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)

    def work() -> Nothing:
        time.sleep(60)
        return Nothing()

    death = run_child(Nothing, work, LIMITS, 60.0, Supervision(Progress(0, 1), lambda _: ALLOWED))
    assert isinstance(death, ChildDeath)
    assert (death.reason, death.slept) == (KillReason.WALL_LIMIT, True)
