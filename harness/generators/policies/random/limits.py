"""What ends the making of random sequences: how many inputs, calls carried out, or seconds of processor time."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from time import process_time

from harness.model.ended import Ended

DEFAULT_INPUTS = 1_000
"""Inputs of a suite, where the name says nothing."""

MOST = 100_000_000
"""The largest number that a limit can be; inputs of a suite whose name limits calls or time alone."""

_NUMBER = "([1-9][0-9]{0,8})"
_WRITTEN = re.compile(rf"(?!,){_NUMBER}?(?:(?:^|,)calls={_NUMBER})?(?:(?:^|,)seconds={_NUMBER})?")

Clock = Callable[[], float]
"""Seconds of processor time that this process has used."""


@dataclass(frozen=True)
class Limits:
    """No sequence is begun any more when so many inputs are found, calls carried out, or seconds used.

    The number of inputs and calls ends a suite at the same place everywhere; the seconds of processor time do not.
    """

    inputs: int = DEFAULT_INPUTS
    calls: int | None = None
    seconds: int | None = None

    @classmethod
    def read(cls, text: str) -> Limits | None:
        """Limits as they stand behind a colon in the name of a generator; None where it is no such text.

        `5000`, `calls=50000` and `10000,calls=50000,seconds=20` are some.
        """
        found = _WRITTEN.fullmatch(text)
        limits = [None if number is None else int(number) for number in (found.groups() if found else ())]
        if not any(limits) or max(limit or 0 for limit in limits) > MOST:
            return None
        inputs, calls, seconds = limits
        return cls(MOST if inputs is None else inputs, calls, seconds)

    def __str__(self) -> str:
        """What `read` reads."""
        named = {"calls": self.calls, "seconds": self.seconds}
        parts = [f"{name}={limit}" for name, limit in named.items() if limit is not None]
        return ",".join([str(self.inputs), *parts] if self.inputs != MOST or not parts else parts)


class Spending:
    """Watches limits from now on."""

    def __init__(self, limits: Limits, clock: Clock = process_time) -> None:
        self._limits = limits
        self._clock = clock
        self._begun = clock()

    def ended(self, inputs: int, calls: int) -> Ended | None:
        """The limit that is reached with so many inputs found and calls carried out, if one is."""
        limits = self._limits
        if inputs >= limits.inputs:
            return Ended.INPUTS
        if limits.calls is not None and calls >= limits.calls:
            return Ended.CALLS
        if limits.seconds is not None and self._clock() - self._begun >= limits.seconds:
            return Ended.PROCESSOR_TIME
        return None
