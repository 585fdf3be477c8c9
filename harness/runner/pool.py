"""Pool workers: forked processes that may log, each with a sandboxed zygote of its own."""

from __future__ import annotations

import multiprocessing
import signal
import warnings
from collections import deque
from collections.abc import Iterable, Iterator
from contextlib import ExitStack
from dataclasses import replace
from functools import partial
from multiprocessing.connection import Connection, wait
from multiprocessing.context import ForkProcess
from pathlib import Path
from tempfile import mkdtemp
from time import monotonic
from types import FrameType, TracebackType
from typing import Any

from harness.ending import limit_met
from harness.errors import MutascopeError
from harness.kernel.process.confinement import end_with_parent
from harness.kernel.process.time_limits import IDLE_FACTOR
from harness.kernel.running.job import ORDERS, BatchOrder, MutantOrder, Order
from harness.kernel.running.testimony import lost
from harness.model.outcome import KillReason
from harness.runner.logs import LOGGER
from harness.runner.zygotes import addressed_to, take_out, zygote_process
from harness.sandbox.folders import own_folder
from harness.sandbox.process import NO_FACT, Silent, WorkerDied

Facts = dict[str, Any]
_FORK = multiprocessing.get_context("fork")

_END_EVERY = 0.2
"""Seconds between two attempts to end a worker."""
_ENDINGS = 25

LOADING_SECONDS = 120.0
"""Of processor time, for a sandbox to load the implementation, the spec and its finitization."""

SANDBOX_SILENCE = 120.0
"""A sandbox says about every second that it is alive; after so long without a word it is replaced."""

LONGEST_SILENCE = 2 * SANDBOX_SILENCE
"""The same for a worker: it waits for its sandbox, and may have to replace it."""

_LISTENING = 1.0
_ENDED_BY = "ended by"
_ALIVE: Facts = {"alive": True}


class Pool:
    """`jobs` workers on one job file. Use as a context manager; leaving it ends every process below it."""

    def __init__(self, job: Path, jobs: int) -> None:
        self._job = job
        self.jobs = jobs
        self._workers: dict[Connection, ForkProcess] = {}

    def __enter__(self) -> Pool:
        # A worker may be ended while it tidies up its sandbox: what lies in here goes in any case.
        self._rooms = ExitStack()
        self._folder = self._rooms.enter_context(own_folder(self._job.parent))
        try:
            for _ in range(self.jobs):
                self._start()
            for connection in self._workers:
                self._await(connection)
        except BaseException:
            self.__exit__(MutascopeError, None, None)
            raise
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        for worker in self._workers.values():
            worker.terminate()
        for connection, worker in self._workers.items():
            # A signal that arrives just before the worker begins to wait is not seen until something wakes it.
            for _ in range(_ENDINGS):
                worker.join(_END_EVERY)
                if not worker.is_alive():
                    break
                worker.terminate()
            worker.kill()  # it has been stopped
            worker.join()
            connection.close()
        self._rooms.close()

    def run(self, orders: Iterable[Order]) -> Iterator[Facts]:
        """Facts of each order, in the order in which they are found, of a batch those of its orders.

        Raises:
            MutascopeError: the original fails, or does not load.
        """
        waiting = deque(orders)
        idle = deque(self._workers)
        running: dict[Connection, Order] = {}
        silent: dict[Connection, float] = {}
        retried: set[str] = set()
        while waiting or running:
            while waiting and idle:
                connection = idle.popleft()
                running[connection] = waiting.popleft()
                silent[connection] = 0.0
                try:
                    connection.send(running[connection])
                except OSError:
                    pass  # it is dead: told when its answer is waited for
            began = monotonic()
            found = wait(list(running), _LISTENING)
            # Not by the clock alone: this process may have been stopped, with all others.
            waited = min(monotonic() - began, 2 * _LISTENING)
            ready = [connection for connection in running if connection in found]
            for connection in running:
                silent[connection] = 0.0 if connection in ready else silent[connection] + waited
                if silent[connection] > LONGEST_SILENCE:
                    LOGGER.warning("a pool worker says nothing; it is ended")
                    self._workers[connection].kill()
            for connection in ready:
                try:
                    facts = self._receive(connection)
                except (EOFError, OSError):
                    order = running.pop(connection)
                    idle.append(self._replace(connection))
                    if isinstance(order, BatchOrder):
                        waiting.extend(order.orders)  # who of them it was is seen when each is run by itself
                    elif order.id in retried:
                        yield _death(order, f"{_ENDED_BY} taking its pool worker along twice")
                    else:
                        LOGGER.warning("a pool worker died while running %s; it is run again", order.id)
                        retried.add(order.id)
                        waiting.append(order)
                    continue
                if facts == _ALIVE:
                    continue
                order = running.pop(connection)
                idle.append(connection)
                if isinstance(order, BatchOrder):
                    found = facts.get("batch", [])
                    yield from found
                    waiting.extendleft(reversed(_left(order, len(found))))
                else:
                    yield facts

    def _receive(self, connection: Connection) -> Facts:
        said: Facts | MutascopeError = connection.recv()
        if isinstance(said, MutascopeError):
            raise said
        return said

    def _await(self, connection: Connection) -> None:
        """Until a fresh worker says that it is ready, or the error that keeps it from being so."""
        try:
            if not connection.poll(2 * IDLE_FACTOR * LOADING_SECONDS):
                raise EOFError
            self._receive(connection)
        except (EOFError, OSError):
            raise MutascopeError(
                "a pool worker died as it started; see run.log, and run the same command again"
            ) from None

    def _start(self) -> Connection:
        ours, theirs = _FORK.Pipe()
        worker = _FORK.Process(target=_work, args=(theirs, ours, self._job, self._folder), daemon=False)
        with warnings.catch_warnings():
            # The logging thread only reads a queue: a fork beside it is safe.
            warnings.simplefilter("ignore", DeprecationWarning)
            worker.start()
        theirs.close()
        self._workers[ours] = worker
        return ours

    def _replace(self, connection: Connection) -> Connection:
        worker = self._workers.pop(connection)
        connection.close()
        worker.kill()
        worker.join()
        fresh = self._start()
        self._await(fresh)
        return fresh


