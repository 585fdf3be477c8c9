"""A list in a ring of nodes around a header; nodes that are taken out are kept to be used again."""

from __future__ import annotations

MAXIMUM_CACHE_SIZE = 20


class Node:
    """A value between two others; the header and cached nodes have none, and these no `previous`, either."""

    def __init__(self, value: object = None) -> None:
        self.value: object = value
        self.previous: Node | None = self
        self.next: Node | None = self


class NodeCachingList:
    """A sequence of `size` values; `first_cached` leads a row of `cache_size` unused nodes."""

    def __init__(self) -> None:
        self.header: Node = Node()
        self.size: int = 0
        self.first_cached: Node | None = None
        self.cache_size: int = 0

    def add(self, value: object) -> bool:
        """Adds `value` at the end; returns True.

        Raises:
            ValueError: the value is None.
        """
        if value is None:
            raise ValueError("a list with a cache cannot hold None, by which it tells unused nodes")
        node = self._unused()
        node.value = value
        node.previous = self.header.previous
        node.next = self.header
        self.header.previous.next = node
        self.header.previous = node
        self.size += 1
        return True

    def remove(self, value: object) -> bool:
        """Removes the first occurrence of `value`; returns whether there was one."""
        node = self.header.next
        while node is not self.header:
            if node.value == value:
                node.previous.next = node.next
                node.next.previous = node.previous
                self.size -= 1
                self._keep(node)
                return True
            node = node.next
        return False

    def contains(self, value: object) -> bool:
        """Whether `value` is in the list."""
        node = self.header.next
        while node is not self.header and node.value != value:
            node = node.next
        return node is not self.header

    def _unused(self) -> Node:
        """A node out of the cache, or a new one."""
        node = self.first_cached
        if node is None:
            return Node()
        self.first_cached = node.next
        self.cache_size -= 1
        return node

    def _keep(self, node: Node) -> None:
        """Puts a node that was taken out into the cache, where it is not full."""
        if self.cache_size == MAXIMUM_CACHE_SIZE:
            return
        node.value = None
        node.previous = None
        node.next = self.first_cached
        self.first_cached = node
        self.cache_size += 1
