"""A worker of Dask keeps pieces of files, and passes tasks on to a process of ours.

A session is one connection of an orchestrator. Its files and processes go when it ends. If it ends without a word,
they go when a later session begins.
"""

from __future__ import annotations

import asyncio
import atexit
import os
import pickle
import subprocess
import sys
from collections.abc import Mapping
from contextlib import ExitStack
from dataclasses import dataclass, field
from multiprocessing import Pipe
from pathlib import Path
from threading import Lock
from time import monotonic
from typing import Any

import harness
from harness.runner.executors.task import ExecutorTask
from harness.runner.provenance import provenance
from harness.sandbox.folders import locked_folder

_LOOK_SECONDS = 0.2
"""Between two looks whether a task was cancelled."""
_ENDING_SECONDS = 10.0
_FORGOTTEN_SECONDS = 600.0


class TaskProcessDied(Exception):
    """The process that works on tasks has died."""


class Cancelled(Exception):
    """Nobody wants the report any more."""


class _TaskProcess:
    """The process that works on tasks, seen from the worker of Dask."""

    def __init__(self, pieces: Path) -> None:
        self._connection, theirs = Pipe()
        lifeline, self._lifeline = os.pipe()
        package = str(Path(harness.__file__).parents[1])
        paths = os.pathsep.join(filter(None, (package, os.environ.get("PYTHONPATH"))))
        handles = (theirs.fileno(), lifeline)
        try:
            self._process = subprocess.Popen(
                [sys.executable, "-P", "-m", "harness.runner.executors.task_process", *map(str, handles), str(pieces)],
                stdin=subprocess.DEVNULL,
                pass_fds=handles,
                env=os.environ | {"PYTHONPATH": paths},
            )
        finally:
            theirs.close()
            os.close(lifeline)

    def report(self, task: bytes, key: str | None) -> bytes:
        """Pass a pickled task on, and return the pickled report.

        Raises:
            TaskProcessDied: there is none.
            Cancelled: the task of this key was cancelled meanwhile.
        """
        try:
            self._connection.send_bytes(task)
            while not self._connection.poll(_LOOK_SECONDS):
                if key is not None and _is_cancelled(key):
                    raise Cancelled
            return self._connection.recv_bytes()
        except (EOFError, OSError):
            raise TaskProcessDied from None

    def end(self) -> None:
        """End the process with all below it."""
        os.close(self._lifeline)  # it ends by itself, and tidies up
        self._connection.close()
        try:
            self._process.wait(_ENDING_SECONDS)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()


def _is_cancelled(key: str) -> bool:
    from distributed import get_worker

    task = get_worker().state.tasks.get(key)
    return task is None or task.state == "cancelled"


@dataclass
class _Session:
    """The folder of one session's pieces, and its processes that have no task."""

    pieces: Path
    undo: ExitStack
    idle: list[_TaskProcess] = field(default_factory=list)
    at_work: int = 0
    used: float = 0.0

    def end(self) -> None:
        while self.idle:
            self.idle.pop().end()
        self.undo.close()


_sessions: dict[str, _Session] = {}
_lock = Lock()


def describe() -> dict[str, Any]:
    """Return the provenance of this worker as data: versions, commit, and levels of containment."""
    return provenance().as_dict()


def keep(session: str, pieces: Mapping[str, bytes], before: None = None) -> None:
    """Keep pieces of files, by their hashes.

    Args:
        before: stands for the task of Dask that brings the pieces before these.

    Raises:
        OSError: there is no room for them.
    """
    folder = _session(session).pieces
    for name, data in pieces.items():
        part = folder / f"{name}.part"
        part.write_bytes(data)
        part.replace(folder / name)


def perform(session: str, key: str, task: bytes, brought: None = None) -> bytes:
    """Work on a pickled task, the one of Dask with this key; return the pickled report.

    Args:
        brought: stands for the task of Dask that brings the last piece.

    Raises:
        TaskProcessDied, Cancelled: there is no report.
    """
    owner = _session(session)
    with _lock:
        owner.at_work += 1
        process = owner.idle.pop() if owner.idle else None
    try:
        process = process or _TaskProcess(owner.pieces)
        try:
            report = process.report(task, key)
        except BaseException:
            process.end()
            raise
        with _lock:
            owner.idle.append(process)
        return report
    finally:
        with _lock:
            owner.at_work -= 1
            owner.used = monotonic()


async def end_work(session: str) -> None:
    """End the executors of processes that have no task; the processes stay. Processes of cancelled tasks end first."""
    until = monotonic() + _ENDING_SECONDS
    while session in _sessions and _sessions[session].at_work and monotonic() < until:
        await asyncio.sleep(_LOOK_SECONDS / 4)  # meanwhile, the worker hears what is cancelled
    with _lock:
        owner = _sessions.get(session)
        idle = [] if owner is None else [owner.idle.pop() for _ in range(len(owner.idle))]
    for process in idle:
        process.report(pickle.dumps(ExecutorTask(work=(), orders=b"")), None)
    if owner is not None:
        with _lock:
            owner.idle += idle


def end_session(session: str) -> None:
    """Remove what belongs to a session."""
    with _lock:
        owner = _sessions.pop(session, None)
    if owner is not None:
        owner.end()


def _session(name: str) -> _Session:
    with _lock:
        if name not in _sessions:
            _end_forgotten()
            undo = ExitStack()
            pieces = undo.enter_context(locked_folder())
            _sessions[name] = _Session(pieces, undo)
        _sessions[name].used = monotonic()
        return _sessions[name]


def _end_forgotten() -> None:
    for name, session in list(_sessions.items()):
        if not session.at_work and monotonic() - session.used > _FORGOTTEN_SECONDS:
            _sessions.pop(name).end()


@atexit.register
def _end_all() -> None:
    while _sessions:
        _sessions.popitem()[1].end()
