"""A bounded stack of integers, each at most once; what was popped stays in its cell (jtestcraft2010)."""

from __future__ import annotations

CAPACITY = 5


class UBStack:
    """The first `size` cells of `elements` are the stack, its bottom first.

    `size` goes below zero where there is more popped than pushed; nothing can be pushed from there on.
    """

    def __init__(self) -> None:
        self.elements: list[int] = [0] * CAPACITY
        self.size: int = 0

    def push(self, value: int) -> None:
        """Puts `value` on top, from where it is if the stack has it; a full stack takes no other value.

        Raises:
            IndexError: there was more popped than pushed.
        """
        index = 0
        is_member = False
        while index < self.size:
            if self.elements[index] == value:
                is_member = True
                break
            index += 1
        if is_member:
            while index < self.size - 1:
                self.elements[index] = self.elements[index + 1]
                index += 1
            self.elements[index] = value
        elif self.size < CAPACITY:
            self.elements[cell(self.size)] = value
            self.size += 1

    def pop(self) -> None:
        """Takes the top away, if there is one or not."""
        self.size -= 1


def cell(index: int) -> int:
    """The index, if it is one of a cell: a list would count others from its end.

    Raises:
        IndexError: it is below zero.
    """
    if index < 0:
        raise IndexError(f"an array has no cell {index}")
    return index
