"""A priority queue of positive integers as a binomial heap, with deletion by lowering a key (jtestcraft2010)."""

from __future__ import annotations


class Node:
    """A key in a binomial tree: `degree` children, the first at `child`, each linked to the next by `sibling`."""

    def __init__(self, key: int) -> None:
        self.key: int = key
        self.degree: int = 0
        self.parent: Node | None = None
        self.sibling: Node | None = None
        self.child: Node | None = None

    def count(self) -> int:
        """How many nodes there are in this tree and in those of its later siblings."""
        below = 0 if self.child is None else self.child.count()
        behind = 0 if self.sibling is None else self.sibling.count()
        return 1 + below + behind

    def smallest(self) -> Node:
        """The first with the smallest key among this node and its later siblings."""
        found = self
        node = self.sibling
        while node is not None:
            if node.key < found.key:
                found = node
            node = node.sibling
        return found

    def find(self, key: int) -> Node | None:
        """The first node with `key` in this tree and in those of its later siblings."""
        node: Node | None = self
        while node is not None:
            if node.key == key:
                return node
            if node.child is not None:
                found = node.child.find(key)
                if found is not None:
                    return found
            node = node.sibling
        return None

    def reversed(self) -> Node:
        """Links this node and its later siblings the other way round; returns the new first one."""
        first: Node | None = None
        node: Node | None = self
        while node is not None:
            following = node.sibling
            node.sibling = first
            first = node
            node = following
        return first


class BinomialHeap:
    """A multiset of positive integers; the roots, by ascending degree, form a list that starts at `nodes`."""

    def __init__(self) -> None:
        self.nodes: Node | None = None
        self.size: int = 0

    def insert(self, key: int) -> None:
        """Adds `key`; one that is not positive is ignored."""
        if key > 0:
            node = Node(key)
            if self.nodes is None:
                self.nodes = node
            else:
                self._union_nodes(node)
            self.size += 1

    def extract_min(self) -> int:
        """Removes the smallest key and returns it.

        Raises:
            IndexError: the heap is empty.
        """
        if self.nodes is None:
            raise IndexError("extract_min from an empty heap")
        minimum = self.nodes.smallest()
        previous: Node | None = None
        root = self.nodes
        while root.key != minimum.key:
            previous = root
            root = root.sibling
        if previous is None:
            self.nodes = root.sibling
        else:
            previous.sibling = root.sibling
        children = root.child
        child = children
        while child is not None:
            child.parent = None
            child = child.sibling
        if self.nodes is None and children is None:
            self.size = 0
        elif self.nodes is None and children is not None:
            self.nodes = children.reversed()
            self.size = self.nodes.count()
        elif self.nodes is not None and children is None:
            self.size = self.nodes.count()
        else:
            self._union_nodes(children.reversed())
            self.size = self.nodes.count()
        return minimum.key

    def delete(self, key: int) -> None:
        """Removes `key` once, if the heap has it: it becomes the smallest, which is removed."""
        if self.nodes is not None and self.nodes.find(key) is not None:
            self._decrease(self.nodes.find(key), self._find_min() - 1)
            self.extract_min()

    def _find_min(self) -> int:
        """The smallest key of a heap that is not empty."""
        return self.nodes.smallest().key

    def _decrease(self, node: Node, key: int) -> None:
        """Lowers the key at `node` to `key` and lets it rise to its place."""
        node.key = key
        parent = node.parent
        while parent is not None and node.key < parent.key:
            node.key, parent.key = parent.key, node.key
            node = parent
            parent = node.parent

    def _merge(self, nodes: Node) -> None:
        """Merges a root list into this heap's by ascending degree; neighbours may then have the same degree."""
        previous: Node | None = None
        mine: Node | None = self.nodes
        theirs: Node | None = nodes
        while mine is not None and theirs is not None:
            following = theirs.sibling
            if mine.degree == theirs.degree:
                theirs.sibling = mine.sibling
                mine.sibling = theirs
                previous = theirs
                mine = theirs.sibling
                theirs = following
            elif mine.degree < theirs.degree:
                if mine.sibling is None or mine.sibling.degree > theirs.degree:
                    theirs.sibling = mine.sibling
                    mine.sibling = theirs
                    previous = theirs
                    mine = theirs.sibling
                    theirs = following
                else:
                    previous = mine
                    mine = mine.sibling
            else:
                theirs.sibling = mine
                if previous is None:
                    self.nodes = theirs
                else:
                    previous.sibling = theirs
                mine = theirs
                theirs = following
        if mine is None:
            last = self.nodes
            while last.sibling is not None:
                last = last.sibling
            last.sibling = theirs

    def _union_nodes(self, nodes: Node) -> None:
        """Merges a root list into this heap's, then links trees of the same degree."""
        self._merge(nodes)
        previous: Node | None = None
        current = self.nodes
        following = current.sibling
        while following is not None:
            if current.degree != following.degree or (
                following.sibling is not None and following.sibling.degree == current.degree
            ):
                previous = current
                current = following
            elif current.key <= following.key:
                current.sibling = following.sibling
                following.parent = current
                following.sibling = current.child
                current.child = following
                current.degree += 1
            else:
                if previous is None:
                    self.nodes = following
                else:
                    previous.sibling = following
                current.parent = following
                current.sibling = following.child
                following.child = current
                following.degree += 1
                current = following
            following = current.sibling
