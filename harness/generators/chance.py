"""Random numbers that are the same for a seed on every version of Python."""

from __future__ import annotations

import random


class Chance:
    """Draws whole numbers from the bits of the Mersenne twister, so that they depend on nothing else of the library."""

    def __init__(self, seed: int) -> None:
        self._bits = random.Random(seed % (1 << 64)).getrandbits  # Random would ignore the sign of a seed

    def below(self, count: int) -> int:
        """Return one of 0 ... `count` - 1 with equal probability; `count` is at least 1."""
        width = (count - 1).bit_length()
        while (drawn := self._bits(width) if width else 0) >= count:
            pass
        return drawn
