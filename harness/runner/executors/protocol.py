"""What an executor is given: a work, whose orders it answers, and what happens to an order whose worker has died."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from pathlib import Path
from typing import Generic, TypeVar

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
class WorkerDeath:
    """The end of a worker that had an order.

    Attributes:
        how: in words, as `WorkerDied.how`; empty if the worker itself was killed, and not only a process below it.
        count: workers that have died of this order, this one included.
    """

    how: str
    count: int


@dataclass(frozen=True)
class Instead(Generic[Order]):
    """Orders to run in place of one whose worker has died.

    If the order itself is among them, its deaths are counted on; those of another order start at none.
    """

    orders: Sequence[Order]


DeathPolicy = Callable[[Order, WorkerDeath], Instead[Order] | Answer]
"""Returns what to run in place of an order, or the answer that the worker would have given; an exception ends the run.
"""


def nothing_left(order: object, answer: object) -> None:
    """Say that every answer answers the whole order."""


@dataclass(frozen=True)
class Work(Generic[Order, Answer]):
    """The part of a computation that is the same for all orders of an executor.

    Attributes:
        worker: opens a worker.
        died: decides about an order whose worker has died.
        left: of an order and its latest answer, what is not answered yet, as an order. It is called on both sides,
            so it returns the same each time. A worker goes on with it by itself.
    """

    worker: OpenWorker[Order, Answer]
    died: DeathPolicy[Order, Answer]
    left: Callable[[Order, Answer], Order | None] = nothing_left
