"""What answers an order of a pytest suite whose process or watcher dies; kills by the step budget are shown apart."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from multiprocessing import active_children
from pathlib import Path
from threading import Event, Thread

import pytest
from support.own_runs import judged, verified

from harness import api
from harness.analysis.run_summary import suite_warnings
from harness.kernel.process.confinement import children_of
from harness.model.outcome import KillReason
from harness.pytest_suites.job import MutantOrder, OriginalOrder
from harness.runner.executors.local import LocalExecutor
from harness.runner.pytest_runs.executor import GroupOrder, lost_facts, suite_work
from harness.sandbox.process import NO_FACT, WorkerDied

MUTANT = GroupOrder((MutantOrder("m", 1, ("a",), 0),))


def test_a_mutant_is_run_again_once_and_an_original_is_not(tmp_path, caplog):
    @contextmanager
    def dying(folder: Path) -> Iterator[Callable[[object], None]]:
        def die(order: object) -> None:
            deaths.open("a").write(".")
            raise WorkerDied("ended by SIGKILL")

        yield die

    deaths = tmp_path / "deaths"
    with LocalExecutor(replace(suite_work(tmp_path, tmp_path), worker=dying), 1, tmp_path) as executor:
        ((_, answer),) = executor.run([MUTANT])
        assert (answer.facts, deaths.read_text()) == ("the process of the tests ended by SIGKILL", "..")
        assert "m: ended by SIGKILL; it is run again" in caplog.text
        with pytest.raises(WorkerDied, match="ended by SIGKILL"):
            list(executor.run([OriginalOrder(0)]))
        assert deaths.read_text() == "..."


def test_facts_of_what_is_lost_are_a_fault_or_a_crash_of_a_mutant_and_an_error_of_the_original():
    assert lost_facts(MUTANT, "ended by SIGKILL").facts == "the process of the tests ended by SIGKILL"
    assert lost_facts(MUTANT, NO_FACT).facts.first.reason is KillReason.CRASH
    with pytest.raises(WorkerDied, match="was killed with its worker"):
        lost_facts(OriginalOrder(0), "")


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


pytestmark = pytest.mark.slow

SLOW_CORE = """\
def rounds(value):
    return value * 2000


def last(value):
    number = 0
    for number in range(rounds(value)):
        pass
    return number >= 0
"""
TESTS_OF_CORE = "from till.core import last\n\n\ndef test_last():\n    assert last(0)\n"


def test_a_mutant_that_is_slow_but_ends_is_shown_apart(tmp_path):
    _, results = judged(tmp_path, SLOW_CORE, TESTS_OF_CORE)
    slow = [mutant for mutant, result in results if result.reason is KillReason.STEP_LIMIT]
    kills = sum(result.reason is not None for _, result in results)
    assert {mutant.function for mutant in slow} == {"rounds"}
    assert suite_warnings(tmp_path / "out") == [
        f"till.core pytest: {len(slow)} of {kills} kills: not finished within 10 times the steps of the "
        "original; plain pytest may let such a mutant pass"
    ]
    (record,) = api.tables(folder=tmp_path / "out", table="policies")["policies"].records()
    assert record["not finished"] >= len(slow)
    assert "not finished within 10 times" in api.report(tmp_path / "out")[0].read_text()
    assert verified(tmp_path / "out", None, 0, 1)[1] == []
