"""A mergeable priority queue of integers as a binomial heap (Cormen et al., Introduction to Algorithms, ch. 19)."""

from __future__ import annotations


class Node:
    """A key in a binomial tree: `degree` children, the first at `child`, each linked to the next by `sibling`."""

    def __init__(self, key: int) -> None:
        self.key: int = key
        self.degree: int = 0
        self.parent: Node | None = None
        self.sibling: Node | None = None
        self.child: Node | None = None


class BinomialHeap:
    """A multiset of integers; the binomial trees' roots, by ascending degree, form a list that starts at `nodes`."""

    def __init__(self) -> None:
        self.nodes: Node | None = None
        self.size: int = 0

    def insert(self, key: int) -> None:
        """Adds `key`."""
        self._union_nodes(Node(key))
        self.size += 1

    def extract_min(self) -> int:
        """Removes the smallest key and returns it.

        Raises:
            IndexError: the heap is empty.
        """
        minimum = self.find_min()
        if minimum is None:
            raise IndexError("extract_min from an empty heap")
        self._remove_root(minimum)
        roots: Node | None = None
        child = minimum.child
        while child is not None:
            following = child.sibling
            child.parent = None
            child.sibling = roots
            roots = child
            child = following
        self._union_nodes(roots)
        self.size -= 1
        return minimum.key

    def union(self, other: BinomialHeap) -> None:
        """Moves all keys of `other`, another heap, into this one; `other` is left empty."""
        self._union_nodes(other.nodes)
        self.size += other.size
        other.nodes = None
        other.size = 0

    def delete(self, key: int) -> bool:
        """Removes `key` once; returns whether it was present."""
        node = self._find(self.nodes, key)
        if node is None:
            return False
        self.decrease(node, self.find_min().key - 1)
        self.extract_min()
        return True

    def contains(self, key: int) -> bool:
        """Whether `key` is in the heap."""
        return self._find(self.nodes, key) is not None

    def decrease(self, node: Node, key: int) -> None:
        """Lowers the key at `node` to `key` and lets it rise to its place."""
        node.key = key
        parent = node.parent
        while parent is not None and node.key < parent.key:
            node.key = parent.key
            parent.key = key
            node = parent
            parent = node.parent

    def find_min(self) -> Node | None:
        """The first root with the smallest key; None for an empty heap."""
        minimum = self.nodes
        current = self.nodes
        while current is not None:
            if current.key < minimum.key:
                minimum = current
            current = current.sibling
        return minimum

    def merge(self, nodes: Node | None) -> None:
        """Merges a root list into this heap's by ascending degree; two neighbours may then have the same degree."""
        mine = self.nodes
        last: Node | None = None
        while mine is not None and nodes is not None:
            if mine.degree <= nodes.degree:
                chosen = mine
                mine = mine.sibling
            else:
                chosen = nodes
                nodes = nodes.sibling
            self._append(last, chosen)
            last = chosen
        if mine is not None:
            self._append(last, mine)
        else:
            self._append(last, nodes)

    def _append(self, last: Node | None, node: Node | None) -> None:
        """Lets `node` follow the root `last`, or head the root list where there is none."""
        if last is None:
            self.nodes = node
        else:
            last.sibling = node

    def _union_nodes(self, nodes: Node | None) -> None:
        """Merges a root list into this heap's, then links trees of the same degree."""
        self.merge(nodes)
        if self.nodes is None:
            return
        previous: Node | None = None
        current = self.nodes
        following = current.sibling
        while following is not None:
            after = following.sibling
            if current.degree != following.degree or (after is not None and after.degree == current.degree):
                previous = current
                current = following
            elif current.key <= following.key:
                current.sibling = after
                self._link(following, current)
            else:
                self._append(previous, following)
                self._link(current, following)
                current = following
            following = current.sibling

    def _link(self, child: Node, parent: Node) -> None:
        """Makes the root `child` the first child of the root `parent` of the same degree."""
        child.parent = parent
        child.sibling = parent.child
        parent.child = child
        parent.degree += 1

    def _remove_root(self, root: Node) -> None:
        """Takes a tree out of the root list."""
        previous: Node | None = None
        current = self.nodes
        while current is not root:
            previous = current
            current = current.sibling
        self._append(previous, root.sibling)

    def _find(self, node: Node | None, key: int) -> Node | None:
        """The first node with `key` in the trees of `node` and its later siblings."""
        while node is not None:
            if node.key == key:
                return node
            found = self._find(node.child, key)
            if found is not None:
                return found
            node = node.sibling
        return None
