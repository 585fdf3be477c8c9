"""The executor of a cluster of Dask: tasks of seconds go to its workers, and a worker that is lost loses no order."""

from __future__ import annotations

import pickle
from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from queue import Empty, SimpleQueue
from time import monotonic
from types import TracebackType
from typing import TYPE_CHECKING, Generic
from uuid import uuid4

from harness.runner.executors import dask_worker
from harness.runner.executors.dask_cluster import DaskCluster, Member
from harness.runner.executors.protocol import Answer, Excerpt, Instead, Order, Work, WorkerDeath
from harness.runner.executors.task import ExecutorTask, Pieces, TaskReport, pieces_of
from harness.runner.logs import LOGGER, report_line

if TYPE_CHECKING:
    from distributed import Future

SECONDS = 2.0
"""What a task takes, unless a single order, or part of one, takes longer."""
_MOST_ORDERS = 256
_LISTENING = 0.25


@dataclass
class _Waiting(Generic[Order]):
    """An order, and how many workers were lost with it."""

    order: Order
    deaths: int = 0


@dataclass(eq=False)
class _Sent(Generic[Order]):
    """A task that a worker has."""

    member: Member
    waiting: list[_Waiting[Order]]
    future: Future


class DaskExecutor(Generic[Order, Answer]):
    """An `Executor` (which see) of the workers of a cluster.

    The death policy is asked about an order whose worker is lost, or cut off: such a death is `of_machine`. Of several
    orders that were sent together, each is then run by itself.

    Args:
        cluster: whose workers answer.
        work: what the orders have in common.
        jobs: tasks at once (default: as many as the workers take).
        seconds: what a task takes, unless a single order, or part of one, takes longer.
    """

    def __init__(
        self, cluster: DaskCluster, work: Work[Order, Answer], jobs: int | None = None, seconds: float = SECONDS
    ) -> None:
        import cloudpickle

        self.cluster = cluster
        self.work = work
        self.seconds = seconds
        self.seconds_each = seconds
        """What an order took lately."""
        self._jobs = jobs
        self._contents = _Contents()
        self._name = self._contents.of_bytes(cloudpickle.dumps(work))
        self._run: DaskRun[Order, Answer] | None = None

    @property
    def jobs(self) -> int:
        """Tasks at once."""
        return self.cluster.slots if self._jobs is None else self._jobs

    def __enter__(self) -> DaskExecutor[Order, Answer]:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._run is not None:
            self._run.close()
        if self.cluster.client.status == "running":
            self.cluster.call_on_workers(dask_worker.end_work)

    def run(self, orders: Iterable[Order]) -> DaskRun[Order, Answer]:
        """Answer orders, as `Executor.run` says."""
        if self._run is not None:
            self._run.close()
        self._run = DaskRun(self, orders)
        self._run.start()
        return self._run

    def sent(self, member: Member, waiting: list[_Waiting[Order]]) -> _Sent[Order]:
        """Send orders to a worker as one task, and what it lacks of their files before."""
        import cloudpickle

        task, named = self._task(waiting)
        brought = self._bring(member, sorted(named - member.pieces))
        key = f"mutascope-{uuid4().hex}"
        data = cloudpickle.dumps(task)
        future = self.cluster.submit(member, dask_worker.perform, self.cluster.session, key, data, brought, key=key)
        member.at_work += 1
        return _Sent(member, waiting, future)

    def _task(self, waiting: list[_Waiting[Order]]) -> tuple[ExecutorTask, set[str]]:
        import cloudpickle

        files: dict[str, Pieces] = {}
        excerpts: dict[tuple[str, int], bytes] = {}
        if self.work.files is not None:
            for path in self.work.files.of_work():
                files[str(path)] = self._contents.of_file(path)
            for one in waiting:
                for needed in self.work.files.inputs_of(one.order):
                    if isinstance(needed, Excerpt):
                        excerpts[needed.path, needed.first] = _excerpt(needed)
                    else:
                        files[str(needed)] = self._contents.of_file(needed)
        task = ExecutorTask(
            self._name,
            cloudpickle.dumps([one.order for one in waiting]),
            files,
            [(path, first, data) for (path, first), data in excerpts.items()],
            self.seconds,
        )
        return task, {piece for name in (self._name, *files.values()) for piece in name}

    def _bring(self, member: Member, pieces: Sequence[str]) -> Future | None:
        """Send pieces to a worker, each after the one before; return the last task of that."""
        member.bringing = [future for future in member.bringing if not future.done()]
        for piece in pieces:
            data = {piece: self._contents.piece(piece)}
            before = member.bringing[-1] if member.bringing else None
            member.bringing.append(self.cluster.submit(member, dask_worker.keep, self.cluster.session, data, before))
        member.pieces.update(pieces)
        return member.bringing[-1] if member.bringing else None


