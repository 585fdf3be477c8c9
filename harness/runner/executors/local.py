"""The executor: forked workers on this machine, which may log, and which end with their orchestrator."""

from __future__ import annotations

import multiprocessing
import warnings
from collections import deque
from collections.abc import Generator, Iterable, Iterator
from contextlib import ExitStack, suppress
from dataclasses import dataclass
from multiprocessing.connection import Connection, wait
from multiprocessing.context import ForkProcess
from pathlib import Path
from types import TracebackType
from typing import Generic

from harness.errors import MutascopeError
from harness.runner.executors.worker_process import (
    Answer,
    Answered,
    Died,
    Failed,
    Message,
    Order,
    Ready,
    Work,
    serve,
)
from harness.runner.logs import LOGGER, share_with_forks
from harness.sandbox.folders import locked_folder
from harness.sandbox.levels import warn_of_missing_levels

_FORK = multiprocessing.get_context("fork")

_END_EVERY = 0.2
"""Seconds between two attempts to end a worker."""
_ENDINGS = 25


@dataclass
class _Task(Generic[Order]):
    """An order, or what is left of it, and the number of workers that have died of it: none or one."""

    order: Order
    deaths: int = 0


@dataclass(eq=False)
class _Forked(Generic[Order]):
    """A worker seen from outside, and what it is doing."""

    process: ForkProcess
    connection: Connection
    ready: bool = False
    task: _Task[Order] | None = None
    run: object = None
    """The run whose order it has."""

    def take(self, task: _Task[Order], run: object) -> None:
        self.task, self.run = task, run
        with suppress(OSError):  # it is dead, which is reported when its answer is waited for
            self.connection.send(task.order)

    def end(self) -> None:
        self.process.terminate()
        # A signal that arrives just before the worker begins to wait is not seen until something wakes it.
        for _ in range(_ENDINGS):
            self.process.join(_END_EVERY)
            if not self.process.is_alive():
                break
            self.process.terminate()
        self.bury()

    def bury(self) -> None:
        """End it at once: it is dead, or hears no signal."""
        self.process.kill()
        self.process.join()
        self.connection.close()


class LocalExecutor(Generic[Order, Answer]):
    """Answers orders with at most `jobs` forked workers at once. A context manager: leaving it ends all of them.

    Every order is answered once, whole or in parts. Answers come as they are found, those of one order in its order;
    nothing else is promised about who comes first. So an answer must depend on its order alone: not on the worker,
    earlier orders, the number of jobs or time.

    Orders, answers and errors are data that can be pickled. Orders are taken from their iterable when a worker is free,
    so the iterable may make them late. An answer is passed on as soon as it is there: a caller that stores each answer
    loses no other work if a run is interrupted.

    Args:
        work: what the orders have in common; workers inherit it.
        jobs: workers at once. Each is started when there is an order that no other is free for.
        below: the folder in which workers write files, by default a temporary one.
    """

    def __init__(self, work: Work[Order, Answer], jobs: int, below: Path | None = None) -> None:
        self.jobs = jobs
        self._work = work
        self._below = below
        self._workers: list[_Forked[Order]] = []

    def __enter__(self) -> LocalExecutor[Order, Answer]:
        warn_of_missing_levels()  # here, and so once: each worker would
        share_with_forks()
        # A worker may be ended while it tidies up: what lies in here goes in any case.
        self._rooms = ExitStack()
        self._folder = self._rooms.enter_context(locked_folder(self._below))
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        try:
            self._end(self._workers)
        finally:
            self._rooms.close()

    def run(self, orders: Iterable[Order]) -> ExecutorRun[Order, Answer]:
        """Start on the first orders, and return the answers of all. A further run closes the one before.

        Free workers stay for the next run.

        Raises:
            MutascopeError: a worker dies before it is ready for its first order; or a worker has raised it.
            Exception: of the iterable, of a worker, or of `Work.lost`. It ends the run as `close` does.
        """
        return ExecutorRun(self, orders)

    def _end(self, workers: Iterable[_Forked[Order]]) -> None:
        ending = [*workers]
        for worker in ending:
            worker.process.terminate()  # all of them, before one is waited for
        for worker in ending:
            worker.end()
            self._workers.remove(worker)

    def _start(self) -> _Forked[Order]:
        ours, theirs = _FORK.Pipe()
        process = _FORK.Process(target=serve, args=(theirs, ours, self._work, self._folder), daemon=False)
        with warnings.catch_warnings():
            # The logging thread only reads a queue: a fork next to it is safe.
            warnings.simplefilter("ignore", DeprecationWarning)
            process.start()
        theirs.close()
        worker: _Forked[Order] = _Forked(process, ours)
        self._workers.append(worker)
        return worker


