"""What the original did, by input, for as long as there are not too many inputs."""

from __future__ import annotations

from collections.abc import Callable
from typing import Generic, TypeVar

MOST_KEPT = 4096
"""Inputs of which it is kept what the original did."""

Told = TypeVar("Told")


class Remembered(Generic[Told]):
    """Asks `observe` about an input once, and again where MOST_KEPT others came between."""

    def __init__(self, observe: Callable[[int], Told]) -> None:
        self._observe = observe
        self._kept: dict[int, Told] = {}

    def of(self, number: int) -> Told:
        """What it tells of input `number`; raises what it raises."""
        if number not in self._kept:
            if len(self._kept) >= MOST_KEPT:
                self._kept.clear()
            self._kept[number] = self._observe(number)
        return self._kept[number]
