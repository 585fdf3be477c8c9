"""A priority queue of integers as a Fibonacci heap that is known by its least node alone (Fredman and Tarjan, 1987)."""

from __future__ import annotations


class Node:
    """A key with `degree` children, one of them at `child`; `left` and `right` close siblings to a ring."""

    def __init__(self, key: int) -> None:
        self.key: int = key
        self.degree: int = 0
        self.parent: Node | None = None
        self.child: Node | None = None
        self.left: Node = self
        self.right: Node = self


class FibHeap:
    """A multiset of `size` integers; `least` is a root with the smallest key."""

    def __init__(self) -> None:
        self.least: Node | None = None
        self.size: int = 0

    def insert(self, key: int) -> None:
        """Adds `key`."""
        self._add_root(Node(key))
        self.size += 1

    def remove_min(self) -> int:
        """Removes the smallest key and returns it.

        Raises:
            IndexError: the heap is empty.
        """
        least = self.least
        if least is None:
            raise IndexError("remove_min from an empty heap")
        child = least.child
        for _ in range(least.degree):
            following = child.right
            self._insert_after(least, child)
            child.parent = None
            child = following
        self.least = None
        if least.right is not least:
            self._consolidate(least)
        self.size -= 1
        return least.key

    def is_empty(self) -> bool:
        """Whether there is no key."""
        return self.least is None

    def _consolidate(self, removed: Node) -> None:
        """Links the roots in the ring of `removed`, itself excepted, until all degrees differ."""
        by_degree = [None] * self.size
        node = removed.right
        while node is not removed:
            following = node.right
            while by_degree[node.degree] is not None:
                other = by_degree[node.degree]
                by_degree[node.degree] = None
                if node.key > other.key:
                    node, other = other, node
                self._link(other, node)
            by_degree[node.degree] = node
            node = following
        for root in by_degree:
            if root is not None:
                self._add_root(root)

    def _link(self, child: Node, parent: Node) -> None:
        """Makes the root `child` a child of the root `parent`."""
        child.parent = parent
        if parent.child is None:
            child.left = child
            child.right = child
            parent.child = child
        else:
            self._insert_after(parent.child, child)
        parent.degree += 1

    def _add_root(self, node: Node) -> None:
        """Puts a tree to the right of the least root."""
        if self.least is None:
            node.left = node
            node.right = node
            self.least = node
            return
        self._insert_after(self.least, node)
        if node.key < self.least.key:
            self.least = node

    def _insert_after(self, at: Node, node: Node) -> None:
        """Puts `node` to the right of `at`, whatever ring it was in."""
        node.left = at
        node.right = at.right
        at.right.left = node
        at.right = node
