"""Ends a script of this folder quietly if its output is no longer read."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Sequence


def ended(main: Callable[[Sequence[str]], int], arguments: Sequence[str]) -> int:
    """Return the exit status of `main(arguments)`; 0 if the reader of its output (a pager, `head`) stops reading."""
    try:
        status = main(arguments)
        sys.stdout.flush()
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())  # what is unwritten goes nowhere at exit
        return 0
    return status
