"""The samples of long runs that generators check by a second, slower implementation beside the fast one."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass


@dataclass(frozen=True)
class Sample:
    """The first items of a run, and some of the others; items have numbers from 0.

    Attributes:
        first: so many items at the beginning are in the sample.
        every: of the others, each one with which a multiple of this is complete; None: each one whose number is a
            power of two.
    """

    first: int
    every: int | None = None

    def has(self, number: int) -> bool:
        """Return True if an item is in the sample."""
        if number < self.first:
            return True
        if self.every is not None:
            return (number + 1) % self.every == 0
        return number > 0 and not number & (number - 1)

    def numbers(self, start: int, end: int) -> list[int]:
        """Return the numbers of items in the sample from `start` on, below `end`."""
        later = (number for number in self._later(end) if number >= max(start, self.first))
        return [*range(start, min(end, self.first)), *later]

    def _later(self, end: int) -> Iterable[int]:
        if self.every is not None:
            return range(self.every - 1, end, self.every)
        return (power for power in (1 << bits for bits in range(end.bit_length())) if power < end)


SEQUENCE_SAMPLE = Sample(first=32, every=1024)
"""The sample of all generators of call sequences."""
STATE_SAMPLE = Sample(first=64)
"""The sample of valid states on which rep_ok must not change anything."""
