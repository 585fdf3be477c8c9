"""Ends observers that would wait for ever, such as for a lock that is held or an item of an empty queue."""

from __future__ import annotations

import resource
import time
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType

from harness.kernel.program.loader import CallEnd

MOST_LOOKS = 5
"""Looks in a row that find a call standing still before it is taken for one that waits for ever."""
_STILL_SECONDS = 0.01
"""Processor seconds between two looks that a look itself takes, without other work."""


class Waits(CallEnd):
    """The call waits."""


class Standstill:
    """Ends calls that wait, in the code that runs within `watched`.

    Python handles a signal between two instructions, or within a function in C that waits. A call counts as waiting if
    signals find it at the same instruction repeatedly, after it gave up the processor and used almost no time. A call
    that computes loses the processor only to other processes, however busy the machine is.
    """

    def __init__(self) -> None:
        self._is_watched = False
        self._at: tuple[int, int] | None = None
        self._spent = 0.0
        self._given_up = 0
        self._looks = 0

    @contextmanager
    def watched(self) -> Iterator[None]:
        """Make `look` raise Waits within the block if the program waits."""
        self._is_watched, self._looks = True, 0
        try:
            yield
        finally:
            self._is_watched = False

    def look(self, frame: FrameType | None) -> None:
        """Check where the program is. A signal handler calls this repeatedly.

        Raises:
            Waits: the program has made no progress.
        """
        if not self._is_watched or frame is None:
            return
        at, spent = (id(frame), frame.f_lasti), time.thread_time()
        given_up = resource.getrusage(resource.RUSAGE_THREAD).ru_nvcsw
        is_still = at == self._at and given_up > self._given_up and spent - self._spent < _STILL_SECONDS
        self._at, self._spent, self._given_up = at, spent, given_up
        self._looks = self._looks + 1 if is_still else 0
        if self._looks >= MOST_LOOKS:
            self._looks = 0
            raise Waits
