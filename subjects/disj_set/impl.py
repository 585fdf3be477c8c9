"""Disjoint sets of the elements 0..n-1 as a forest in arrays: union by rank, find with path compression."""

from __future__ import annotations


class DisjSet:
    """A partition of 0..n-1; `parent[i]` leads to the root of i's set, which is its own parent.

    `rank[i]` estimates the height of the tree below i; path compression may make it too large.
    """

    def __init__(self, size: int = 0) -> None:
        self.parent: list[int] = list(range(size))
        self.rank: list[int] = [0] * size

    def find(self, element: int) -> int:
        """The representative of the set that `element`, a natural number, is in.

        Raises:
            IndexError: there is no such element.
        """
        root = element
        while self.parent[root] != root:
            root = self.parent[root]
        self.compress_path(element, root)
        return root

    def union(self, first: int, second: int) -> bool:
        """Joins the sets of two elements; returns whether they were different.

        Raises:
            IndexError: there is no such element.
        """
        upper = self.find(first)
        lower = self.find(second)
        if upper == lower:
            return False
        if self.rank[upper] < self.rank[lower]:
            upper, lower = lower, upper
        self.parent[lower] = upper
        if self.rank[upper] == self.rank[lower]:
            self.rank[upper] += 1
        return True

    def compress_path(self, element: int, root: int) -> None:
        """Makes `root` the parent of all elements on the way to it from `element`."""
        while element != root:
            following = self.parent[element]
            self.parent[element] = root
            element = following
