"""A list of doubly linked nodes, without a header."""

from __future__ import annotations


class Node:
    """An element between two others; None stands for the ends."""

    def __init__(self, element: object) -> None:
        self.element: object = element
        self.previous: Node | None = None
        self.next: Node | None = None


class DoublyLinkedList:
    """A sequence of `size` elements from `first` to `last`."""

    def __init__(self) -> None:
        self.first: Node | None = None
        self.last: Node | None = None
        self.size: int = 0

    def add(self, element: object) -> None:
        """Adds `element` at the end."""
        node = Node(element)
        node.previous = self.last
        if self.last is None:
            self.first = node
        else:
            self.last.next = node
        self.last = node
        self.size += 1

    def remove(self, element: object) -> bool:
        """Removes the first occurrence of `element`; returns whether there was one."""
        node = self.first
        while node is not None and node.element != element:
            node = node.next
        if node is None:
            return False
        if node.previous is None:
            self.first = node.next
        else:
            node.previous.next = node.next
        if node.next is None:
            self.last = node.previous
        else:
            node.next.previous = node.previous
        self.size -= 1
        return True

    def contains(self, element: object) -> bool:
        """Whether `element` is in the list."""
        node = self.first
        while node is not None and node.element != element:
            node = node.next
        return node is not None
