"""A singly linked list behind a sentinel, a node of its own that holds no element."""

from __future__ import annotations


class Node:
    """An element before others."""

    def __init__(self, element: object = None) -> None:
        self.element: object = element
        self.next: Node | None = None


class SentinelList:
    """A sequence of elements, which follow the sentinel."""

    def __init__(self) -> None:
        self.sentinel: Node = Node()

    def add(self, element: object) -> None:
        """Adds `element` at the end."""
        last = self.sentinel
        while last.next is not None:
            last = last.next
        last.next = Node(element)

    def remove(self, element: object) -> bool:
        """Removes the first occurrence of `element`; returns whether there was one."""
        before = self.sentinel
        while before.next is not None:
            if before.next.element == element:
                before.next = before.next.next
                return True
            before = before.next
        return False

    def contains(self, element: object) -> bool:
        """Whether `element` is in the list."""
        node = self.sentinel.next
        while node is not None and node.element != element:
            node = node.next
        return node is not None
