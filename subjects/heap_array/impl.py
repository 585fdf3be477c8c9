"""A priority queue of natural numbers as a binary max-heap in an array."""

from __future__ import annotations

UNUSED = -1


class HeapArray:
    """A multiset of natural numbers; the first `size` cells of `array` hold them, the others hold UNUSED."""

    def __init__(self, capacity: int = 0) -> None:
        self.array: list[int] = [UNUSED] * capacity
        self.size: int = 0

    def insert(self, value: int) -> None:
        """Adds `value`; a full array doubles.

        Raises:
            ValueError: the value is negative.
        """
        if value < 0:
            raise ValueError(f"a heap of natural numbers cannot hold {value}")
        if self.size == len(self.array):
            self.array.extend([UNUSED] * (self.size + 1))
        self.array[self.size] = value
        self.heapify_up(self.size)
        self.size += 1

    def extract_max(self) -> int:
        """Removes the largest value and returns it.

        Raises:
            IndexError: the heap is empty.
        """
        if self.size == 0:
            raise IndexError("extract_max from an empty heap")
        maximum = self.array[0]
        self.size -= 1
        self.array[0] = self.array[self.size]
        self.array[self.size] = UNUSED
        self.heapify_down(0)
        return maximum

    def heapify_up(self, index: int) -> None:
        """Moves the value at `index` up until its parent is no smaller."""
        value = self.array[index]
        parent = (index - 1) // 2
        while index > 0 and self.array[parent] < value:
            self.array[index] = self.array[parent]
            index = parent
            parent = (index - 1) // 2
        self.array[index] = value

    def heapify_down(self, index: int) -> None:
        """Moves the value at `index` down until its children are no larger."""
        left = 2 * index + 1
        right = 2 * index + 2
        largest = index
        if left < self.size and self.array[left] > self.array[largest]:
            largest = left
        if right < self.size and self.array[right] > self.array[largest]:
            largest = right
        if largest != index:
            value = self.array[index]
            self.array[index] = self.array[largest]
            self.array[largest] = value
            self.heapify_down(largest)
