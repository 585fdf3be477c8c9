"""Where a child is, in memory shared with its parent: it outlives a child that dies."""

from __future__ import annotations

import struct
from mmap import mmap
from typing import NamedTuple

NOT_STARTED = (1 << 64) - 1
_POSITION = struct.Struct("=QQq")


class Position(NamedTuple):
    """The input being run (NOT_STARTED before the first), inputs executed before it, and how many more
    steps they took than the original."""

    current: int
    executed: int
    surplus: int


class Progress:
    """A child's position and, for the kill matrix, one bit per input from number `first` on."""

    def __init__(self, first: int, last: int) -> None:
        self._first = first
        self._memory = mmap(-1, _POSITION.size + (last - first + 7) // 8)
        self.set(NOT_STARTED, 0, 0)

    def set(self, current: int, executed: int, surplus: int) -> None:
        """Records where the child is."""
        _POSITION.pack_into(self._memory, 0, current, executed, surplus)

    def get(self) -> Position:
        """Where the child is, or was when it died."""
        return Position(*_POSITION.unpack_from(self._memory, 0))

    def mark(self, number: int) -> None:
        """Sets input `number`'s kill bit."""
        at = number - self._first
        self._memory[_POSITION.size + (at >> 3)] |= 1 << (at & 7)

    def bits(self) -> bytes:
        """All kill bits, the first input in the lowest bit of the first byte."""
        return self._memory[_POSITION.size :]

    def kills(self) -> int:
        """How many kill bits are set."""
        return int.from_bytes(self.bits()).bit_count()

    def first_kill(self) -> int:
        """The number of the first input whose bit is set."""
        return self._first + next(
            8 * at + (byte & -byte).bit_length() - 1 for at, byte in enumerate(self.bits()) if byte
        )
