"""Pool workers: forked processes that may log, each with a sandboxed zygote of its own."""

from __future__ import annotations

import multiprocessing
import signal
import warnings
from collections import deque
from collections.abc import Iterable, Iterator
from dataclasses import asdict
from multiprocessing.connection import Connection, wait
from multiprocessing.context import ForkProcess
from pathlib import Path
from types import TracebackType
from typing import Any

from harness.errors import MutascopeError
from harness.kernel.job import MutantOrder
from harness.model.outcome import KillReason, Phase
from harness.runner.logs import LOGGER
from harness.sandbox.process import SandboxedProcess, WorkerDied

Facts = dict[str, Any]
_FORK = multiprocessing.get_context("fork")


class Pool:
    """`jobs` workers on one job file. Use as a context manager; leaving it ends every process below it."""

    def __init__(self, job: Path, jobs: int) -> None:
        self._job = job
        self._jobs = jobs
        self._workers: dict[Connection, ForkProcess] = {}

    def __enter__(self) -> Pool:
        for _ in range(self._jobs):
            self._start()
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        for connection, worker in self._workers.items():
            connection.close()
            worker.terminate()
        for worker in self._workers.values():
            worker.join()

    def baseline(self) -> Facts:
        """The original's facts, as every worker found them.

        Raises:
            MutascopeError: the original fails, or does not load.
        """
        found = [self._receive(connection)[1] for connection in self._workers]
        return found[0]

    def run(self, orders: Iterable[MutantOrder]) -> Iterator[Facts]:
        """Facts of each ordered mutant, in the order in which they are decided."""
        waiting = deque(orders)
        idle = deque(self._workers)
        running: dict[Connection, MutantOrder] = {}
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
                    _, facts = self._receive(connection)
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

    def _receive(self, connection: Connection) -> tuple[str, Facts]:
        kind, content = connection.recv()
        if kind == "error":
            raise content
        return kind, content

    def _start(self) -> Connection:
        ours, theirs = _FORK.Pipe()
        worker = _FORK.Process(target=_work, args=(theirs, ours, self._job), daemon=False)
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
        self._receive(fresh)
        return fresh


def _work(connection: Connection, other_end: Connection, job: Path) -> None:
    """A worker's life: start a zygote, tell its baseline, then pass orders in and facts out."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is the orchestrator's to handle
    signal.signal(signal.SIGTERM, lambda *_: _leave())
    other_end.close()
    died = ""
    order: MutantOrder | None = None
    try:
        while True:
            with SandboxedProcess("harness.kernel.zygote", str(job)) as zygote:
                baseline = zygote.fact()["baseline"]
                if not died:
                    LOGGER.info("sandbox %d ready after %.2f s", zygote.pid, baseline["seconds"])
                    connection.send(("baseline", baseline))
                try:
                    if died and order is not None:  # once more: its death may not have been its own
                        connection.send(("facts", _ask(zygote, order)))
                    while True:
                        died = ""
                        order = connection.recv()
                        connection.send(("facts", _ask(zygote, order)))
                except WorkerDied as death:
                    if died and order is not None:
                        connection.send(("facts", _death(order, death)))
                        order = None
                    died = death.how
                    LOGGER.warning("sandbox %d %s; it is replaced", zygote.pid, death.how)
    except (EOFError, BrokenPipeError):
        return  # the orchestrator has left
    except WorkerDied as death:
        connection.send(("error", MutascopeError(f"the sandbox cannot be started: {death.how}")))
    except MutascopeError as error:
        connection.send(("error", error))


def _ask(zygote: SandboxedProcess, order: MutantOrder) -> Facts:
    zygote.order(asdict(order))
    facts: Facts = zygote.fact()["result"]
    return facts


def _death(order: MutantOrder, death: WorkerDied) -> Facts:
    """Of a mutant during which its sandbox died twice: a crash where a signal ended it, else our fault."""
    LOGGER.warning("mutant %s: sandbox %s", order.id, death.how)
    if not death.how.startswith("ended by SIG"):
        return {"id": order.id, "fault": death.how.partition(";")[0]}
    return {
        "id": order.id,
        "reason": KillReason.CRASH.value,
        "phase": Phase.CALL.value,
        "detail": death.how.split()[2].rstrip(";"),
        "input": None,
        "inputs_run": 0,
        "steps": None,
    }


def _leave() -> None:
    raise EOFError
