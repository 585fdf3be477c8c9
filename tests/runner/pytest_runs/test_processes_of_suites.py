"""Which warmed process runs the mutants of a suite."""

from __future__ import annotations

from contextlib import ExitStack
from pathlib import Path

from harness.pytest_suites.job import MutantOrder
from harness.runner.pytest_runs.forks import Forks, _Replaceable


class Process:
    """Stands for a warmed process; notes what it is asked."""

    def __init__(self) -> None:
        self.asked: list[object] = []

    def ask(self, order: object) -> dict[str, object]:
        self.asked.append(order)
        return {"reason": None}

    run = ask


def test_a_process_that_has_collected_the_suite_is_taken_by_one_thread_and_collects_nothing_again(tmp_path):
    collected = Process()
    forks = Forks(tmp_path, tmp_path, Path(tmp_path), 2, [collected])
    order = MutantOrder("m", 1, ("a",), 0)
    waiting = forks._collected
    with ExitStack() as opened:
        first, second = _Replaceable(forks, opened), _Replaceable(forks, opened)
        first.take(waiting)
        second.take(waiting)
        assert first.ask(order, collected=True) == {"reason": None}
        assert collected.asked == [order]
        assert second._process is None


def test_who_has_a_process_goes_on_with_it(tmp_path):
    mine, other = Process(), Process()
    forks = Forks(tmp_path, tmp_path, Path(tmp_path), 1)
    with ExitStack() as opened:
        process = _Replaceable(forks, opened)
        process.take([mine])
        process.take([other])
        assert process._process is mine
