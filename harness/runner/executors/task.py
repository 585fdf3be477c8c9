"""Tasks of a cluster and their reports. A task has some orders of one work, with the files that they need.

Files are sent in pieces, each by its content hash, so that a worker gets no piece twice.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

PIECE = 8 << 20
"""Bytes of a piece at the most."""

Pieces = tuple[str, ...]
"""The SHA-256 of the pieces of a content, in order."""


@dataclass(frozen=True)
class ExecutorTask:
    """Orders to answer, one after the other.

    Attributes:
        work: the pickled `Work` of the orders.
        orders: the pickled sequence of orders.
        files: the pieces of each file to read, by its path on the orchestrator's machine.
        excerpts: path, first byte and bytes of each part of a file.
        seconds: time after which no further order, or part of one, is begun.
    """

    work: Pieces
    orders: bytes
    files: Mapping[str, Pieces] = field(default_factory=dict)
    excerpts: Sequence[tuple[str, int, bytes]] = ()
    seconds: float = 0.0


@dataclass(frozen=True)
class Entry:
    """An answer.

    Attributes:
        number: the place of the order in the task; behind these come the orders that a death policy has named.
        answer: to the order, or to a part of it.
        order: of the death policy; None for an order of the task.
        outputs: the content of files that were made, by their path on the orchestrator's machine.
    """

    number: int
    answer: Any
    order: Any = None
    outputs: Mapping[str, bytes] = field(default_factory=dict)


@dataclass(frozen=True)
class TaskReport:
    """The result of a task.

    Attributes:
        entries: the answers, in the order in which they were found.
        unfinished: numbers of orders, of which something is left.
        error: ends the run.
        failure: why this worker cannot work, as on a full disk; empty if it can.
        lacks_pieces: whether this worker has not all of them; it may be another process than it was.
        seconds: that all of it took.
        log: level and text of each line for the log.
    """

    entries: Sequence[Entry] = ()
    unfinished: Sequence[int] = ()
    error: Exception | None = None
    failure: str = ""
    lacks_pieces: bool = False
    seconds: float = 0.0
    log: Sequence[tuple[int, str]] = ()


def pieces_of(data: bytes) -> Iterator[tuple[str, bytes]]:
    """Yield the pieces of a content with their hashes; of an empty one, an empty piece."""
    for start in range(0, max(1, len(data)), PIECE):
        piece = data[start : start + PIECE]
        yield hashlib.sha256(piece).hexdigest(), piece


def below(root: Path, path: str | Path) -> Path:
    """Return the place of an absolute path below a root."""
    return root / str(path).lstrip("/")
