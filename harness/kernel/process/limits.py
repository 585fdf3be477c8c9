"""Limits of what runs: seconds of a mutant for each of its inputs, and processor time of code that must return."""

from __future__ import annotations

import resource
import signal
import time
from collections.abc import Callable
from typing import NamedTuple

from harness.model.outcome import KillReason

WALL_FACTOR = 10
"""The multiple of the original's time on an input that a mutant gets for it."""
WALL_CONSTANT = 1.0
"""The seconds that a mutant gets in addition, for each input."""
MOST_DEATHS = 10_000
"""The number of deaths of one mutant after which it is not run on: at some milliseconds each, less than a minute."""
DEAR_DEATH = 100
"""The weight of a death that was waited for, or that came from outside and is trusted at the second time."""


def allowed_seconds(original_seconds: float, inputs: int = 1) -> float:
    """Return the seconds that a mutant gets for an input, or several, on which the original takes so many."""
    return WALL_FACTOR * original_seconds + WALL_CONSTANT * inputs


def weight(reason: KillReason, detail: str) -> int:
    """Return the weight with which a death counts towards MOST_DEATHS."""
    return 1 if reason is KillReason.CRASH and detail != signal.SIGKILL.name else DEAR_DEATH


PATIENCE_FACTOR = 12
"""The multiple of one candidate's limit for which a process may send no beat: code in C does not see the signal."""

IDLE_FACTOR = 10
"""The multiple of its limit that a process gets if it sleeps or waits instead of using its time."""


class Usage(NamedTuple):
    """Seconds so far: of processor time, and of being ready to run while the processor did something else."""

    worked: float
    starved: float


class TimeLimit:
    """A limit of `seconds` of processor time, or of several times as many asleep, since the last restart.

    Args:
        usage: returns the usage so far. It may fall: with several processes, those that end no longer count.
        idle_factor: the multiple of the seconds that it may sleep; IDLE_FACTOR if None.
    """

    def __init__(self, seconds: float, usage: Callable[[], Usage], idle_factor: float | None = None) -> None:
        self._usage = usage
        self._idle_factor = idle_factor
        self.restart(seconds)

    def restart(self, seconds: float) -> None:
        """Count from now on, up to `seconds`."""
        self._seconds = seconds
        self._looked, self._used = time.monotonic(), self._usage()
        self._worked = self._slept = 0.0

    def exceeded(self) -> str | None:
        """Return the limit that is exceeded, as text for users; None as long as none is."""
        now, used = time.monotonic(), self._usage()
        worked, starved = (max(0.0, after - before) for after, before in zip(used, self._used, strict=True))
        self._worked += worked
        self._slept += max(0.0, now - self._looked - worked - starved)
        self._looked, self._used = now, used
        if self._worked >= self._seconds:
            return f"{self._seconds:g} s of processor time"
        asleep = self._seconds * (IDLE_FACTOR if self._idle_factor is None else self._idle_factor)
        if self._slept >= asleep:
            return f"{asleep:g} s of wall clock, as it sleeps or waits"
        return None


class OwnUsage:
    """The usage of this process, which looks at itself from a signal handler.

    A process that has not given up the processor by itself since the last look was ready all the time.
    """

    def __init__(self) -> None:
        self._starved = 0.0
        self._looked, self._worked, self._given_up = self._now()

    def __call__(self) -> Usage:
        now, worked, given_up = self._now()
        if given_up == self._given_up:
            self._starved += max(0.0, now - self._looked - (worked - self._worked))
        self._looked, self._worked, self._given_up = now, worked, given_up
        return Usage(worked, self._starved)

    @staticmethod
    def _now() -> tuple[float, float, int]:
        return time.monotonic(), time.process_time(), resource.getrusage(resource.RUSAGE_SELF).ru_nvcsw


def seconds_starved(process: int) -> float:
    """Return how long a process was ready to run but did not get the processor; 0 if the system does not report it."""
    try:
        with open(f"/proc/{process}/schedstat", encoding="ascii") as file:
            return int(file.read().split()[1]) / 1e9
    except (OSError, ValueError, IndexError):
        return 0.0
