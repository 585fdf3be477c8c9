"""A list of integers as a doubly linked ring with a header, after the design of `java.util.LinkedList`."""

from __future__ import annotations


class Entry:
    """A link of the ring: an element between two neighbours."""

    def __init__(self, element: int | None) -> None:
        self.element: int | None = element
        self.next: Entry = self
        self.previous: Entry = self


class LinkedList:
    """A list; the ring starts and ends at `header`, which holds no element."""

    def __init__(self) -> None:
        self.header: Entry = Entry(None)
        self.size: int = 0

    def add(self, element: int) -> bool:
        """Appends `element`; returns True, as the list changes."""
        self._add_before(element, self.header)
        return True

    def remove(self, element: int) -> bool:
        """Removes the first occurrence of `element`; returns whether there was one."""
        entry = self.header.next
        while entry is not self.header:
            if entry.element == element:
                self._remove_entry(entry)
                return True
            entry = entry.next
        return False

    def remove_last(self) -> int | None:
        """Removes the last element and returns it.

        Raises:
            IndexError: the list is empty.
        """
        last = self.header.previous
        self._remove_entry(last)
        return last.element

    def _add_before(self, element: int, successor: Entry) -> None:
        entry = Entry(element)
        entry.next = successor
        entry.previous = successor.previous
        entry.previous.next = entry
        entry.next.previous = entry
        self.size += 1

    def _remove_entry(self, entry: Entry) -> None:
        if entry is self.header:
            raise IndexError("no element to remove")
        entry.previous.next = entry.next
        entry.next.previous = entry.previous
        self.size -= 1
