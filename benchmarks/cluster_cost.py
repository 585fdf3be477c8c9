"""Measures what a task costs the scheduler of Dask and the process that writes, and replays a run on many workers.

`python -m benchmarks.cluster_cost` writes `benchmarks/results/cluster_cost.md`.
"""

from __future__ import annotations

import csv
import os
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import cycle
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from time import perf_counter, process_time, sleep

TESTS = Path(__file__).parents[1] / "tests"
sys.path.insert(0, str(TESTS))

from support.dask_processes import dask_processes  # noqa: E402 (of the tests)

from benchmarks.cluster_replay import Costs, Replayed, replay  # noqa: E402
from benchmarks.measuring import load_average, machine, markdown_table, seconds_below, write_result  # noqa: E402
from harness.model.outcome import MutantResult, Verdict  # noqa: E402
from harness.runner.executors.dask_cluster import DaskCluster, Member  # noqa: E402
from harness.runner.executors.dask_executor import SECONDS, DaskExecutor  # noqa: E402
from harness.runner.executors.protocol import Instead, Work, WorkerDeath  # noqa: E402
from harness.store.run_store import RunStore  # noqa: E402

WORKERS = 2
SINGLE, BUNDLED = 300, 12_800
"""Tasks of one order, and orders in tasks of as many as there may be."""
TEXT_BYTES = 8_000
"""Bytes of an order: the text of a small mutant."""
RESULTS_STORED = 2_000
FAKES = 1_000
RECORDED = Path(__file__).parents[1] / "results" / "frozen" / "exhaustive2003"
COUNTS = (10, 50, 100, 200, 500, 1_000, 2_000)
LONGER = 20.0
SECONDS_EACH = 300.0
"""Seconds of recorded work for each worker of a replay."""
MUTANT_SECONDS = 0.005
"""What a mutant takes besides its inputs: `containment_cost.md` has 8 ms of a mutant with all of its short inputs."""


@contextmanager
def answering(folder: Path) -> Iterator[Callable[[str], str]]:
    """Open a worker that answers at once, with as much as a mutant's facts have."""
    yield lambda order: order[:300]


def dead_answer(order: str, death: WorkerDeath) -> Instead[str] | str:
    """Answer for a worker that died."""
    return ""


@dataclass(frozen=True)
class _Spent:
    """Processor seconds of the two processes, and tasks."""

    here: float
    scheduler: float
    tasks: int


def _spent(cluster: DaskCluster, scheduler: int, orders: int, seconds: float) -> _Spent:
    """Have orders answered in tasks of so many seconds, the first ones unmeasured."""
    text = "x" * TEXT_BYTES
    with DaskExecutor(cluster, Work(answering, dead_answer), seconds=seconds) as executor:
        executor.seconds_each = 1e-6
        for _ in executor.run(f"{number}{text}" for number in range(WORKERS)):
            pass
        before, there = process_time(), seconds_below(scheduler)
        sent = 0
        plain = executor.sent

        def counted(*arguments: object) -> object:
            nonlocal sent
            sent += 1
            return plain(*arguments)  # type: ignore[arg-type]

        executor.sent = counted  # type: ignore[method-assign, assignment]
        for _ in executor.run(f"{number}{text}" for number in range(orders)):
            pass
        return _Spent(process_time() - before, seconds_below(scheduler) - there, sent)


def _per_task_and_order(single: _Spent, bundled: _Spent, process: str) -> tuple[float, float]:
    """Return the seconds of a task and of an order in it, from tasks of one order and tasks of many."""
    one = getattr(single, process) / single.tasks
    each = BUNDLED / bundled.tasks
    order = max(0.0, (getattr(bundled, process) / bundled.tasks - one) / (each - 1))
    return one - order, order


def _share_at_rest(scheduler: int) -> float:
    """Return the share of the time for which a scheduler without tasks is busy."""
    before, began = seconds_below(scheduler), perf_counter()
    sleep(10)
    return (seconds_below(scheduler) - before) / (perf_counter() - began)


