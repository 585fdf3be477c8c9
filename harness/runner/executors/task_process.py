"""The process that works on tasks, started by a worker of a cluster: an executor of one job, with files of its own.

The worker itself stays free to talk to its scheduler. Threads of Dask and a fork never meet.
"""

from __future__ import annotations

import os
import pickle
import signal
import sys
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import ExitStack, suppress
from copy import copy
from dataclasses import dataclass, replace
from multiprocessing.connection import Connection
from pathlib import Path
from threading import Thread
from time import monotonic
from typing import Any

from harness.runner.executors.local import LocalExecutor
from harness.runner.executors.protocol import Instead, Work, WorkerDeath, nothing_left
from harness.runner.executors.task import Entry, ExecutorTask, Pieces, TaskReport, below
from harness.runner.executors.worker_process import WorkerEnd, ignore_end, leave
from harness.runner.logs import collected_lines
from harness.sandbox.folders import locked_folder


def main(connection_handle: int, lifeline: int, pieces: Path) -> None:
    """Work on tasks until the process that sends them leaves or dies.

    Args:
        connection_handle: tasks come in here and reports go out.
        lifeline: the reading end of a pipe that the other process holds.
        pieces: the folder of pieces, each in a file that its hash names.
    """
    import cloudpickle

    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGINT})  # a local worker blocks it; a program may send it
    signal.signal(signal.SIGTERM, leave)
    Thread(target=_end_with, args=(lifeline,), daemon=True).start()
    with (
        suppress(WorkerEnd),
        Connection(connection_handle) as connection,
        locked_folder() as folder,
        collected_lines() as lines,
    ):
        office = _Office(folder, pieces)
        try:
            while (task := _received(connection)) is not None:
                report = office.report(task)
                connection.send_bytes(cloudpickle.dumps(replace(report, log=_removed_lines(lines))))
        except OSError:
            pass  # the other process is gone
        finally:
            ignore_end()
            office.close()


def _received(connection: Connection) -> ExecutorTask | None:
    try:
        task = pickle.loads(connection.recv_bytes())
    except EOFError:
        return None
    assert isinstance(task, ExecutorTask)
    return task


def _removed_lines(lines: list[tuple[int, str]]) -> tuple[tuple[int, str], ...]:
    """Take out the lines of the log that are there; another thread may be adding some."""
    removed = tuple(lines)
    del lines[: len(removed)]
    return removed


def _end_with(lifeline: int) -> None:
    """End this process when the other one is gone: the main thread may be waiting for an order's answer."""
    with suppress(OSError):
        os.read(lifeline, 1)
    os.kill(os.getpid(), signal.SIGTERM)