class ExecutorRun(Generic[Order, Answer]):
    """The answers of one run of an executor, each with its order. An order that is answered in parts comes with its
    remaining part.
    """

    def __init__(self, executor: LocalExecutor[Order, Answer], orders: Iterable[Order]) -> None:
        self._executor = executor
        self._tasks = (_Task(order) for order in orders)
        self._again: deque[_Task[Order]] = deque()
        self._answers = self._answered()
        # Workers that have an order got it from a run that was left without being closed. They are ended.
        executor._end([worker for worker in executor._workers if worker.task is not None])
        try:
            self._hand_out()
        except BaseException:
            self.close()
            raise

    def __iter__(self) -> ExecutorRun[Order, Answer]:
        return self

    def __next__(self) -> tuple[Order, Answer]:
        try:
            return next(self._answers)
        except StopIteration:
            raise
        except BaseException:
            self.close()
            raise

    def close(self) -> None:
        """End the workers that have an order; what they have not answered is lost, and nothing else."""
        self._answers.close()
        self._executor._end(self._busy())

    def _busy(self) -> list[_Forked[Order]]:
        return [worker for worker in self._executor._workers if worker.task is not None and worker.run is self]

    def _answered(self) -> Generator[tuple[Order, Answer], None, None]:
        while busy := {worker.connection: worker for worker in self._busy()}:
            for connection in wait(busy):
                yield from self._receive(busy[connection])  # type: ignore[index]
                self._hand_out()

    def _hand_out(self) -> None:
        """Give orders to workers that are free, and start those that are wanted."""
        executor = self._executor
        while True:
            free = [worker for worker in executor._workers if worker.task is None]
            if not free and len(executor._workers) >= executor.jobs:
                return
            task = self._again.popleft() if self._again else next(self._tasks, None)
            if task is None:
                return
            (free[0] if free else executor._start()).take(task, self)

    def _receive(self, worker: _Forked[Order]) -> Iterator[tuple[Order, Answer]]:
        """Receive a message of a worker, and yield the answer if it is one."""
        try:
            message: Message[Answer] = worker.connection.recv()
        except (EOFError, OSError):
            self._bury(worker)
            yield from self._died(worker, "")
            return
        task = worker.task
        assert task is not None
        match message:
            case Ready():
                worker.ready = True
            case Answered(answer):
                order, left = task.order, self._executor._work.left(task.order, answer)
                worker.task = None if left is None else _Task(left)
                yield order, answer
            case Died(how):
                yield from self._died(worker, how)
            case Failed(error):
                raise error

    def _bury(self, worker: _Forked[Order]) -> None:
        self._executor._workers.remove(worker)
        worker.bury()
        if not worker.ready:
            raise MutascopeError("a pool worker died as it started; see run.log, and run the same command again")

    def _died(self, worker: _Forked[Order], how: str) -> Iterator[tuple[Order, Answer]]:
        """Run the order that a worker has died of once more, or its parts, if that is allowed."""
        task, worker.task = worker.task, None
        assert task is not None
        work, order = self._executor._work, task.order
        if task.deaths or not work.again(order):
            answer = work.lost(order, how)
            left = work.left(order, answer)
            self._again.extendleft([] if left is None else [_Task(left)])
            yield order, answer
            return
        LOGGER.warning("%s: %s; it is run again", getattr(order, "id", order), how or "its worker was killed")
        parts = [_Task(part) for part in work.parts(order)]
        self._again.extendleft(reversed(parts or [_Task(order, deaths=1)]))
