"""A worker of a pytest suite chooses the warmed process for each order, and replaces one that dies."""

from __future__ import annotations

from pathlib import Path

import pytest

from harness.model.outcome import KillReason
from harness.pytest_suites.job import CollectOrder, MutantOrder, OriginalOrder
from harness.pytest_suites.reports import Collected, MutantFacts, Ready
from harness.runner.executors.worker_process import Instead, WorkerDeath
from harness.runner.pytest_runs.executor import GroupOrder, SuiteWorker, VersionOrder, after_death
from harness.sandbox.process import NO_FACT, WorkerDied

LATER, RECOLLECTING = (GroupOrder((MutantOrder("m", 1, ("a",), 0, recollected=anew),)) for anew in (False, True))


class Process:
    """Stands for a warmed process, and lists its orders; None stands for its end."""

    pytest = "9"

    def __init__(self, orders: list[object]) -> None:
        self._orders = orders

    def __enter__(self) -> Process:
        return self

    def __exit__(self, *error: object) -> None:
        self._orders.append(None)

    def ask(self, order: object) -> Collected:
        self._orders.append(order)
        return Collected(1)

    def run(self, order: MutantOrder) -> MutantFacts:
        self._orders.append(order.id)
        return MutantFacts(1, 1)


@pytest.fixture
def processes() -> list[list[object]]:
    """The orders of each process that was started, the latest one last."""
    return []


@pytest.fixture
def worker(tmp_path: Path, processes: list[list[object]]) -> SuiteWorker:
    def warm(work: Path) -> Process:
        assert work.parents[1] == tmp_path, "it works in a folder of its own"
        processes.append([])
        return Process(processes[-1])

    return SuiteWorker(warm, tmp_path)


def test_the_process_that_ran_the_original_collects_the_suite_once_and_runs_the_mutants(worker, processes):
    assert worker(VersionOrder()) == Ready("9")
    for order in (OriginalOrder(0), LATER, LATER):
        worker(order)
    assert processes == [[OriginalOrder(0), CollectOrder(), "m", "m"]]


def test_a_process_that_has_collected_the_suite_runs_no_mutant_that_is_collected_anew(worker, processes):
    for order in (RECOLLECTING, LATER, RECOLLECTING):
        worker(order)
    assert processes == [["m", CollectOrder(), "m", None], ["m"]]


def test_a_mutant_is_run_again_once_and_an_original_is_not():
    assert after_death(LATER, WorkerDeath("ended by SIGKILL", 1)) == Instead([LATER])
    assert after_death(LATER, WorkerDeath("ended by SIGKILL", 2)).facts == "the process of the tests ended by SIGKILL"
    crash = after_death(LATER, WorkerDeath(NO_FACT, 2)).facts
    assert crash.first.reason is KillReason.CRASH
    with pytest.raises(WorkerDied, match="was killed with its worker"):
        after_death(OriginalOrder(0), WorkerDeath("", 1))
