"""Caches the original's outcomes by input, for as long as there are not too many inputs."""

from __future__ import annotations

from collections.abc import Callable
from typing import Generic, TypeVar

MOST_KEPT = 4096
"""The greatest number of inputs whose outcomes are kept."""

Told = TypeVar("Told")


class Remembered(Generic[Told]):
    """Calls `observe` once for each input, and again if the cache was cleared after MOST_KEPT others."""

    def __init__(self, observe: Callable[[int], Told]) -> None:
        self._observe = observe
        self._kept: dict[int, Told] = {}

    def of(self, number: int) -> Told:
        """Return the observation of input `number`; raise its exceptions."""
        if number not in self._kept:
            if len(self._kept) >= MOST_KEPT:
                self._kept.clear()
            self._kept[number] = self._observe(number)
        return self._kept[number]
