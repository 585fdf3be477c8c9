"""A list of arbitrary objects as a doubly linked ring with a header, after the design of `java.util.LinkedList`."""

from __future__ import annotations

from typing import Any


class ConcurrentModificationError(Exception):
    """The list has been changed behind an iterator's back."""


class Entry:
    """A link of the ring: an element between two neighbours."""

    def __init__(self, element: Any) -> None:
        self.element: Any = element
        self.next: Entry = self
        self.previous: Entry = self


class LinkedList:
    """A list; the ring starts and ends at `header`, which holds no element.

    `mod_count` counts the changes of the list's length, so that iterators notice those of others.
    """

    def __init__(self) -> None:
        self.header: Entry = Entry(None)
        self.size: int = 0
        self.mod_count: int = 0

    def add(self, element: Any) -> bool:
        """Appends `element`, which may be None; returns True, as the list changes."""
        self._add_before(element, self.header)
        return True

    def remove(self, element: Any) -> bool:
        """Removes the first occurrence of `element`; returns whether there was one."""
        entry = self._find(element)
        if entry is None:
            return False
        entry.previous.next = entry.next
        entry.next.previous = entry.previous
        self.size -= 1
        self.mod_count += 1
        return True

    def reverse(self) -> None:
        """Reverses the order of the elements, exchanging them from both ends inwards."""
        forward = self.list_iterator(0)
        backward = self.list_iterator(self.size)
        for _ in range(self.size // 2):
            element = forward.next()
            forward.set(backward.previous())
            backward.set(element)

    def contains(self, element: Any) -> bool:
        """Whether `element` is in the list."""
        return self._find(element) is not None

    def list_iterator(self, index: int) -> ListIterator:
        """An iterator in both directions that stands before the element at `index`, at the end for the list's length.

        Raises:
            IndexError: `index` is not from 0 to the list's length.
        """
        return ListIterator(self, index)

    def _add_before(self, element: Any, successor: Entry) -> None:
        entry = Entry(element)
        entry.next = successor
        entry.previous = successor.previous
        entry.previous.next = entry
        entry.next.previous = entry
        self.size += 1
        self.mod_count += 1

    def _find(self, element: Any) -> Entry | None:
        """The first entry that holds `element`."""
        entry = self.header.next
        while entry is not self.header:
            if entry.element == element:
                return entry
            entry = entry.next
        return None


class ListIterator:
    """A position between two elements of a list; ends with an error when others change the list's length."""

    def __init__(self, items: LinkedList, index: int) -> None:
        if index < 0 or index > items.size:
            raise IndexError(f"no position {index} in a list of {items.size}")
        self.items = items
        self.expected_mod_count: int = items.mod_count
        self.last_returned: Entry | None = None
        self.next_index: int = index
        self.following: Entry = items.header.next
        for _ in range(index):
            self.following = self.following.next

    def next(self) -> Any:
        """Steps over the next element and returns it.

        Raises:
            IndexError: there is none.
            ConcurrentModificationError: the list was changed.
        """
        self._check_for_comodification()
        if self.next_index == self.items.size:
            raise IndexError("no next element")
        self.last_returned = self.following
        self.following = self.following.next
        self.next_index += 1
        return self.last_returned.element

    def previous(self) -> Any:
        """Steps back over the previous element and returns it.

        Raises:
            IndexError: there is none.
            ConcurrentModificationError: the list was changed.
        """
        self._check_for_comodification()
        if self.next_index == 0:
            raise IndexError("no previous element")
        self.following = self.following.previous
        self.last_returned = self.following
        self.next_index -= 1
        return self.last_returned.element

    def set(self, element: Any) -> None:
        """Replaces the element that was last stepped over.

        Raises:
            ValueError: no step was made.
            ConcurrentModificationError: the list was changed.
        """
        if self.last_returned is None:
            raise ValueError("set before the first step")
        self._check_for_comodification()
        self.last_returned.element = element

    def _check_for_comodification(self) -> None:
        if self.items.mod_count != self.expected_mod_count:
            raise ConcurrentModificationError("the list was changed during the iteration")
