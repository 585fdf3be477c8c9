"""A stack of integers in an array that grows and shrinks; what was popped stays in its cell (jtestcraft2010)."""

from __future__ import annotations

CAPACITY = 5


class IntStack:
    """The first `size` cells of `store` are the stack, its bottom first; the array never has fewer than CAPACITY."""

    def __init__(self) -> None:
        self.store: list[int] = [0] * CAPACITY
        self.size: int = 0

    def push(self, value: int) -> None:
        """Puts `value` on top; a full array doubles."""
        if self.size == len(self.store):
            self.store.extend([0] * self.size)
        self.store[self.size] = value
        self.size += 1

    def pop(self) -> int:
        """Takes the top away and returns it; an array that is not half full loses its second half.

        Raises:
            IndexError: the stack is empty.
        """
        if self.size == 0:
            raise IndexError("pop from an empty stack")
        self.size -= 1
        value = self.store[self.size]
        if self.size * 2 < len(self.store):
            del self.store[max(CAPACITY, len(self.store) // 2) :]
        return value
