"""The sample of inputs that a second, slower implementation checks beside the fast one."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Sample:
    """The first items of a generation, and some of the others.

    Attributes:
        first: so many items at the beginning are in the sample.
        every: of the others, each one whose number is a multiple of this.
    """

    first: int = 32
    every: int = 1024

    def has(self, number: int) -> bool:
        """Return True if an item is in the sample, by its number from 1."""
        return number <= self.first or number % self.every == 0


SAMPLE = Sample()
"""The sample of all generators of call sequences."""