def _left(order: BatchOrder, done: int) -> list[Order]:
    """What is to be ordered of a batch still; all of it one by one where nothing came of it."""
    left = order.orders[done:]
    return [replace(order, orders=left)] if done and left else [*left]


def _work(connection: Connection, other_end: Connection, job: Path, folder: Path) -> None:
    """A worker's life, until its orchestrator leaves, ends it, or dies."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is the orchestrator's to handle
    signal.signal(signal.SIGTERM, _leave)
    end_with_parent(signal.SIGTERM)
    other_end.close()
    try:
        try:
            _serve(connection, job, folder)
        finally:
            signal.signal(signal.SIGTERM, signal.SIG_IGN)  # it is leaving already
    except (EOFError, BrokenPipeError):
        pass  # the orchestrator has left, or wants no more


def _serve(connection: Connection, job: Path, folder: Path) -> None:
    """Starts a zygote, says that it is ready, then passes orders in and facts out.

    A zygote that dies is replaced and given its order once more: the death may not have been its own.
    """
    order: Order | None = None
    deaths = 0
    outbox = Path(mkdtemp(prefix="outbox-", dir=folder))
    started = zygote_process(job, outbox, below=folder)
    try:
        while True:
            with started as zygote:
                alive = partial(connection.send, _ALIVE) if order is not None else lambda: None
                try:
                    ready = zygote.fact_of_work(LOADING_SECONDS, alive)
                except WorkerDied as death:
                    raise MutascopeError(_unready(death)) from None
                if order is None:
                    LOGGER.info("sandbox %d ready", zygote.pid)
                    connection.send(ready)
                try:
                    while True:
                        if order is None:
                            order, deaths = connection.recv(), 0
                        zygote.order(ORDERS.to_data(addressed_to(outbox, order)))
                        while (facts := zygote.fact(SANDBOX_SILENCE)) == _ALIVE:
                            connection.send(_ALIVE)
                        take_out(outbox, order, facts)
                        connection.send(facts)
                        order = None
                except WorkerDied as death:
                    deaths += 1
                    LOGGER.warning("sandbox %d %s; it is replaced", zygote.pid, death.how)
                    if isinstance(order, BatchOrder):
                        connection.send({"id": order.id})
                        order, deaths = connection.recv(), 0
                    elif order is not None and deaths > 1:
                        connection.send(_death(order, death.how))
                        order, deaths = connection.recv(), 0
    except MutascopeError as error:
        connection.send(error)
    except OSError as error:
        if isinstance(error, BrokenPipeError):
            raise
        connection.send(MutascopeError(limit_met(error) or f"the sandbox cannot be started: {error.strerror}"))


def _unready(death: WorkerDied) -> str:
    if isinstance(death, Silent):
        return (
            f"the implementation and its spec, with finitization, did not load {death.how.removeprefix('no word ')}; "
            "make what stands at the level of a module, and the finitization, end"
        )
    return f"the sandbox cannot be started: {death.how}"


def _death(order: Order, how: str) -> Facts:
    """Of an order during which the sandbox died twice: the mutant's end where that can be its doing, else our fault."""
    LOGGER.warning("%s: %s", order.id, how)
    said = how.partition(";")[0]
    if not isinstance(order, MutantOrder) or said.startswith("ended with"):
        return {"id": order.id, "fault": how}
    if said.startswith((_ENDED_BY, NO_FACT)):
        return {"id": order.id, **lost(said.removeprefix(_ENDED_BY).strip())}
    return {"id": order.id, **lost(f"wall clock: its sandbox {said}", KillReason.WALL_LIMIT)}


def _leave(number: int, frame: FrameType | None) -> None:
    signal.signal(number, signal.SIG_IGN)
    raise EOFError
