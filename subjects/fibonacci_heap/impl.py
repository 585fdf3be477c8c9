"""A mergeable priority queue of integers as a Fibonacci heap (Cormen et al., Introduction to Algorithms, ch. 20)."""

from __future__ import annotations

from collections.abc import Iterator


class Node:
    """A key with `degree` children, one of them at `child`; `left` and `right` close siblings to a ring.

    `mark` says that the node has lost a child since it became the child of another.
    """

    def __init__(self, key: int) -> None:
        self.key: int = key
        self.degree: int = 0
        self.mark: bool = False
        self.parent: Node | None = None
        self.child: Node | None = None
        self.left: Node = self
        self.right: Node = self


class FibonacciHeap:
    """A multiset of integers; `nodes` is one of the trees' roots, `min_node` one with the smallest key."""

    def __init__(self) -> None:
        self.nodes: Node | None = None
        self.min_node: Node | None = None
        self.size: int = 0

    def insert(self, key: int) -> None:
        """Adds `key`."""
        self._add_root(Node(key))
        self.size += 1

    def extract_min(self) -> int:
        """Removes the smallest key and returns it.

        Raises:
            IndexError: the heap is empty.
        """
        minimum = self.min_node
        if minimum is None:
            raise IndexError("extract_min from an empty heap")
        for child in list(self._ring(minimum.child)):
            self._add_root(child)
        self.nodes = self._without(minimum)
        if self.nodes is None:
            self.min_node = None
        else:
            self.consolidate()
        self.size -= 1
        return minimum.key

    def union(self, other: FibonacciHeap) -> None:
        """Moves all keys of `other`, another heap, into this one; `other` is left empty."""
        if self.nodes is None:
            self.nodes = other.nodes
            self.min_node = other.min_node
        elif other.nodes is not None:
            last = self.nodes.left
            last.right = other.nodes
            self.nodes.left = other.nodes.left
            other.nodes.left.right = self.nodes
            other.nodes.left = last
            if other.min_node.key < self.min_node.key:
                self.min_node = other.min_node
        self.size += other.size
        other.nodes = None
        other.min_node = None
        other.size = 0

    def delete(self, key: int) -> bool:
        """Removes `key` once; returns whether it was present."""
        node = self._find(self.nodes, key)
        if node is None:
            return False
        self.decrease(node, self.min_node.key - 1)
        self.extract_min()
        return True

    def contains(self, key: int) -> bool:
        """Whether `key` is in the heap."""
        return self._find(self.nodes, key) is not None

    def decrease(self, node: Node, key: int) -> None:
        """Lowers the key at `node` to `key`; a node then smaller than its parent becomes a root."""
        node.key = key
        parent = node.parent
        if parent is not None and key < parent.key:
            self.cut(node, parent)
            self.cascading_cut(parent)
        if key < self.min_node.key:
            self.min_node = node

    def cut(self, node: Node, parent: Node) -> None:
        """Makes `node`, a child of `parent`, a root."""
        if parent.child is node:
            parent.child = self._without(node)
        else:
            self._without(node)
        parent.degree -= 1
        self._add_root(node)

    def cascading_cut(self, node: Node) -> None:
        """Marks `node`, which has lost a child; cuts it if that has happened before, and goes on above."""
        parent = node.parent
        if parent is None:
            return
        if node.mark:
            self.cut(node, parent)
            self.cascading_cut(parent)
        else:
            node.mark = True

    def consolidate(self) -> None:
        """Links roots of the same degree until all degrees differ."""
        by_degree: list[Node | None] = [None] * self.size
        for node in list(self._ring(self.nodes)):
            other = by_degree[node.degree]
            while other is not None:
                by_degree[node.degree] = None
                if other.key < node.key:
                    node, other = other, node
                self._link(other, node)
                other = by_degree[node.degree]
            by_degree[node.degree] = node
        self.nodes = None
        for root in by_degree:
            if root is not None:
                self._add_root(root)

    def _link(self, child: Node, parent: Node) -> None:
        """Makes the root `child` a child of the root `parent`; the root list is not kept up."""
        child.parent = parent
        parent.child = self._with(parent.child, child)
        parent.degree += 1

    def _add_root(self, node: Node) -> None:
        """Puts a tree into the root list, whatever ring it was in."""
        node.parent = None
        node.mark = False
        empty = self.nodes is None
        self.nodes = self._with(self.nodes, node)
        if empty or node.key < self.min_node.key:
            self.min_node = node

    def _with(self, ring: Node | None, node: Node) -> Node:
        """Puts `node` to the left of `ring`, so at the end of its ring; returns where the ring now starts."""
        if ring is None:
            node.left = node
            node.right = node
            return node
        node.left = ring.left
        node.right = ring
        ring.left.right = node
        ring.left = node
        return ring

    def _without(self, node: Node) -> Node | None:
        """Takes `node` out of its ring; returns its right neighbour, None where it was alone."""
        if node.right is node:
            return None
        node.left.right = node.right
        node.right.left = node.left
        return node.right

    def _ring(self, first: Node | None) -> Iterator[Node]:
        """The nodes of a ring, from `first` to the right."""
        node = first
        while node is not None:
            yield node
            node = None if node.right is first else node.right

    def _find(self, first: Node | None, key: int) -> Node | None:
        """The first node with `key` in the trees of a ring."""
        for node in self._ring(first):
            if node.key == key:
                return node
            found = self._find(node.child, key)
            if found is not None:
                return found
        return None
