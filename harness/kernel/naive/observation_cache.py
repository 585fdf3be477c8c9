"""Caches the original's outcomes by input, for as long as there are not too many inputs."""

from __future__ import annotations

from collections.abc import Callable
from typing import Generic, TypeVar

MOST_KEPT = 4096
"""The greatest number of inputs whose outcomes are kept."""

Observed = TypeVar("Observed")


class Remembered(Generic[Observed]):
    """Calls `observe` once for each input, and again if the cache was cleared after MOST_KEPT others."""

    def __init__(self, observe: Callable[[int], Observed]) -> None:
        self._observe = observe
        self._observations: dict[int, Observed] = {}

    def of(self, number: int) -> Observed:
        """Return the observation of input `number`; raise its exceptions."""
        if number not in self._observations:
            if len(self._observations) >= MOST_KEPT:
                self._observations.clear()
            self._observations[number] = self._observe(number)
        return self._observations[number]
