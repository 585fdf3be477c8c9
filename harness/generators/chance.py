"""Random numbers that are the same for a seed on every Python."""

from __future__ import annotations

import random


class Chance:
    """Whole numbers drawn by the bits of the Mersenne twister, so that they hang on nothing else of the library."""

    def __init__(self, seed: int) -> None:
        self._bits = random.Random(seed % (1 << 64)).getrandbits  # of a negative seed, it would take the amount

    def below(self, count: int) -> int:
        """One of 0 ... `count` - 1, all alike; `count` is at least 1."""
        width = (count - 1).bit_length()
        while (drawn := self._bits(width) if width else 0) >= count:
            pass
        return drawn