@dataclass
class DaskWorkforce:
    """The workers of a cluster (a `Workforce`), and `jobs` processes on this machine for suites and coverage.

    Attributes:
        cluster: is connected when its first executor is needed.
        opened: ends the connection.
    """

    cluster: DaskCluster
    jobs: int
    opened: ExitStack
    _is_connected: bool = False

    def connect(self) -> None:
        """Connect the cluster, unless it is, and say in one line where it is.

        Raises:
            UsageError: no scheduler or no worker can be used.
        """
        if not self._is_connected:
            self.opened.enter_context(self.cluster)
            self._is_connected = True
            report_line(self.cluster.description)

    @property
    def workers(self) -> dict[str, dict[str, object]]:
        """Versions, machine and levels of containment of each worker that was used, by its name."""
        return dict(self.cluster.descriptions)

    def executor(self, work: Work[Order, Answer], below: Path) -> DaskExecutor[Order, Answer]:
        """Return the executor of a work.

        Raises:
            UsageError: no scheduler or no worker can be used.
        """
        self.connect()
        return DaskExecutor(self.cluster, work)


def _excerpt(part: Excerpt) -> bytes:
    with Path(part.path).open("rb") as file:
        file.seek(part.first)
        return file.read(part.length)


class _Contents:
    """Pieces by their hashes: those of files are read again when they are sent."""

    def __init__(self) -> None:
        self._bytes: dict[str, bytes] = {}
        self._places: dict[str, Path] = {}
        self._names: dict[tuple[Path, int, int, int], Pieces] = {}

    def of_bytes(self, data: bytes) -> Pieces:
        """Return the name of a content that stays in memory."""
        pieces = list(pieces_of(data))
        self._bytes |= pieces
        return tuple(name for name, _ in pieces)

    def of_file(self, path: Path) -> Pieces:
        """Return the name of the content that a file has now."""
        status = path.stat()
        key = (path, status.st_ino, status.st_mtime_ns, status.st_size)
        if key not in self._names:
            self._names[key] = tuple(name for name, _ in pieces_of(path.read_bytes()))
            for name in self._names[key]:
                self._places[name] = path
        return self._names[key]

    def piece(self, name: str) -> bytes:
        """Return a piece."""
        if name in self._bytes:
            return self._bytes[name]
        return dict(pieces_of(self._places[name].read_bytes()))[name]


