"""Pool workers: forked processes that may log, each with a sandboxed zygote of its own."""

from __future__ import annotations

import multiprocessing
import shutil
import signal
import warnings
from collections import deque
from collections.abc import Iterable, Iterator
from multiprocessing.connection import Connection, wait
from multiprocessing.context import ForkProcess
from pathlib import Path
from tempfile import mkdtemp
from types import FrameType, TracebackType
from typing import Any

from harness.ending import limit_met
from harness.errors import MutascopeError
from harness.kernel.job import MutantOrder, Order, order_to_json
from harness.kernel.sandboxed import end_with_parent
from harness.model.outcome import KillReason, Phase
from harness.runner.logs import LOGGER
from harness.sandbox.process import SandboxedProcess, WorkerDied

Facts = dict[str, Any]
_FORK = multiprocessing.get_context("fork")

_END_EVERY = 0.2
"""Seconds between two attempts to end a worker."""


class Pool:
    """`jobs` workers on one job file. Use as a context manager; leaving it ends every process below it."""

    def __init__(self, job: Path, jobs: int) -> None:
        self._job = job
        self._jobs = jobs
        self._workers: dict[Connection, ForkProcess] = {}

    def __enter__(self) -> Pool:
        # A worker may be ended while it tidies up its sandbox: what lies in here goes in any case.
        self._folder = Path(mkdtemp(prefix="mutascope-"))
        try:
            for _ in range(self._jobs):
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
            while worker.is_alive():
                worker.join(_END_EVERY)
                worker.terminate()
            worker.join()
            connection.close()
        shutil.rmtree(self._folder, ignore_errors=True)

    def run(self, orders: Iterable[Order]) -> Iterator[Facts]:
        """Facts of each order, in the order in which they are found.

        Raises:
            MutascopeError: the original fails, or does not load.
        """
        waiting = deque(orders)
        idle = deque(self._workers)
        running: dict[Connection, Order] = {}
        retried: set[str] = set()
        while waiting or running:
            while waiting and idle:
                connection = idle.popleft()
                running[connection] = waiting.popleft()
                try:
                    connection.send(running[connection])
                except OSError:
                    pass  # it is dead: told when its answer is waited for
            for ready in wait(list(running)):
                connection = next(c for c in running if c is ready)
                order = running.pop(connection)
                try:
                    facts = self._receive(connection)
                except (EOFError, OSError):
                    idle.append(self._replace(connection))
                    if order.id in retried:
                        yield {"id": order.id, "fault": "its pool worker died twice"}
                    else:
                        LOGGER.warning("a pool worker died while running %s; it is run again", order.id)
                        retried.add(order.id)
                        waiting.append(order)
                    continue
                idle.append(connection)
                yield facts

    def _receive(self, connection: Connection) -> Facts:
        said: Facts | MutascopeError = connection.recv()
        if isinstance(said, MutascopeError):
            raise said
        return said

    def _await(self, connection: Connection) -> None:
        """Until a fresh worker says that it is ready, or the error that keeps it from being so."""
        try:
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
        worker.join()
        fresh = self._start()
        self._await(fresh)
        return fresh


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
    try:
        while True:
            with SandboxedProcess("harness.kernel.zygote", str(job), below=folder) as zygote:
                ready = zygote.fact()
                if order is None:
                    LOGGER.info("sandbox %d ready", zygote.pid)
                    connection.send(ready)
                try:
                    while True:
                        if order is None:
                            order, deaths = connection.recv(), 0
                        zygote.order(order_to_json(order))
                        connection.send(zygote.fact())
                        order = None
                except WorkerDied as death:
                    deaths += 1
                    LOGGER.warning("sandbox %d %s; it is replaced", zygote.pid, death.how)
                    if order is not None and deaths > 1:
                        connection.send(_death(order, death))
                        order, deaths = connection.recv(), 0
    except WorkerDied as death:
        connection.send(MutascopeError(f"the sandbox cannot be started: {death.how}"))
    except MutascopeError as error:
        connection.send(error)
    except OSError as error:
        if isinstance(error, BrokenPipeError):
            raise
        connection.send(MutascopeError(limit_met(error) or f"the sandbox cannot be started: {error.strerror}"))


def _death(order: Order, death: WorkerDied) -> Facts:
    """Of an order during which the sandbox died twice: a mutant's crash where a signal ended it, else our fault."""
    LOGGER.warning("%s: sandbox %s", order.id, death.how)
    if not (isinstance(order, MutantOrder) and death.how.startswith("ended by SIG")):
        return {"id": order.id, "fault": death.how.partition(";")[0]}
    return {
        "id": order.id,
        "reason": KillReason.CRASH.value,
        "phase": Phase.CALL.value,
        "detail": death.how.split()[2].rstrip(";"),
        "input": None,
        "inputs_run": 0,
        "executed": 0,
        "steps": None,
    }


def _leave(number: int, frame: FrameType | None) -> None:
    signal.signal(number, signal.SIG_IGN)
    raise EOFError
