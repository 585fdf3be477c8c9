"""Disjoint sets of the elements 0..n-1 in one array: union of roots by rank, find with path compression."""

from __future__ import annotations


class DisjSetFast:
    """A partition of 0..n-1; `links[i]` is the parent of i, or -1 less its rank if i is a root."""

    def __init__(self, size: int) -> None:
        """Sets of one element each.

        Raises:
            ValueError: there is no element.
        """
        if size < 1:
            raise ValueError(f"disjoint sets of {size} elements; at least one is needed")
        self.links: list[int] = [-1] * size

    def find(self, element: int) -> int:
        """The root of the set that `element` is in.

        Raises:
            IndexError: there is no such element.
        """
        self._check(element)
        root = element
        while self.links[root] >= 0:
            root = self.links[root]
        while element != root:
            following = self.links[element]
            self.links[element] = root
            element = following
        return root

    def union(self, first: int, second: int) -> None:
        """Joins the sets of two roots.

        Raises:
            IndexError: there is no such element.
            ValueError: they are not two different roots.
        """
        self._check(first)
        self._check(second)
        if first == second or self.links[first] >= 0 or self.links[second] >= 0:
            raise ValueError(f"{first} and {second} are not two different roots")
        if self.links[second] < self.links[first]:
            self.links[first] = second
        else:
            if self.links[first] == self.links[second]:
                self.links[first] -= 1
            self.links[second] = first

    def _check(self, element: int) -> None:
        if not 0 <= element < len(self.links):
            raise IndexError(f"{element} is not among the elements 0..{len(self.links) - 1}")
