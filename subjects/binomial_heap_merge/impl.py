"""Two binomial heaps of integers become one (Cormen et al., Introduction to Algorithms, ch. 19)."""

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

    def union(self, other: BinomialHeap) -> None:
        """Moves all keys of `other`, another heap, into this one; `other` is left empty."""
        self._union_nodes(other.nodes)
        self.size += other.size
        other.nodes = None
        other.size = 0

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


class BinomialHeapMerge:
    """Two heaps that share no node."""

    def __init__(self) -> None:
        self.first: BinomialHeap = BinomialHeap()
        self.second: BinomialHeap = BinomialHeap()

    def merge(self) -> None:
        """Moves all keys of the second heap into the first one."""
        self.first.union(self.second)
