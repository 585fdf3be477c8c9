"""A priority queue of integers as a binary min-heap in an array of fixed capacity, whose first position is a dummy."""

from __future__ import annotations


class BinaryHeap:
    """A multiset of integers in `array[1]` to `array[size]`; what is behind them is left over."""

    def __init__(self, capacity: int) -> None:
        self.array: list[int] = [0] * (capacity + 1)
        self.size: int = 0

    def insert(self, value: int) -> None:
        """Adds `value`.

        Raises:
            OverflowError: the heap is full.
        """
        if self.size == len(self.array) - 1:
            raise OverflowError(f"insert into a heap that is full with {self.size} elements")
        self.size += 1
        hole = self.size
        while hole > 1 and value < self.array[hole // 2]:
            self.array[hole] = self.array[hole // 2]
            hole = hole // 2
        self.array[hole] = value

    def delete_min(self) -> int:
        """Removes the smallest element and returns it.

        Raises:
            IndexError: the heap is empty.
        """
        if self.size == 0:
            raise IndexError("delete_min from an empty heap")
        least = self.array[1]
        self.array[1] = self.array[self.size]
        self.size -= 1
        self._percolate_down(1)
        return least

    def is_empty(self) -> bool:
        """Whether there is no element."""
        return self.size == 0

    def _percolate_down(self, hole: int) -> None:
        """Moves the element at `hole` down until its children are no smaller."""
        moved = self.array[hole]
        while 2 * hole <= self.size:
            child = 2 * hole
            if child != self.size and self.array[child + 1] < self.array[child]:
                child += 1
            if self.array[child] >= moved:
                break
            self.array[hole] = self.array[child]
            hole = child
        self.array[hole] = moved
