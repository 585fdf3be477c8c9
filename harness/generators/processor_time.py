"""What processor time the making of a suite is spent on."""

from __future__ import annotations

import resource
import time
from types import TracebackType

SEARCH, COMPILE, WRITE = "search", "compile", "write"
"""On finding states; on making machine code of predicates; on writing inputs, with a look at samples."""

WHOLE = "generate"
"""On all of it, where it is not told apart."""


class ProcessorTime:
    """Processor seconds spent while it is used as a context manager, each time in addition.

    Those of a child process count where it ends meanwhile and is waited for.
    """

    def __init__(self) -> None:
        self.seconds = 0.0

    def __enter__(self) -> None:
        self.seconds -= _spent()

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.seconds += _spent()


def _spent() -> float:
    """Processor seconds of this process so far, and of its children that have ended."""
    children = resource.getrusage(resource.RUSAGE_CHILDREN)
    return time.process_time() + children.ru_utime + children.ru_stime