class _Office:
    """Works on the tasks of one work at a time, with an executor that stays until another work comes."""

    def __init__(self, folder: Path, pieces: Path) -> None:
        self._folder = folder
        self._pieces = pieces
        self._opened = ExitStack()
        self._name: Pieces = ()

    def close(self) -> None:
        """End the executor."""
        self._opened.close()
        self._name = ()

    def report(self, task: ExecutorTask) -> TaskReport:
        """Answer the orders of a task until its time is over."""
        began = monotonic()
        if not task.work:
            self.close()
            return TaskReport()
        named = {piece for name in (task.work, *task.files.values()) for piece in name}
        if not all((self._pieces / piece).exists() for piece in named):
            return TaskReport(lacks_pieces=True)
        try:
            if task.work != self._name:
                self._open(task.work)
            self._furnish(task)
        except OSError as error:
            return TaskReport(failure=f"{error.filename or self._folder}: {error.strerror or error}")
        report = self._answered(task, began)
        if report.error is not None and not self._folder.is_dir():  # no fault of the orders
            return TaskReport(failure=f"its temporary folder {self._folder} is gone")
        return replace(report, seconds=monotonic() - began)

    def _open(self, name: Pieces) -> None:
        self.close()
        self._work: Work[Any, Any] = pickle.loads(self._content(name))
        self._root = self._opened.enter_context(locked_folder(self._folder))
        self._there: dict[str, Pieces] = {}
        worker = self._work.worker if self._work.files is None else self._work.files.worker(self._root)
        # This process decides whether there is time for the rest of an order.
        work = replace(self._work, worker=worker, died=self._after_death, left=nothing_left)
        self._executor = self._opened.enter_context(LocalExecutor(work, 1, self._folder))
        self._name = name

    def _content(self, name: Pieces) -> bytes:
        return b"".join((self._pieces / piece).read_bytes() for piece in name)

    def _furnish(self, task: ExecutorTask) -> None:
        """Put the files of a task below the root."""
        for path, name in task.files.items():
            if self._there.get(path) == name:
                continue
            place = below(self._root, path)
            place.parent.mkdir(parents=True, exist_ok=True)
            place.unlink(missing_ok=True)
            place.write_bytes(self._content(name))
            self._there[path] = name
        for path, first, data in task.excerpts:
            place = below(self._root, path)
            place.parent.mkdir(parents=True, exist_ok=True)
            handle = os.open(place, os.O_WRONLY | os.O_CREAT, 0o644)
            try:
                os.pwrite(handle, data, first)
            finally:
                os.close(handle)

    def _answered(self, task: ExecutorTask, began: float) -> TaskReport:
        book = self._book = _Book(self._moved)
        queue = deque(book.entered(number, order) for number, order in enumerate(pickle.loads(task.orders)))
        entries: list[Entry] = []

        def in_time() -> Iterator[Any]:
            while queue and (not entries or monotonic() < began + task.seconds):
                yield queue.popleft()

        error: Exception | None = None
        try:
            for moved, answer in self._executor.run(in_time()):
                line = book.line(moved)
                entries.append(
                    Entry(line.number, answer, line.order if line.is_new else None, self._outputs(line.order))
                )
                left = self._work.left(line.order, answer)
                if left is not None:
                    queue.appendleft(book.entered(line.number, left))
        except Exception as raised:
            error = raised
        return TaskReport(entries, [book.line(moved).number for moved in queue], error)

    def _after_death(self, moved: Any, death: WorkerDeath) -> Any:
        """Ask the policy about the order as it was before its paths were moved."""
        order = self._book.line(moved).order
        decided = self._work.died(order, death)
        if not isinstance(decided, Instead):
            return decided
        return Instead([moved if one is order else self._book.entered(None, one) for one in decided.orders])

    def _moved(self, order: Any) -> Any:
        return order if self._work.files is None else self._work.files.moved(order, self._root)

    def _outputs(self, order: Any) -> dict[str, bytes]:
        if self._work.files is None:
            return {}
        contents: dict[str, bytes] = {}
        for path in self._work.files.outputs_of(order):
            with suppress(FileNotFoundError):  # the answer says why it is missing
                contents[str(path)] = below(self._root, path).read_bytes()
        return contents


@dataclass
class _Line:
    """An order whose paths were moved, with its number and the order as it was before."""

    number: int
    order: Any
    moved: Any
    is_new: bool
    """Whether a death policy has named it, and nobody knows it who sent the task."""


class _Book:
    """The orders of a task, found by the very objects that the executor has."""

    def __init__(self, moved: Callable[[Any], Any]) -> None:
        self._moved = moved
        self._lines: dict[int, _Line] = {}
        self._numbers = 0

    def entered(self, number: int | None, order: Any) -> Any:
        """Enter an order, or what is left of one, and return it moved; without a number it is a new one."""
        is_new = number is None
        if number is None:
            number = self._numbers
        self._numbers = max(self._numbers, number + 1)
        moved = copy(self._moved(order))
        self._lines[id(moved)] = _Line(number, order, moved, is_new)
        return moved

    def line(self, moved: Any) -> _Line:
        """Return the line of an object that `entered` has returned."""
        return self._lines[id(moved)]


if __name__ == "__main__":
    main(int(sys.argv[1]), int(sys.argv[2]), Path(sys.argv[3]))