class DaskRun(Generic[Order, Answer]):
    """The answers of one run of an executor of a cluster, an iterator."""

    def __init__(self, executor: DaskExecutor[Order, Answer], orders: Iterable[Order]) -> None:
        self._executor = executor
        self._cluster = executor.cluster
        self._orders: Iterator[_Waiting[Order]] = (_Waiting(order) for order in orders)
        self._again: deque[_Waiting[Order]] = deque()
        self._suspects: deque[_Waiting[Order]] = deque()
        """Orders with which a worker was lost."""
        self._sent: dict[str, _Sent[Order]] = {}
        self._reported: SimpleQueue[str] = SimpleQueue()
        self._answers: deque[tuple[Order, Answer]] = deque()
        self._error: Exception | None = None
        self._is_closed = False
        self._lonely = monotonic()
        """When there was a worker last."""

    def start(self) -> None:
        """Hand out the first orders."""
        try:
            self._hand_out()
        except BaseException:
            self.close()
            raise

    def __iter__(self) -> DaskRun[Order, Answer]:
        return self

    def __next__(self) -> tuple[Order, Answer]:
        try:
            self._hand_out()
            while not self._answers:
                if self._error is not None:
                    raise self._error
                if not (self._sent or self._again or self._suspects):
                    raise StopIteration
                self._listen()
                if not self._answers:
                    self._hand_out()
            return self._answers.popleft()
        except StopIteration:
            raise
        except BaseException:
            self.close()
            raise

    def close(self) -> None:
        """Cancel the tasks at work."""
        self._is_closed = True
        for left in (self._answers, self._again, self._suspects):
            left.clear()
        self._error = None
        if self._sent:
            self._cluster.cancel(sent.future for sent in self._sent.values())
        for sent in self._sent.values():
            sent.member.at_work -= 1
        self._sent.clear()

    def _hand_out(self) -> None:
        """Send orders to the workers that are free."""
        members = self._cluster.members
        while len(self._sent) < self._executor.jobs and self._error is None and not self._is_closed:
            free = max((member for member in members.values() if member.free), key=_freedom, default=None)
            if free is None:
                return
            waiting = self._bundle()
            if not waiting:
                return
            sent = self._executor.sent(free, waiting)
            self._sent[sent.future.key] = sent
            sent.future.add_done_callback(lambda future: self._reported.put(future.key))

    def _bundle(self) -> list[_Waiting[Order]]:
        """Take as many orders as take a few seconds; one with which a worker was lost goes alone."""
        executor = self._executor
        most = max(1, min(_MOST_ORDERS, int(executor.seconds / max(executor.seconds_each, 1e-6))))
        waiting: list[_Waiting[Order]] = []
        while len(waiting) < most:
            one = self._again.popleft() if self._again else next(self._orders, None)
            if one is None:
                break
            waiting.append(one)
        return waiting or ([self._suspects.popleft()] if self._suspects else [])

    def _listen(self) -> None:
        """Wait a moment for reports, and look who is there."""
        try:
            self._receive(self._reported.get(timeout=_LISTENING))
        except Empty:
            pass
        self._cluster.look()
        for sent in [*self._sent.values()]:
            if sent.member.number not in self._cluster.members:
                self._lost(sent, "is gone")
            elif sent.member.is_silent:
                self._lost(sent, "says nothing")
        if any(member.is_usable for member in self._cluster.members.values()):
            self._lonely = monotonic()
        elif monotonic() - self._lonely > self._cluster.patience:
            raise self._cluster.no_workers()

    def _receive(self, key: str) -> None:
        sent = self._sent.get(key)
        if sent is None:
            return  # it was lost before
        if sent.future.status == "finished":
            try:
                report = sent.future.result()
            except Exception:  # the worker with the report is gone, or the scheduler
                self._cluster.check()
                self._lost(sent, "is gone")
            else:
                self._take(sent, pickle.loads(report))
            return
        self._cluster.check()
        if sent.future.status == "error":
            error = sent.future.exception()
            if isinstance(error, OSError):
                self._cluster.retire(sent.member, str(error))
            self._lost(sent, f"failed: {type(error).__name__}")
        else:
            self._lost(sent, "is gone")

    def _take(self, sent: _Sent[Order], report: TaskReport) -> None:
        self._forget(sent)
        for level, line in report.log:
            LOGGER.log(level, "%s: %s", sent.member.name, line)
        if report.failure or report.lacks_pieces:
            sent.member.pieces.clear()
            if report.failure:
                self._cluster.retire(sent.member, report.failure)
            self._again.extendleft(reversed(sent.waiting))
            return
        orders: dict[int, Order] = {number: one.order for number, one in enumerate(sent.waiting)}
        for entry in report.entries:
            order = orders.get(entry.number) if entry.order is None else entry.order
            assert order is not None
            for path, data in entry.outputs.items():
                Path(path).write_bytes(data)
            self._answers.append((order, entry.answer))
            left = self._executor.work.left(order, entry.answer)
            if left is not None:
                orders[entry.number] = left
        self._again.extendleft(_Waiting(orders[number]) for number in reversed(report.unfinished))
        self._error = report.error
        if report.entries:
            each = report.seconds / len(report.entries)
            self._executor.seconds_each = (self._executor.seconds_each + each) / 2

    def _lost(self, sent: _Sent[Order], how: str) -> None:
        """Ask the death policy about orders whose worker is lost."""
        LOGGER.warning("the worker %s %s; it had %d orders", sent.member.name, how, len(sent.waiting))
        self._forget(sent)
        self._cluster.cancel([sent.future])
        for one in reversed(sent.waiting):
            deaths = one.deaths + 1
            if len(sent.waiting) > 1:
                self._suspects.appendleft(_Waiting(one.order, one.deaths))
                continue
            decided = self._executor.work.died(one.order, WorkerDeath("", deaths, of_machine=True))
            if isinstance(decided, Instead):
                self._suspects.extendleft(
                    _Waiting(order, deaths if order is one.order else 0) for order in reversed(decided.orders)
                )
                continue
            self._answers.append((one.order, decided))
            left = self._executor.work.left(one.order, decided)
            self._again.extendleft([] if left is None else [_Waiting(left)])

    def _forget(self, sent: _Sent[Order]) -> None:
        del self._sent[sent.future.key]
        sent.member.at_work -= 1


def _freedom(member: Member) -> int:
    return member.free
