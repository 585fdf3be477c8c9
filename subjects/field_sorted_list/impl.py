"""A sorted list of integers, linked in one direction behind a header."""

from __future__ import annotations


class Entry:
    """A link of the list: an element and the entry behind it; the header's element is None."""

    def __init__(self, element: int | None, next: Entry | None) -> None:
        self.element: int | None = element
        self.next: Entry | None = next


class SortedSinglyLinkedList:
    """A multiset of integers in ascending order; `header` holds no element and is followed by `size` entries."""

    def __init__(self) -> None:
        self.header: Entry = Entry(None, None)
        self.size: int = 0

    def get(self, index: int) -> int:
        """The element at `index`, from 0.

        Raises:
            IndexError: the list has no such element.
        """
        if index < 0 or index >= self.size:
            raise IndexError("get behind the end of the list")
        entry = self.header.next
        while index > 0:
            entry = entry.next
            index -= 1
        return entry.element

    def add(self, element: int) -> None:
        """Adds `element` in front of the first that is larger."""
        previous = self._last_below(element + 1)
        previous.next = Entry(element, previous.next)
        self.size += 1

    def remove(self, element: int) -> bool:
        """Removes `element` once; returns whether it was there."""
        previous = self._last_below(element)
        entry = previous.next
        if entry is None or entry.element != element:
            return False
        previous.next = entry.next
        self.size -= 1
        return True

    def _last_below(self, bound: int) -> Entry:
        """The last entry with an element below `bound`; the header where there is none."""
        previous = self.header
        while previous.next is not None and previous.next.element < bound:
            previous = previous.next
        return previous
