"""The local executor: forked workers on this machine, which may log, and which end with their orchestrator."""

from __future__ import annotations

import multiprocessing
import select
import warnings
from collections import deque
from collections.abc import Generator, Iterable, Iterator, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field
from multiprocessing.connection import Connection
from multiprocessing.context import ForkProcess
from pathlib import Path
from time import monotonic
from types import TracebackType
from typing import Generic

from harness.errors import MutascopeError
from harness.runner.executors.protocol import Answer, Instead, Order, Work, WorkerDeath
from harness.runner.executors.worker_process import Answered, Died, Failed, Message, Ready, pieces_of, serve
from harness.runner.logs import LOGGER, share_with_forks
from harness.sandbox.folders import locked_folder
from harness.sandbox.levels import warn_of_missing_levels
from harness.sandbox.lines import writable

_FORK = multiprocessing.get_context("fork")

_SILENCE = 240.0
"""Seconds; a worker says every second that it is alive, and one that has been stopped says nothing."""

_END_EVERY = 0.2
"""Seconds between two attempts to end a worker."""
_ENDINGS = 25
_LISTENING = 1.0


@dataclass
class _Task(Generic[Order]):
    """An order, or what is left of it, and how many workers have died of it."""

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
    silent: float = 0.0
    unsent: deque[bytes] = field(default_factory=deque)
    """The rest of its order: a worker that is stopped takes no more than fits into the pipe."""

    def take(self, task: _Task[Order], run: object) -> None:
        self.task, self.run, self.silent = task, run, 0.0
        self.unsent.extend(pieces_of(task.order))
        self.send()

    def send(self) -> None:
        """Send what the worker takes without being waited for."""
        try:
            while self.unsent and writable(self.connection.fileno(), 0):
                self.connection.send_bytes(self.unsent.popleft())
        except OSError:
            self.unsent.clear()  # it is dead, which is reported when its answer is waited for

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
        """End it at once: it is dead, or has been stopped."""
        self.process.kill()
        self.process.join()
        self.connection.close()


class LocalExecutor(Generic[Order, Answer]):
    """An `Executor` (which see) of forked processes. Each is started when there is an order that no other is free for.

    Args:
        work: what the orders have in common; workers inherit it.
        jobs: workers at once.
        below: the folder in which workers write files, by default a temporary one.
        silence: seconds after which a worker that says nothing is ended.
    """

    def __init__(
        self, work: Work[Order, Answer], jobs: int, below: Path | None = None, silence: float = _SILENCE
    ) -> None:
        self.jobs = jobs
        self.silence = silence
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
        """Answer orders, as `Executor.run` says."""
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
    """The answers of one run of a local executor, an iterator."""

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
        """End the workers that have an order."""
        self._answers.close()
        self._executor._end(self._busy())

    def _busy(self) -> list[_Forked[Order]]:
        return [worker for worker in self._executor._workers if worker.task is not None and worker.run is self]

    def _answered(self) -> Generator[tuple[Order, Answer], None, None]:
        while busy := self._busy():
            for worker in self._talkative(busy):
                yield from self._receive(worker)
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

    def _talkative(self, busy: Sequence[_Forked[Order]]) -> list[_Forked[Order]]:
        """Wait a moment; return those that have said something, and end those that say nothing for too long."""
        began = monotonic()
        talkative, taking = _waited_for(busy)
        # Not by the clock alone: this process may have been stopped, with all others.
        waited = min(monotonic() - began, 2 * _LISTENING)
        for worker in taking:
            worker.send()
        for worker in busy:
            worker.silent = 0.0 if worker in talkative or worker in taking else worker.silent + waited
            if worker.silent > self._executor.silence:
                LOGGER.warning("a worker says nothing; it is ended")
                worker.process.kill()
        return talkative

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
        """Do as the policy says about the order that a worker has died of."""
        task, worker.task = worker.task, None
        assert task is not None
        deaths = task.deaths + 1
        decided = self._executor._work.died(task.order, WorkerDeath(how, deaths))
        if isinstance(decided, Instead):
            self._again.extendleft(
                _Task(order, deaths if order is task.order else 0) for order in reversed(decided.orders)
            )
        else:
            left = self._executor._work.left(task.order, decided)
            self._again.extendleft([] if left is None else [_Task(left)])
            yield task.order, decided


@dataclass(frozen=True)
class LocalWorkforce:
    """Forked processes on this machine, `jobs` at once (`Workforce`, which see)."""

    jobs: int

    @property
    def workers(self) -> dict[str, dict[str, object]]:
        """No workers of a cluster."""
        return {}

    def executor(self, work: Work[Order, Answer], below: Path) -> LocalExecutor[Order, Answer]:
        """Return the executor of a work."""
        return LocalExecutor(work, self.jobs, below)


def _waited_for(busy: Sequence[_Forked[Order]]) -> tuple[list[_Forked[Order]], list[_Forked[Order]]]:
    """Wait a moment for workers; return those that say something, and those that take more of their orders."""
    polled = select.poll()
    for worker in busy:
        polled.register(worker.connection, select.POLLIN | (select.POLLOUT if worker.unsent else 0))
    events_by_handle = dict(polled.poll(_LISTENING * 1000))
    events = [(worker, events_by_handle.get(worker.connection.fileno(), 0)) for worker in busy]
    taking = [worker for worker, event in events if event & select.POLLOUT]
    return [worker for worker, event in events if event & ~select.POLLOUT], taking
