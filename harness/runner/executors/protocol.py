"""The protocol of executors: orders go in, answers come out, and a dying worker loses no order."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from pathlib import Path
from typing import Generic, Protocol, TypeVar

Order = TypeVar("Order")
Answer = TypeVar("Answer")
OrderIn = TypeVar("OrderIn", contravariant=True)
AnswerOut = TypeVar("AnswerOut", covariant=True)


class Worker(Protocol[OrderIn, AnswerOut]):
    """Answers orders, one at a time."""

    def __call__(self, order: OrderIn, /) -> AnswerOut:
        """Answer an order, or a part of it (see `Work.left`).

        Raises:
            WorkerDied: a process below the worker has died or is silent; a new worker takes the next order.
            Exception: ends the run, and is raised by it.
        """
        ...


OpenWorker = Callable[[Path], AbstractContextManager[Worker[Order, Answer]]]
"""Opens a worker, given a folder for the temporary folders of its processes; leaving the context ends these."""


@dataclass(frozen=True)
class WorkerDeath:
    """The end of a worker that had an order.

    Attributes:
        how: in words, as `WorkerDied.how`; empty if the worker itself is gone, and not only a process below it.
        count: workers that have died of this order, this one included.
        of_machine: whether a whole worker of a cluster is gone, or cut off. The order need not have caused that.
    """

    how: str
    count: int
    of_machine: bool = False

    @property
    def of_worker(self) -> bool:
        """Return True if the worker itself is gone: it was killed, or it said nothing for too long."""
        return not self.how


MOST_LOST = 3
"""Workers of a cluster that an order may be lost with."""
LOST = f"{MOST_LOST} workers of the cluster were lost while they ran it, killed or cut off"


@dataclass(frozen=True)
class Instead(Generic[Order]):
    """Orders to run in place of one whose worker has died.

    If the order itself is among them, its deaths are counted on; those of another order start at none.
    """

    orders: Sequence[Order]


class DeathPolicy(Protocol[Order, AnswerOut]):
    """Decides what happens to an order whose worker has died."""

    def __call__(self, order: Order, death: WorkerDeath, /) -> Instead[Order] | AnswerOut:
        """Return what to run instead, or the answer that the worker would have given; an exception ends the run."""
        ...


def nothing_left(order: object, answer: object) -> None:
    """Say that every answer answers the whole order."""


@dataclass(frozen=True)
class Excerpt:
    """The bytes `first` to `first + length - 1` of a file."""

    path: str
    first: int
    length: int


class WorkFiles(Protocol[Order, AnswerOut]):
    """The files that a work names, so that workers of another machine can have them.

    There, the file that has an absolute path here lies below a folder, the root: at the root followed by that path.
    """

    def of_work(self) -> Sequence[Path]:
        """Return the files that every worker reads."""
        ...

    def inputs_of(self, order: Order, /) -> Sequence[Path | Excerpt]:
        """Return the files that an order reads, and files of which it reads an excerpt."""
        ...

    def outputs_of(self, order: Order, /) -> Sequence[Path]:
        """Return the files that are there when the order is answered."""
        ...

    def moved(self, order: Order, root: Path, /) -> Order:
        """Return an order with its paths below a root."""
        ...

    def worker(self, root: Path, /) -> OpenWorker[Order, AnswerOut]:
        """Return what opens a worker whose files lie below a root."""
        ...


@dataclass(frozen=True)
class Work(Generic[Order, Answer]):
    """The part of a computation that is the same for all orders of an executor.

    Attributes:
        worker: opens a worker.
        died: decides about an order whose worker has died.
        left: of an order and its latest answer, what is not answered yet, as an order. It is called on both sides,
            so it returns the same each time. A worker goes on with it by itself.
        files: the files that it names; None if it names none.
    """

    worker: OpenWorker[Order, Answer]
    died: DeathPolicy[Order, Answer]
    left: Callable[[Order, Answer], Order | None] = nothing_left
    files: WorkFiles[Order, Answer] | None = None


class Answers(Protocol[Order, AnswerOut]):
    """The answers of a run, each with its order. An order that is answered in parts comes with its remaining part."""

    def __iter__(self) -> Answers[Order, AnswerOut]: ...

    def __next__(self) -> tuple[Order, AnswerOut]: ...

    def close(self) -> None:
        """End the workers that have an order; what they have not answered is lost, and nothing else."""
        ...


class Executor(Protocol[Order, AnswerOut]):
    """Answers orders with at most `jobs` workers at once. A context manager: leaving it ends all of them.

    Every order is answered once, whole or in parts, or replaced by the orders that the death policy names. Answers
    come as they are found, those of one order in its order; nothing else is promised about who comes first. So an
    answer must depend on its order alone: not on the worker, earlier orders, the number of jobs or time.

    Orders, answers and errors are data that can be pickled. Orders are taken from their iterable when a worker is free:
    one by one, or as many as take a worker a few seconds. So the iterable may make them late.

    An answer is passed on as soon as it is there, at the latest after these seconds or the first one that takes longer.
    A caller that stores each answer loses no other work if a run is interrupted.
    """

    @property
    def jobs(self) -> int:
        """The largest number of workers at once."""
        ...

    def run(self, orders: Iterable[Order]) -> Answers[Order, AnswerOut]:
        """Start on the first orders, and return the answers of all. A further run closes the one before.

        Free workers stay for the next run. Closing the answers ends the workers at work.

        Raises:
            MutascopeError: a worker dies before it is ready for its first order; or a worker has raised it.
            Exception: of the iterable, of a worker, or of the death policy. It ends the run as `close` does.
        """
        ...


class Workforce(Protocol):
    """The processes that work on a run: those of this machine, or of a cluster."""

    @property
    def jobs(self) -> int:
        """The number of processes on this machine at once, for suites and coverage."""
        ...

    @property
    def workers(self) -> dict[str, dict[str, object]]:
        """Versions, machine and levels of containment of each worker of a cluster that was used, by its name."""
        ...

    def executor(self, work: Work[Order, Answer], below: Path) -> AbstractContextManager[Executor[Order, Answer]]:
        """Return the executor of a work; `below` is a folder for files of workers on this machine."""
        ...
