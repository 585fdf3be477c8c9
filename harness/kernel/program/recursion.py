"""Limits how deep a program may call itself."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager

# The limit is deep enough that an endless recursion of small steps spends its budget first on small inputs, and shallow
# enough for the C stack of every supported interpreter.
RECURSION_LIMIT = 3000


def limit_recursion(more: int = 0) -> None:
    """Allow RECURSION_LIMIT frames, and some `more`, below the caller's, however deep the caller is."""
    depth = 0
    frame = sys._getframe()
    while frame is not None:
        depth += 1
        frame = frame.f_back  # type: ignore[assignment]
    sys.setrecursionlimit(depth + RECURSION_LIMIT + more)


@contextmanager
def recursion_limited() -> Iterator[None]:
    """Allow as many frames within the block, and restore the limit after it."""
    before = sys.getrecursionlimit()
    limit_recursion()
    try:
        yield
    finally:
        sys.setrecursionlimit(before)
