"""Replays recorded durations of mutants on many simulated workers, with one process that writes and one scheduler."""

from __future__ import annotations

import heapq
from collections import deque
from collections.abc import Iterable
from dataclasses import dataclass
from itertools import count
from typing import NamedTuple

MOST_ORDERS = 256
"""Orders of a task at the most, as in the executor."""


@dataclass(frozen=True)
class Costs:
    """Seconds, of the process that writes unless the name says the scheduler.

    Attributes:
        task: of a task, without its orders.
        order: of an order and its answer.
        write: to store a result.
        idle_share: share of the scheduler's time that it spends without any worker.
        heartbeat: of the scheduler, for each heartbeat of a worker.
        look: for each worker, when the process looks who is there; so `scheduler_look`.
        scan: for each worker, when a free one is looked for.
    """

    task: float
    order: float
    scheduler_task: float
    scheduler_order: float
    idle_share: float
    heartbeat: float
    scheduler_look: float
    look: float
    scan: float
    write: float


@dataclass(frozen=True)
class Replayed:
    """The outcome of a replay: its length, and which share of it the processes were busy until work ran out."""

    workers: int
    tasks: int
    mutants: int
    seconds: float
    writer_share: float
    scheduler_share: float
    worker_share: float


class _Bundle(NamedTuple):
    """A task: orders that are sent, those that are done in time, and seconds of work."""

    orders: int
    done: int
    seconds: float


_AT_START, _AT_END, _AT_REPORT = range(3)


class _Server:
    """A process that serves one request after the other, and spends a share of its time on other things."""

    def __init__(self, background: float) -> None:
        self._slowed = max(0.01, 1 - background)
        self._background = min(1.0, background)
        self._free_at = 0.0
        self._busy = 0.0

    def served(self, now: float, seconds: float) -> float:
        """Return when a request is served that comes now."""
        self._free_at = max(self._free_at, now) + seconds / self._slowed
        self._busy += seconds
        return self._free_at

    def share(self, until: float) -> float:
        """Return the share of the time for which it was busy."""
        return min(1.0, self._busy / until + self._background)


def replay(durations: Iterable[float], workers: int, costs: Costs, task_seconds: float) -> Replayed:
    """Replay mutants in the order in which they come; measure until no work is left to be given out.

    Args:
        task_seconds: after so long a worker begins no further mutant of its task, and returns the others.
    """
    left = deque(durations)
    look_pause, heartbeats = max(1.0, workers / 200), workers / _heartbeat_pause(workers)
    writer = _Server(workers * costs.look / look_pause)
    scheduler = _Server(costs.idle_share + workers * costs.scheduler_look / look_pause + heartbeats * costs.heartbeat)
    idle, numbers = workers, count()
    events: list[tuple[float, int, int, _Bundle]] = []
    """Of each task: when it comes to its next stage, a number that makes the order unique, the stage, the task."""
    each, now, worked, tasks, mutants = task_seconds, 0.0, 0.0, 0, 0
    while True:
        while idle and left:
            bundle = _bundle(left, max(1, min(MOST_ORDERS, int(task_seconds / each))), task_seconds)
            # Half of a task's cost is spent before a worker has it, half after.
            ready = writer.served(now, costs.task / 2 + bundle.orders * costs.order / 2 + workers * costs.scan)
            heapq.heappush(events, (ready, next(numbers), _AT_START, bundle))
            idle -= 1
        if not left or not events:
            break
        moment, _, stage, bundle = heapq.heappop(events)
        if stage == _AT_START:
            there = scheduler.served(moment, costs.scheduler_task / 2 + bundle.orders * costs.scheduler_order / 2)
            heapq.heappush(events, (there + bundle.seconds, next(numbers), _AT_END, bundle))
        elif stage == _AT_END:
            report_time = scheduler.served(moment, costs.scheduler_task / 2 + bundle.done * costs.scheduler_order / 2)
            heapq.heappush(events, (report_time, next(numbers), _AT_REPORT, bundle))
        else:
            now = writer.served(moment, costs.task / 2 + bundle.done * (costs.order / 2 + costs.write))
            each = (each + bundle.seconds / bundle.done) / 2
            worked, tasks, mutants = worked + bundle.seconds, tasks + 1, mutants + bundle.done
            idle += 1
    for moment, _, stage, bundle in events:  # tasks that a worker is at, or whose report is on its way
        if stage != _AT_START:
            worked += max(0.0, bundle.seconds - (max(0.0, moment - now) if stage == _AT_END else 0.0))
    return Replayed(
        workers, tasks, mutants, now, writer.share(now), scheduler.share(now), min(1.0, worked / (workers * now))
    )


def _bundle(left: deque[float], most: int, task_seconds: float) -> _Bundle:
    """Take mutants for a task, as many as its worker begins in time."""
    orders = [left.popleft() for _ in range(min(most, len(left)))]
    done, seconds = 0, 0.0
    while done < len(orders) and (not done or seconds < task_seconds):
        seconds += orders[done]
        done += 1
    left.extendleft(reversed(orders[done:]))
    return _Bundle(len(orders), done, seconds)


def _heartbeat_pause(workers: int) -> float:
    """Return the seconds between two heartbeats of a worker, as Dask chooses them (`distributed.scheduler`)."""
    bounds = ((10, 0.5), (49, 1.0), (199, 2.0))
    return next((pause for most, pause in bounds if workers <= most), workers / 200 + 1)
