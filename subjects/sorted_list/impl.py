"""A sorted list of integers as a doubly linked ring with a header."""

from __future__ import annotations


class Entry:
    """A link of the ring: an element between two neighbours; the header's element is None."""

    def __init__(self, element: int | None) -> None:
        self.element: int | None = element
        self.next: Entry = self
        self.previous: Entry = self


class SortedList:
    """A multiset of integers in ascending order; the ring starts and ends at `header`, which holds no element."""

    def __init__(self) -> None:
        self.header: Entry = Entry(None)
        self.size: int = 0

    def insert(self, element: int) -> None:
        """Adds `element` behind all that are not larger."""
        successor = self.header.next
        while successor is not self.header and successor.element <= element:
            successor = successor.next
        entry = Entry(element)
        entry.next = successor
        entry.previous = successor.previous
        entry.previous.next = entry
        successor.previous = entry
        self.size += 1

    def remove(self, element: int) -> bool:
        """Removes `element` once; returns whether it was there."""
        entry = self._find(element)
        if entry is None:
            return False
        entry.previous.next = entry.next
        entry.next.previous = entry.previous
        self.size -= 1
        return True

    def sort(self) -> None:
        """Puts the elements, which may be in any order, in ascending order."""
        self._close(self._sorted(self._open()))

    def merge(self, other: SortedList) -> None:
        """Moves all elements of `other`, another sorted list, into this one; `other` is left empty."""
        self._close(self._merged(self._open(), other._open()))
        self.size += other.size
        other._close(None)
        other.size = 0

    def contains(self, element: int) -> bool:
        """Whether `element` is in the list."""
        return self._find(element) is not None

    def _find(self, element: int) -> Entry | None:
        """The first entry that holds `element`; the search ends at the first larger one."""
        entry = self.header.next
        while entry is not self.header and entry.element < element:
            entry = entry.next
        if entry is self.header or entry.element != element:
            return None
        return entry

    # While they are rearranged, entries form a chain: linked by `next` alone, from the first to None.

    def _open(self) -> Entry | None:
        """Cuts the ring at the header; returns the first entry of the chain, None for an empty list."""
        if self.size == 0:
            return None
        self.header.previous.next = None
        return self.header.next

    def _close(self, chain: Entry | None) -> None:
        """Makes a chain the ring of this list."""
        last = self.header
        while chain is not None:
            last.next = chain
            chain.previous = last
            last = chain
            chain = chain.next
        last.next = self.header
        self.header.previous = last

    def _sorted(self, chain: Entry | None) -> Entry | None:
        """Sorts a chain by merging its sorted halves."""
        if chain is None or chain.next is None:
            return chain
        second = self._halve(chain)
        return self._merged(self._sorted(chain), self._sorted(second))

    def _halve(self, chain: Entry) -> Entry:
        """Cuts a chain of at least two entries in the middle; returns the second half."""
        middle = chain
        ahead = chain.next.next
        while ahead is not None and ahead.next is not None:
            middle = middle.next
            ahead = ahead.next.next
        second = middle.next
        middle.next = None
        return second

    def _merged(self, left: Entry | None, right: Entry | None) -> Entry | None:
        """Merges two sorted chains; of equal elements, those of `left` come first."""
        if left is None:
            return right
        if right is None:
            return left
        if right.element < left.element:
            first = right
            right = right.next
        else:
            first = left
            left = left.next
        last = first
        while left is not None and right is not None:
            if right.element < left.element:
                last.next = right
                right = right.next
            else:
                last.next = left
                left = left.next
            last = last.next
        last.next = right if left is None else left
        return first
