"""Measures the time of the kinds of work in the generation of a suite."""

from __future__ import annotations

import resource
import time
from collections.abc import Iterable, Iterator
from types import TracebackType
from typing import TypeVar

SEARCH, COMPILE, WRITE = "search", "compile", "write"
"""The kinds of work: finding states; compiling predicates to machine code; writing inputs, with checks of samples."""

WHOLE = "generate"
"""The kind of work of generators that do not distinguish kinds."""


Item = TypeVar("Item")


class ProcessorTime:
    """Adds up the processor seconds that are spent while it is used as a context manager.

    The seconds of a child process count if it ends meanwhile and is waited for.
    """

    def __init__(self) -> None:
        self.seconds = 0.0

    def __enter__(self) -> None:
        self.seconds -= processor_seconds()

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.seconds += processor_seconds()


def processor_seconds() -> float:
    """Return the processor seconds of this process so far, and of its children that have ended."""
    children = resource.getrusage(resource.RUSAGE_CHILDREN)
    return time.process_time() + children.ru_utime + children.ru_stime


class ExploringTime:
    """Adds up the seconds that are spent on finding items, without the work on them."""

    def __init__(self) -> None:
        self.seconds = 0.0

    def of(self, items: Iterable[Item]) -> Iterator[Item]:
        """Yield the items, and add up the time spent on finding them."""
        begun = time.perf_counter()
        for item in items:
            self.seconds += time.perf_counter() - begun
            yield item
            begun = time.perf_counter()
        self.seconds += time.perf_counter() - begun
