"""A watcher of pytest that is killed twice confirms no verdict."""

from multiprocessing import active_children
from threading import Event, Thread

import pytest
from support.own_runs import judged

from harness import api
from harness.kernel.process.confinement import children_of

CORE = "def more(value):\n    return value + 1\n"
TESTS = """\
import sys
import time

from till.core import more


def test_more():
    if more(1) != 2 and "harness.pytest_suites.naive" in sys.modules:
        time.sleep(600)  # where it is watched
    assert more(1) == 2
"""


@pytest.mark.slow
def test_a_verdict_whose_watcher_is_killed_twice_is_told_as_unchecked(tmp_path, caplog):
    judged(tmp_path, CORE, TESTS, original_runs=1)
    end = Event()
    killer = Thread(target=kill_watchers, args=[end])
    killer.start()
    try:
        verification = api.verify(tmp_path / "out", sample=1, jobs=1)
    finally:
        end.set()
        killer.join()
    (line,) = verification.unchecked  # nothing else was checked
    assert f"{line.partition(': ')[0]}: its worker was killed; it is run again" in caplog.text
    assert line.endswith("could not be re-executed: the process that watches its re-execution was killed twice")


def kill_watchers(end):
    """Kill each worker that has a process below it, until `end` is set."""
    while not end.wait(0.05):
        for worker in active_children():
            if children_of(worker.pid):
                worker.kill()