def _seconds_of_look(cluster: DaskCluster) -> tuple[float, float]:
    """Return seconds for each worker of a look at all: of the scheduler, and here."""
    from distributed.protocol.core import dumps, loads

    identity = cluster.client.sync(cluster.client.scheduler.identity, n_workers=-1)
    workers = dict(identity["workers"])
    (facts, *_) = workers.values()
    many = {f"tcp://10.0.0.1:{number}": {**facts, "id": f"{facts['id']}{number}"} for number in range(FAKES)}
    began = process_time()
    frames = dumps({**identity, "workers": many})
    packed = process_time()
    loads(frames)  # type: ignore[no-untyped-call]
    return (packed - began) / FAKES, (process_time() - packed) / FAKES


def _seconds_of_scan() -> float:
    """Return the seconds for each worker of a look for a free one, and whether those at work are there."""
    members = {f"{number}": Member("", f"{number}", "", 1, at_work=1, is_usable=True) for number in range(FAKES)}
    began = process_time()
    for _ in range(100):
        max((member for member in members.values() if member.free), key=lambda member: member.free, default=None)
        for member in [*members.values()]:
            if member.number not in members or member.is_silent:
                raise AssertionError("a worker is there")
    return (process_time() - began) / 100 / FAKES


def _seconds_of_writing(folder: Path) -> float:
    """Return the seconds for a mutant's result in a commit of its own, the disk included."""
    with RunStore.open(folder) as store:
        store.database.connection.execute("PRAGMA foreign_keys = OFF")  # there is no trial
        began = perf_counter()
        for number in range(RESULTS_STORED):
            result = MutantResult(f"ROR:{number}:1:a_<_b~0", Verdict.SURVIVED, 1_000, 100_000)
            store.results.add("0" * 64, result, seconds=0.5)
        return (perf_counter() - began) / RESULTS_STORED


def measured(folder: Path) -> Costs:
    """Measure what tasks, orders, heartbeats, looks and results cost."""
    with dask_processes(folder, 0) as processes:
        assert processes.scheduler is not None
        scheduler = processes.scheduler.pid
        sleep(2)
        idle_share = _share_at_rest(scheduler)
        for number in range(WORKERS):
            processes.start_worker(f"w{number}")
        while True:
            with DaskCluster(processes.address) as cluster:
                if sum(member.is_usable for member in cluster.members.values()) < WORKERS:
                    continue
                single = _spent(cluster, scheduler, SINGLE, 0.0)
                bundled = _spent(cluster, scheduler, BUNDLED, 1e3)
                heartbeat = max(0.0, _share_at_rest(scheduler) - idle_share) / (2 * WORKERS)  # each has two a second
                scheduler_look, look = _seconds_of_look(cluster)
                break
    task, order = _per_task_and_order(single, bundled, "here")
    scheduler_task, scheduler_order = _per_task_and_order(single, bundled, "scheduler")
    scan, write = _seconds_of_scan(), _seconds_of_writing(folder / "run")
    return Costs(
        task, order, scheduler_task, scheduler_order, idle_share, heartbeat, scheduler_look=scheduler_look, look=look,
        scan=scan, write=write,
    )  # fmt: skip


def durations() -> list[float]:
    """Return the seconds of each mutant of the recorded run: its steps at the speed of the original in its trial."""
    with (RECORDED / "timings.csv").open(encoding="utf-8") as file:
        seconds = {
            row["trial"]: float(row["seconds"] or 0) for row in csv.DictReader(file) if row["what"] == "baseline"
        }
    with (RECORDED / "trials.csv").open(encoding="utf-8") as file:
        steps = {row["trial"]: int(row["original_steps"] or 1) for row in csv.DictReader(file)}
    with (RECORDED / "results.csv").open(encoding="utf-8") as file:
        rows = [(row["trial"], int(row["steps"] or 0)) for row in csv.DictReader(file)]
    return [MUTANT_SECONDS + seconds[trial] / steps[trial] * own for trial, own in rows]


