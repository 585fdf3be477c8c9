"""A periodic signal during the search, which reports progress and ends a rep_ok that never returns."""

from __future__ import annotations

import traceback
from collections.abc import Callable
from types import FrameType
from typing import Self

from harness.kernel.process.limits import OwnUsage, TimeLimit
from harness.kernel.process.talk import Alarm
from harness.kernel.program.loader import CallEnd

INTERVAL = 0.2
"""Seconds between two beats."""


def endless(failure: str, within: object) -> str:
    """Return the message that code did not return `within` a limit."""
    return f"{failure} within {within}; make it end (a loop along a cycle of objects?)"


def executed(exception: BaseException, filename: str | None) -> str:
    """Return the outermost executed function of a file and the line that was reached, as `invariant, in line 12,`.

    The text is empty if no function was executed, or only the `finitization`, which messages show with its scope.
    """
    calls = [call for call in traceback.extract_tb(exception.__traceback__) if call.filename == filename]
    if not calls or calls[0].name == "finitization":
        return ""
    return f"{calls[0].name}, in line {calls[-1].lineno},"


def endless_call(exception: BaseException, spec: str | None, where: str, sequence: str, remedy: str = "") -> str:
    """Return the message that the last call of a sequence, or `rep_ok` or a precondition there, did not return.

    Args:
        exception: the one that ended it; its text has the limit.
        spec: the spec's file.
        where: the program's file.
        remedy: further advice about a call, such as an option of the generator.
    """
    if executing := executed(exception, spec):
        return endless(f"{spec}: {executing} did not return at {sequence}", exception)
    return (
        f"{where}: {sequence} did not return within {exception}; correct the implementation, or say by "
        f"`requires` when the routine may be called{remedy and f', or {remedy}'}"
    )


class EndlessCandidate(CallEnd):
    """There was no headway within the limit in the text."""


class Watchdog(Alarm):
    """Within `with Watchdog(...)`, calls `beat()` every INTERVAL seconds and compares its results.

    `beat` returns the progress of the work. EndlessCandidate is raised if that stays the same for `limit` seconds of
    processor time while a function of a file of `suspects` is running. The limit is longer if the process sleeps
    (`TimeLimit`). The exception is raised again after the same time if the code catches it. It works in the main
    thread only, and cannot interrupt code in C.

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
        elif (limit := self._limit.exceeded()) is not None and self._suspected(frame):
            self._limit.restart(self._seconds)
            raise EndlessCandidate(limit)

    def _suspected(self, frame: FrameType | None) -> bool:
        while frame is not None and frame.f_code.co_filename not in self._suspects:
            frame = frame.f_back
        return frame is not None
