"""Limits the time of code that must return: processor time decides, and the wall clock ends only what sleeps."""

from __future__ import annotations

import time
from collections.abc import Callable

IDLE_FACTOR = 10
"""A process that waits (sleeps, or starves on a busy machine) is given this much longer than one that has really used
its time."""


class TimeLimit:
    """A limit of `seconds` of processor time, and of IDLE_FACTOR times as many of wall clock, since the last restart.

    Args:
        used: returns the processor time so far. It may fall: what watches several processes loses those that end.
    """

    def __init__(self, seconds: float, used: Callable[[], float]) -> None:
        self._used = used
        self.restart(seconds)

    def restart(self, seconds: float) -> None:
        """Count from now on, up to `seconds`."""
        self._seconds = seconds
        self._since = time.monotonic()
        self._last, self._spent = self._used(), 0.0

    def exceeded(self) -> str | None:
        """Return the limit that is exceeded, as text for users; None as long as none is."""
        used = self._used()
        self._spent += max(0.0, used - self._last)
        self._last = used
        if self._spent >= self._seconds:
            return f"{self._seconds:g} s of processor time"
        if time.monotonic() - self._since >= IDLE_FACTOR * self._seconds:
            return f"{IDLE_FACTOR * self._seconds:g} s of wall clock, as it sleeps or waits"
        return None
