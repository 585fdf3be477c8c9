"""A replay of a run on simulated workers shows which process is the limit."""

from __future__ import annotations

import pytest

from benchmarks.cluster_replay import Costs, replay

FREE = dict.fromkeys(Costs.__dataclass_fields__, 0.0)
MUTANTS = [0.5] * 8_000


def test_workers_are_busy_where_nothing_else_costs_time() -> None:
    replayed = replay(MUTANTS, 20, Costs(**FREE), 2.0)
    assert (replayed.writer_share, replayed.scheduler_share) == (0, 0)
    assert replayed.worker_share == pytest.approx(1, abs=0.05)


def test_a_worker_is_busy_with_a_mutant_that_takes_longer_than_all_others_together() -> None:
    replayed = replay([9_000.0, *MUTANTS], 4, Costs(**FREE), 2.0)
    assert replayed.worker_share == pytest.approx(1, abs=0.01)


@pytest.mark.parametrize(("cost", "share"), [("task", "writer_share"), ("scheduler_task", "scheduler_share")])
def test_tasks_are_limited_by_the_process_that_each_of_them_takes_most_time_of(cost: str, share: str) -> None:
    replayed = replay(MUTANTS, 400, Costs(**{**FREE, cost: 0.01}), 2.0)
    assert replayed.tasks / replayed.seconds == pytest.approx(100, rel=0.2)
    assert getattr(replayed, share) > 0.9
