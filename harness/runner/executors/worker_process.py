"""What an executor is given to do, and the life of a forked worker: orders come in by a pipe, answers go out."""

from __future__ import annotations

import signal
import sys
import traceback
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from functools import partial
from multiprocessing.connection import Connection
from pathlib import Path
from tempfile import mkdtemp
from types import FrameType
from typing import Any, Generic, TypeVar

from harness.errors import MutascopeError
from harness.interruption import machine_limit
from harness.kernel.process.confinement import end_with_parent
from harness.sandbox.process import WorkerDied

Order = TypeVar("Order")
Answer = TypeVar("Answer")

Worker = Callable[[Order], Answer]
"""Answers an order, or a part of it (see `Work.left`).

It raises WorkerDied if a process below it has died or is silent; a new worker takes the next order then. Any other
exception ends the run, and is raised by it.
"""

OpenWorker = Callable[[Path], AbstractContextManager[Worker[Order, Answer]]]
"""Opens a worker, given a folder for the temporary folders of its processes; leaving the context ends these."""


@dataclass(frozen=True)
class Work(Generic[Order, Answer]):
    """The part of a computation that is the same for all orders of an executor.

    An order whose worker has died is run once more, or its parts in its place, unless `again` forbids it. Its `id`, or
    its text, names it in a log.

    Attributes:
        worker: opens a worker.
        lost: returns the answer to an order of which the last worker that it is given to has died, given the words of
            `WorkerDied.how`, which are empty if the worker itself was killed. An exception ends the run.
        left: of an order and its latest answer, what is not answered yet, as an order. It is called on both sides,
            so it returns the same each time. A worker goes on with it by itself.
        parts: the orders that stand for one of several things, of which one has killed the worker.
        again: whether an order may be run once more.
    """

    worker: OpenWorker[Order, Answer]
    lost: Callable[[Order, str], Answer]
    left: Callable[[Order, Answer], Order | None] = lambda order, answer: None
    parts: Callable[[Order], Sequence[Order]] = lambda order: ()
    again: Callable[[Order], bool] = lambda order: True


_SOON = 0.01
"""Seconds until a process tries again to leave."""


@dataclass(frozen=True)
class Ready:
    """The worker is open: what dies from now on dies of an order."""


@dataclass(frozen=True)
class Answered(Generic[Answer]):
    """The answer of an order or of its next part."""

    answer: Answer


@dataclass(frozen=True)
class Died:
    """A process below the worker has died of the order."""

    how: str


@dataclass(frozen=True)
class Failed:
    """An error ends the run."""

    error: Exception


Message = Ready | Answered[Answer] | Died | Failed
Send = Callable[[Message[Any]], None]


class WorkerEnd(BaseException):
    """The process that started this one ends it, or is gone. No handler of errors may catch it."""


def serve(connection: Connection, other_end: Connection, work: Work[Order, Answer], folder: Path) -> None:
    """Open a worker and answer orders until the orchestrator leaves, ends this process, or dies.

    Args:
        other_end: the orchestrator's end of the connection, inherited and closed here.
        folder: where the worker's own folder is made.
    """
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is the orchestrator's to handle
    signal.signal(signal.SIGTERM, leave)
    end_with_parent(signal.SIGTERM)
    other_end.close()
    send = partial(_send, connection)
    try:
        try:
            _answer_orders(connection, send, work, folder)
        except Exception as error:
            send(Failed(portable(error)))
        finally:
            ignore_end()
    except WorkerEnd:
        pass


def _answer_orders(connection: Connection, send: Send, work: Work[Order, Answer], folder: Path) -> None:
    """Open a worker, and another one whenever a process below it has died."""
    own = Path(mkdtemp(prefix="worker-", dir=folder))
    while True:
        with work.worker(own) as worker:
            send(Ready())
            try:
                while True:
                    _answer(_received(connection), worker, send, work)
            except WorkerDied as death:
                send(Died(death.how))


def _answer(order: Order, worker: Worker[Order, Answer], send: Send, work: Work[Order, Answer]) -> None:
    left: Order | None = order
    while left is not None:
        answer = worker(left)
        send(Answered(answer))
        left = work.left(left, answer)


def _received(connection: Connection) -> Any:
    try:
        return connection.recv()
    except (EOFError, OSError):
        raise WorkerEnd from None


def _send(connection: Connection, message: Message[Any]) -> None:
    try:
        connection.send(message)
    except OSError:
        raise WorkerEnd from None


def portable(error: Exception) -> Exception:
    """Return an error as it can be sent: what is for the user as it is, with the place in the code if it is not."""
    if isinstance(error, MutascopeError):
        return error
    limit = machine_limit(error)
    if limit is not None:
        return MutascopeError(limit)
    if isinstance(error, OSError):
        where = f": {error.filename}" if error.filename else ""
        return MutascopeError(f"the sandbox cannot be started: {error.strerror or error}{where}")
    return RuntimeError(f"a worker failed:\n{''.join(traceback.format_exception(error))}")


def leave(number: int, frame: FrameType | None) -> None:
    """Leave the process, as a handler of a signal that is not heard again.

    Python drops an exception that is raised within a finalizer. The process leaves right after the finalizer then.
    """
    signal.signal(number, signal.SIG_IGN)
    sys.unraisablehook = _leave_later
    raise WorkerEnd


def ignore_end() -> None:
    """Ignore further signals to leave, as the process is leaving already."""
    for number in (signal.SIGTERM, signal.SIGALRM):
        signal.signal(number, signal.SIG_IGN)


def _leave_later(dropped: sys.UnraisableHookArgs) -> None:
    if isinstance(dropped.exc_value, WorkerEnd):
        signal.signal(signal.SIGALRM, leave)
        signal.setitimer(signal.ITIMER_REAL, _SOON)
    else:
        sys.__unraisablehook__(dropped)
