"""A periodic signal beside the search: reports progress, and ends a rep_ok that never returns."""

from __future__ import annotations

import traceback
from collections.abc import Callable
from types import FrameType
from typing import Self

from harness.kernel.process.alarm import Alarm
from harness.kernel.process.time_limits import OwnUsage, TimeLimit

INTERVAL = 0.2
"""Seconds between two beats."""


def endless(what: str, within: object) -> str:
    """Return the text for users about what did not return `within` a limit."""
    return f"{what} within {within}; make it end (a loop along a cycle of objects?)"


def executed(ended: BaseException, filename: str | None) -> str:
    """The function of that file that was being executed, called by none of the file, and the line that was reached.

    As `invariant, in line 12,`; empty where none was, or only the `finitization`, which is told with its scope.
    """
    calls = [call for call in traceback.extract_tb(ended.__traceback__) if call.filename == filename]
    if not calls or calls[0].name == "finitization":
        return ""
    return f"{calls[0].name}, in line {calls[-1].lineno},"


def endless_call(ended: BaseException, spec: str | None, where: str, sequence: str, remedy: str = "") -> str:
    """Return the same about the last call of a sequence, or about what is asked there: `rep_ok`, or a precondition.

    Args:
        ended: what has ended it; its text says within what.
        spec: the spec's file.
        where: the program's file.
        remedy: what else to do about a call, such as an option of the generator.
    """
    if asked := executed(ended, spec):
        return endless(f"{spec}: {asked} did not return at {sequence}", ended)
    return (
        f"{where}: {sequence} did not return within {ended}; correct the implementation, or say by "
        f"`requires` when the routine may be called{remedy and f', or {remedy}'}"
    )


class EndlessCandidate(BaseException):
    """No headway for too long; its text says within what. `except Exception` of a predicate cannot swallow it."""


class Watchdog(Alarm):
    """Within `with Watchdog(...)`, calls `beat()` every INTERVAL seconds and watches what it returns.

    `beat` returns how far the work has come. If that stays the same for `limit` seconds of processor
    time, or longer if the process sleeps (`TimeLimit`), while a function of a file of `suspects` is running,
    EndlessCandidate is raised there, and again after as long, should the code catch it. Main thread
    only; code in C that does not return is out of reach.

    Raises:
        EndlessCandidate: see above.
    """

    def __init__(self, beat: Callable[[], object], limit: float, *suspects: str | None) -> None:
        super().__init__(min(INTERVAL, limit))
        self._beat = beat
        self._suspects = suspects
        self._seconds = limit
        self._last: object = None
        self._limit = TimeLimit(limit, OwnUsage())

    def __enter__(self) -> Self:
        self._limit.restart(self._seconds)
        return super().__enter__()

    def ring(self, number: int, frame: FrameType | None) -> None:
        reached = self._beat()
        if reached != self._last:
            self._last = reached
            self._limit.restart(self._seconds)
        elif (met := self._limit.exceeded()) is not None and self._suspected(frame):
            self._limit.restart(self._seconds)
            raise EndlessCandidate(met)

    def _suspected(self, frame: FrameType | None) -> bool:
        while frame is not None and frame.f_code.co_filename not in self._suspects:
            frame = frame.f_back
        return frame is not None
