"""A priority queue of integers as a binary max-heap in an array, with its cells cleared (jtestcraft2010)."""

from __future__ import annotations

CAPACITY = 5


class HeapArray:
    """A multiset of integers; the first `size` cells of `array` hold them, the others hold None."""

    def __init__(self) -> None:
        self.array: list[int | None] = [None] * CAPACITY
        self.size: int = 0

    def insert(self, value: int) -> bool:
        """Adds `value`; a full array is copied to one of twice its length. Returns True, as the heap changes."""
        if self.size == len(self.array):
            larger: list[int | None] = [None] * (2 * self.size)
            index = 0
            while index < self.size:
                larger[index] = self.array[index]
                index += 1
            self.array = larger
        self.array[self.size] = value
        self.heapify_up(self.size)
        self.size += 1
        return True

    def extract_max(self) -> int | None:
        """Removes the largest value and returns it.

        Raises:
            IndexError: the heap is empty.
        """
        if self.size == 0:
            raise IndexError("extract_max from an empty heap")
        maximum = self.array[0]
        self.size -= 1
        last = self.array[self.size]
        self.array[self.size] = None
        if self.size > 0:
            self.array[0] = last
            self.heapify_down(0)
        return maximum

    def heapify_up(self, index: int) -> None:
        """Moves the value at `index` up until its parent is no smaller."""
        value = self.array[index]
        while index > 0 and self.array[(index - 1) // 2] < value:
            self.array[index] = self.array[(index - 1) // 2]
            index = (index - 1) // 2
        self.array[index] = value

    def heapify_down(self, index: int) -> None:
        """Moves the value at `index` down until its children are no larger."""
        array = self.array
        left = 2 * index + 1
        right = left + 1
        if right < self.size:
            if array[right] > array[left]:
                if array[right] > array[index]:
                    array[index], array[right] = array[right], array[index]
                    self.heapify_down(right)
            elif array[left] > array[index]:
                array[index], array[left] = array[left], array[index]
                self.heapify_down(left)
        elif left < self.size and array[left] > array[index]:
            array[index], array[left] = array[left], array[index]
