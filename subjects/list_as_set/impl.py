"""Is a sorted list without repetitions the set of a list's elements? Both are singly linked, behind a header."""

from __future__ import annotations


class Node:
    """An element and what follows it; a header has none."""

    def __init__(self, elem: int | None) -> None:
        self.elem: int | None = elem
        self.next: Node | None = None


class LinkedList:
    """Integers in the order of their nodes; `size` is their number."""

    def __init__(self) -> None:
        self.header: Node = Node(None)
        self.size: int = 0

    def insert(self, elem: int) -> bool:
        """Puts `elem` where it belongs in a sorted list without repetitions; returns whether it was absent."""
        previous = self.header
        current = previous.next
        while current is not None and current.elem < elem:
            previous = current
            current = current.next
        if current is not None and current.elem == elem:
            return False
        node = Node(elem)
        node.next = current
        previous.next = node
        self.size += 1
        return True

    def equals(self, other: LinkedList) -> bool:
        """Whether both hold the same integers in the same order."""
        if self.size != other.size:
            return False
        mine = self.header.next
        others = other.header.next
        while mine is not None and others is not None:
            if mine.elem != others.elem:
                return False
            mine = mine.next
            others = others.next
        return mine is None and others is None


class ListAsSet:
    """A list, and another one that may be the set of its elements."""

    def __init__(self) -> None:
        self.items: LinkedList = LinkedList()
        self.members: LinkedList = LinkedList()

    def list_as_set(self) -> bool:
        """Whether `members` is what `items` becomes when it is sorted and repetitions are removed."""
        made = LinkedList()
        current = self.items.header.next
        while current is not None:
            made.insert(current.elem)
            current = current.next
        return made.equals(self.members)
