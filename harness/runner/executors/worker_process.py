"""The life of a forked worker, from within: orders come in by a pipe, answers go out."""

from __future__ import annotations

import pickle
import signal
import sys
import traceback
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from multiprocessing.connection import Connection
from pathlib import Path
from tempfile import mkdtemp
from threading import Event, Lock, Thread
from time import sleep
from types import FrameType
from typing import Any, Generic

from harness.errors import MutascopeError
from harness.interruption import machine_limit
from harness.kernel.process.confinement import end_with_parent
from harness.runner.executors.protocol import Answer, Order, Work, Worker
from harness.sandbox.process import WorkerDied

_PIECE = 1 << 15
"""Bytes of a message at the most; a pipe that can be written to has room for it."""

_SOON = 0.01
"""Seconds until a process tries again to leave."""

_BEAT = 1.0
"""Seconds between two words that the worker is alive."""


@dataclass(frozen=True)
class Ready:
    """The worker is open: what dies from now on dies of an order."""


@dataclass(frozen=True)
class Alive:
    """The worker is at work. One that waits for an order says nothing."""


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


Message = Ready | Alive | Answered[Answer] | Died | Failed
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
    send = partial(_send, connection, Lock())
    busy = Event()
    try:
        try:
            Thread(target=_beat, args=(send, busy), daemon=True).start()
            _answer_orders(connection, send, busy, work, folder)
        except Exception as error:
            send(Failed(portable(error)))
        finally:
            ignore_end()
    except WorkerEnd:
        pass


def _answer_orders(connection: Connection, send: Send, busy: Event, work: Work[Order, Answer], folder: Path) -> None:
    """Open a worker, and another one whenever a process below it has died."""
    own = Path(mkdtemp(prefix="worker-", dir=folder))
    while True:
        busy.set()
        with work.worker(own) as worker:
            send(Ready())
            try:
                while True:
                    busy.clear()
                    order = _received(connection)
                    busy.set()
                    _answer(order, worker, send, work)
            except WorkerDied as death:
                send(Died(death.how))


def _answer(order: Order, worker: Worker[Order, Answer], send: Send, work: Work[Order, Answer]) -> None:
    left: Order | None = order
    while left is not None:
        answer = worker(left)
        send(Answered(answer))
        left = work.left(left, answer)


def pieces_of(order: object) -> list[bytes]:
    """Return the messages by which an order is sent: their number, then pieces that fit into an empty pipe."""
    data = pickle.dumps(order)
    pieces = [data[start : start + _PIECE] for start in range(0, len(data), _PIECE)]
    return [str(len(pieces)).encode(), *pieces]


def _received(connection: Connection) -> Any:
    try:
        return pickle.loads(b"".join(connection.recv_bytes() for _ in range(int(connection.recv_bytes()))))
    except (EOFError, OSError):
        raise WorkerEnd from None


def _send(connection: Connection, lock: Any, message: Message[Any]) -> None:
    with lock:
        try:
            connection.send(message)
        except OSError:
            raise WorkerEnd from None


def _beat(send: Send, busy: Event) -> None:
    """Say again and again that this process is at work; it says nothing while it is stopped."""
    try:
        while True:
            busy.wait()
            sleep(_BEAT)
            if busy.is_set():
                send(Alive())
    except WorkerEnd:
        pass


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
