"""What answers an order of a pytest suite whose warmed process dies."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

import pytest

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
