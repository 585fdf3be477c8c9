"""Runs one call of a program with as many frames as it may use on the fast path."""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from typing import Any

from harness.kernel.program.recursion import RECURSION_LIMIT


def call(function: Callable[..., Any], passed: Sequence[Any]) -> tuple[str | None, Any]:
    """Run a call. Return the type of the exception that it raises, if it does, and the value that it returns."""
    limit_recursion()
    try:
        return None, function(*passed)
    except BaseException as error:
        return type(error).__qualname__, None


def limit_recursion(more: int = 0) -> None:
    """Allow as many frames as the fast path does, which counts its limit from three frames above the caller.

    Args:
        more: how many more frames than on the fast path there are between the caller and the program.
    """
    frame, depth = sys._getframe(), 1
    while frame.f_back is not None:
        frame, depth = frame.f_back, depth + 1
    sys.setrecursionlimit(depth - 1 + RECURSION_LIMIT - 2 + more)
