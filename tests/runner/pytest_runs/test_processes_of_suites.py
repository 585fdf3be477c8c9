"""A worker of a pytest suite chooses the warmed process for each order, and replaces one that dies."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

import pytest

from harness.model.outcome import KillReason
from harness.pytest_suites.job import CollectOrder, MutantOrder, OriginalOrder
from harness.pytest_suites.reports import Collected, MutantFacts
from harness.runner.executors.local import LocalExecutor
from harness.runner.pytest_runs.executor import GroupOrder, SuiteWorker, lost_facts, suite_work
from harness.sandbox.process import NO_FACT, WorkerDied

LATER, RECOLLECTING = (GroupOrder((MutantOrder("m", 1, ("a",), 0, recollected=anew),)) for anew in (False, True))


@pytest.fixture
def processes() -> list[list[object]]:
    """The orders of each process that was started, the latest one last; None stands for its end."""
    return []


@pytest.fixture
def worker(tmp_path: Path, processes: list[list[object]]) -> SuiteWorker:
    @contextmanager
    def warm(work: Path) -> Iterator[Callable[[object], Collected | MutantFacts]]:
        assert work.parents[1] == tmp_path, "it works in a folder of its own"
        orders: list[object] = []
        processes.append(orders)

        def ask(order: object) -> Collected | MutantFacts:
            orders.append(order.id if isinstance(order, MutantOrder) else order)
            return MutantFacts(1, 1) if isinstance(order, MutantOrder) else Collected(1)

        yield ask
        orders.append(None)

    return SuiteWorker(warm, tmp_path)


def test_the_process_that_ran_the_original_collects_the_suite_once_and_runs_the_mutants(worker, processes):
    for order in (OriginalOrder(0), LATER, LATER):
        worker(order)
    assert processes == [[OriginalOrder(0), CollectOrder(), "m", "m"]]


def test_a_process_that_has_collected_the_suite_runs_no_mutant_that_is_collected_anew(worker, processes):
    for order in (RECOLLECTING, LATER, RECOLLECTING):
        worker(order)
    assert processes == [["m", CollectOrder(), "m", None], ["m"]]


def test_a_mutant_is_run_again_once_and_an_original_is_not(tmp_path, caplog):
    @contextmanager
    def dying(folder: Path) -> Iterator[Callable[[object], None]]:
        def die(order: object) -> None:
            deaths.open("a").write(".")
            raise WorkerDied("ended by SIGKILL")

        yield die

    deaths = tmp_path / "deaths"
    with LocalExecutor(replace(suite_work(tmp_path, tmp_path), worker=dying), 1, tmp_path) as executor:
        ((_, answer),) = executor.run([LATER])
        assert (answer.facts, deaths.read_text()) == ("the process of the tests ended by SIGKILL", "..")
        assert "m: ended by SIGKILL; it is run again" in caplog.text
        with pytest.raises(WorkerDied, match="ended by SIGKILL"):
            list(executor.run([OriginalOrder(0)]))
        assert deaths.read_text() == "..."


def test_facts_of_what_is_lost_are_a_fault_or_a_crash_of_a_mutant_and_an_error_of_the_original():
    assert lost_facts(LATER, "ended by SIGKILL").facts == "the process of the tests ended by SIGKILL"
    assert lost_facts(LATER, NO_FACT).facts.first.reason is KillReason.CRASH
    with pytest.raises(WorkerDied, match="was killed with its worker"):
        lost_facts(OriginalOrder(0), "")
