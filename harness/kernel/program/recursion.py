"""How deep a program may call itself."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager

# Deep enough that an endless recursion of small steps spends its budget first on small inputs, and
# shallow enough for the C stack of every supported interpreter.
RECURSION_LIMIT = 3000


def limit_recursion(more: int = 0) -> None:
    """Allows RECURSION_LIMIT frames, and some `more`, below the caller's, however deep the caller is."""
    depth = 0
    frame = sys._getframe()
    while frame is not None:
        depth += 1
        frame = frame.f_back  # type: ignore[assignment]
    sys.setrecursionlimit(depth + RECURSION_LIMIT + more)


@contextmanager
def recursion_limited() -> Iterator[None]:
    """Allows as many frames within the block, and puts the limit back behind it."""
    before = sys.getrecursionlimit()
    limit_recursion()
    try:
        yield
    finally:
        sys.setrecursionlimit(before)
