"""The limits that end a random generation: numbers of inputs or executed calls, or seconds of processor time."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from time import process_time

from harness.model.stop_reason import StopReason

DEFAULT_INPUTS = 1_000
"""The number of inputs of a suite whose name has no limits."""

MOST = 100_000_000
"""The largest value of a limit; also the number of inputs if the name limits only calls or time."""

Clock = Callable[[], float]
"""A function that returns the seconds of processor time that this process has used."""


@dataclass(frozen=True)
class RandomLimits:
    """The numbers of found inputs, executed calls and used seconds after which no further sequence begins.

    Limits of inputs and calls end a suite at the same input on every machine; seconds of processor time do not.
    """

    inputs: int = DEFAULT_INPUTS
    calls: int | None = None
    seconds: int | None = None


class Spending:
    """Compares the work done since its creation with limits."""

    def __init__(self, limits: RandomLimits, clock: Clock = process_time) -> None:
        self._limits = limits
        self._clock = clock
        self._begun = clock()

    def stop_reason(self, inputs: int, calls: int) -> StopReason | None:
        """Return the limit reached after these numbers of found inputs and executed calls, or None."""
        limits = self._limits
        if inputs >= limits.inputs:
            return StopReason.INPUTS
        if limits.calls is not None and calls >= limits.calls:
            return StopReason.CALLS
        if limits.seconds is not None and self._clock() - self._begun >= limits.seconds:
            return StopReason.PROCESSOR_TIME
        return None
