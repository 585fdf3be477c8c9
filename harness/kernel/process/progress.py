"""Records a child's position in memory shared with its parent: it outlives a child that dies."""

from __future__ import annotations

import struct
from collections.abc import Sequence
from mmap import mmap
from typing import NamedTuple, Protocol

NOT_STARTED = (1 << 64) - 1
_POSITION = struct.Struct("=QQq")
_TURN = struct.Struct("=Q")
_MOST_SURPLUS = 1 << 62


class Position(NamedTuple):
    """The progress of a run.

    Attributes:
        current: the input that is running; NOT_STARTED before the first one.
        executed: the inputs that were executed before it.
        surplus: the steps that these took, less those of the original.
    """

    current: int
    executed: int
    surplus: int


class PositionSource(Protocol):
    """A source of a child's position, for its parent."""

    def position(self) -> Position | None:
        """Return the child's position, or its last one if it died; None if it is impossible."""

    def is_behind(self, seen: int, current: int) -> bool:
        """Return whether the child has come from `seen` to `current`, two positions' `current`."""


class Progress:
    """A child's position and, for the kill matrix, one bit per input from number `first` on.

    The child can write anything here, so `position` and `bits` return only possible values.

    Args:
        memory: the memory to use, of `bytes_for(first, last)` bytes; None: memory of its own.
    """

    def __init__(self, first: int, last: int, backwards: bool = False, memory: memoryview | None = None) -> None:
        self._first = first
        self._last = last
        self._backwards = backwards
        self._memory = mmap(-1, bytes_for(first, last)) if memory is None else memory
        self.set(NOT_STARTED, 0, 0)

    @classmethod
    def of_several(cls, programs: int, first: int, last: int) -> list[Progress]:
        """Return the progress of each program that one child runs, in one piece of memory: several pieces cost more."""
        size = bytes_for(first, last)
        memory = memoryview(mmap(-1, max(1, programs * size)))
        return [cls(first, last, memory=memory[at : at + size]) for at in range(0, programs * size, size)]

    def set(self, current: int, executed: int, surplus: int) -> None:
        """Record the child's position."""
        _POSITION.pack_into(self._memory, 0, current, executed, surplus)

    def position(self) -> Position | None:
        """Return the child's position, or its last one if it died; None if it is impossible."""
        stored = Position(*_POSITION.unpack_from(self._memory, 0))
        begun = self._first <= stored.current < self._last or stored.current == NOT_STARTED
        can_be = begun and stored.executed <= self._last - self._first and abs(stored.surplus) < _MOST_SURPLUS
        return stored if can_be else None

    def is_behind(self, seen: int, current: int) -> bool:
        """Return whether input `current` comes after input `seen`, as the child runs them."""
        if seen == NOT_STARTED or current == NOT_STARTED:
            return seen == NOT_STARTED != current
        return current < seen if self._backwards else current > seen

    def mark(self, number: int) -> None:
        """Set input `number`'s kill bit."""
        at = number - self._first
        self._memory[_POSITION.size + (at >> 3)] |= 1 << (at & 7)

    def bits(self, inputs: int) -> bytes:
        """Return the kill bits of the first `inputs` inputs, the first one in the lowest bit of the first byte."""
        bits = bytearray(self._memory[_POSITION.size : _POSITION.size + (inputs + 7) // 8])
        if inputs % 8:
            bits[-1] &= (1 << inputs % 8) - 1
        return bytes(bits)

    def kills(self) -> int:
        """Return the number of kill bits that are set."""
        return int.from_bytes(self.bits(self._last - self._first)).bit_count()

    def first_kill(self) -> int:
        """Return the number of the first input whose bit is set."""
        return self._first + next(
            8 * at + (byte & -byte).bit_length() - 1
            for at, byte in enumerate(self.bits(self._last - self._first))
            if byte
        )


def bytes_for(first: int, last: int) -> int:
    """Return the size of the memory for a position, with the bits of inputs `first` to `last - 1`."""
    return _POSITION.size + (last - first + 7) // 8


class Turns:
    """The position of a child that runs several programs one after the other: the program, and the input in it.

    A position's `current` counts all inputs of the programs before, each with its loading.
    """

    def __init__(self, parts: Sequence[Progress], first: int, last: int) -> None:
        self._parts = parts
        self._first = first
        self._each = last - first + 1
        self._memory = mmap(-1, _TURN.size)

    def begin(self, turn: int) -> None:
        """Note that the program of this number runs from now on."""
        _TURN.pack_into(self._memory, 0, turn)

    def position(self) -> Position | None:
        """Return the child's position; None if it is impossible."""
        turn: int = _TURN.unpack_from(self._memory, 0)[0]
        within = self._parts[turn].position() if turn < len(self._parts) else None
        if within is None:
            return None
        begun = within.current != NOT_STARTED
        return within._replace(current=turn * self._each + (within.current - self._first + 1 if begun else 0))

    def is_behind(self, seen: int, current: int) -> bool:
        """Return whether the child has advanced."""
        return seen == NOT_STARTED or current > seen

    def input(self, current: int) -> int:
        """Return the input that a position's `current` stands for; NOT_STARTED while a program is loaded."""
        within = 0 if current == NOT_STARTED else current % self._each
        return self._first + within - 1 if within else NOT_STARTED