def _replays(costs: Costs, recorded: list[float], seconds: float) -> list[Replayed]:
    """Replay the recorded run on each number of workers, in tasks of so many seconds."""
    replays = []
    for workers in COUNTS:
        copies = cycle(recorded)
        work: list[float] = []
        left = SECONDS_EACH * workers
        while left > 0:
            work.append(next(copies))
            left -= work[-1]
        replays.append(replay(work, workers, costs, seconds))
        print(replays[-1], file=sys.stderr)
    return replays


def _table_of_costs(costs: Costs) -> list[str]:
    rows = [
        ("a task", costs.task, costs.scheduler_task),
        ("an order in it, with its answer", costs.order, costs.scheduler_order),
        ("a result that is stored", costs.write, 0.0),
        ("a heartbeat", 0.0, costs.heartbeat),
        ("nothing at all, for a second", 0.0, costs.idle_share),
        ("a look, for each worker", costs.look, costs.scheduler_look),
        ("a search for a free worker, for each worker", costs.scan, 0.0),
    ]
    lines = [[label, f"{1e3 * here:.4f}", f"{1e3 * there:.4f}"] for label, here, there in rows]
    return markdown_table(["what", "run [ms]", "scheduler [ms]"], lines)


def _table_of_replays(replays: list[Replayed]) -> list[str]:
    rows = [
        [
            f"{one.workers:,}", f"{one.tasks / one.seconds:.0f}", f"{one.mutants / one.seconds:.0f}",
            f"{one.writer_share:.0%}", f"{one.scheduler_share:.0%}", f"{one.worker_share:.0%}",
        ]
        for one in replays
    ]  # fmt: skip
    header = [
        "workers",
        "tasks a second",
        "mutants a second",
        "run busy",
        "scheduler busy",
        "workers busy",
    ]
    return markdown_table(header, rows)


def main() -> int:
    """Measure, replay and write the page."""
    load = load_average()
    with TemporaryDirectory() as folder:
        costs = measured(Path(folder))
    recorded = durations()
    write_result(
        "cluster_cost.md",
        [
            "# Cost of a task on a cluster",
            "",
            f"{machine()} {load}",
            "",
            f"Orders of {TEXT_BYTES:,} bytes that take a worker no time, {SINGLE} in tasks of their own and "
            f"{BUNDLED:,} in tasks of 256. The run is the process that sends tasks and stores results. Seconds are of "
            "the processor, those of a stored result of the wall clock.",
            "",
            *_table_of_costs(costs),
            "",
            "## Replay of a recorded run",
            "",
            f"The {len(recorded):,} mutants of `results/frozen/exhaustive2003`, again and again, until each worker has "
            f"{SECONDS_EACH:.0f} s of work. A mutant takes its steps at the speed of the original, and "
            f"{1e3 * MUTANT_SECONDS:.0f} ms: {sum(recorded) / len(recorded):.2f} s on average, "
            f"{1e3 * median(recorded):.0f} ms in the median and {max(recorded):.0f} s for the longest one. This is a "
            "simulation: the costs above are spent by one run and one scheduler, and a task takes "
            f"{SECONDS:g} s as in `harness/runner/executors/dask_executor.py`. The network takes no time.",
            "",
            *_table_of_replays(_replays(costs, recorded, SECONDS)),
            "",
            f"The same with tasks of {LONGER:g} s:",
            "",
            *_table_of_replays(_replays(costs, recorded, LONGER)),
            "",
            "[Decision 192](../../docs/decisions/192-one-writer-for-some-hundred-workers.md) says what would change.",
        ],
    )
    return 0


if __name__ == "__main__":
    os.environ.setdefault("PYTHONPATH", os.pathsep.join([str(TESTS.parent), str(TESTS)]))
    sys.exit(main())
