"""Rings at intervals while a block runs, by a signal."""

from __future__ import annotations

import signal
from abc import ABC, abstractmethod
from types import FrameType, TracebackType
from typing import Self


class Alarm(ABC):
    """Within `with Alarm(...)`, `ring` is called every `interval` seconds. Main thread only.

    Exceptions of `ring` are raised where the program is. None may be raised while the block ends: the alarm would stay
    on. Code in C that does not return is not interrupted.
    """

    def __init__(self, interval: float) -> None:
        self._interval = interval

    def __enter__(self) -> Self:
        self._former = signal.signal(signal.SIGALRM, self.ring)
        signal.setitimer(signal.ITIMER_REAL, self._interval, self._interval)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, self._former)

    @abstractmethod
    def ring(self, number: int, frame: FrameType | None) -> None:
        """Handle the signal; `frame` is the one that the program is executing."""
