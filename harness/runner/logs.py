"""Logging of a run to its folder, from the orchestrator and its pool workers alike."""

from __future__ import annotations

import logging
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

LOGGER = logging.getLogger("mutascope")
# The handlers of this module. LOGGER may have others, which belong to the user or to pytest.
_HANDLERS: list[logging.Handler] = []


@contextmanager
def logging_to(folder: Path) -> Iterator[None]:
    """Within the block, LOGGER writes to `folder/run.log`; forked pool workers send their lines through a queue.

    The queue's pipe is not inherited by sandboxed processes: they are executed as new programs with their handles
    closed, so no killed mutant can leave it locked.
    """
    handler = logging.FileHandler(folder / "run.log", encoding="utf-8")
    handler.setFormatter(logging.Formatter("%(asctime)s %(levelname)s %(processName)s: %(message)s"))
    level, propagates = LOGGER.level, LOGGER.propagate
    LOGGER.addHandler(handler)
    _HANDLERS.append(handler)
    LOGGER.setLevel(logging.INFO)
    LOGGER.propagate = False
    try:
        yield
    finally:
        shared = [wrapper for wrapper in LOGGER.handlers if getattr(wrapper, "sub_handler", None) is handler]
        for added in [handler, *shared]:
            added.close()
            LOGGER.removeHandler(added)
        _HANDLERS.remove(handler)
        LOGGER.setLevel(level)
        LOGGER.propagate = propagates


def share_with_forks() -> None:
    """Let processes that are forked from now on send their lines through a queue to the handlers of this module.

    A thread reads the queue, and ending it takes up to 0.2 s: a run that forks nothing has none.
    """
    import multiprocessing

    import multiprocessing_logging

    if multiprocessing.get_start_method(allow_none=True) is None:
        multiprocessing.set_start_method("fork")
    for handler in set(LOGGER.handlers) & set(_HANDLERS):
        shared = multiprocessing_logging.MultiProcessingHandler("mutascope-log", sub_handler=handler)
        shared.handleError = _raise
        LOGGER.removeHandler(handler)
        LOGGER.addHandler(shared)


def report_line(line: str) -> None:
    """Write a line to the log, and to standard error for the user."""
    LOGGER.info("%s", line)
    print(f"mutascope: {line}", file=sys.stderr)


def _raise(record: logging.LogRecord) -> None:
    """Raise the error that kept a line from being logged (no thread or memory for the queue): it ends the run in one
    line.
    """
    raise
