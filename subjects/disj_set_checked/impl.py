"""Disjoint sets of the elements 0..n-1 as a forest in an array: the plainest union, of two roots that are checked."""

from __future__ import annotations


class DisjSetChecked:
    """A partition of 0..n-1; `parent[i]` is the parent of i, or -1 if i is a root."""

    def __init__(self, size: int) -> None:
        """Sets of one element each.

        Raises:
            ValueError: there is no element.
        """
        if size < 1:
            raise ValueError(f"disjoint sets of {size} elements; at least one is needed")
        self.parent: list[int] = [-1] * size

    def find(self, element: int) -> int:
        """The root of the set that `element` is in.

        Raises:
            IndexError: there is no such element.
        """
        self._check(element)
        while self.parent[element] >= 0:
            element = self.parent[element]
        return element

    def union(self, first: int, second: int) -> None:
        """Joins the sets of two roots; the first one is the root of both.

        Raises:
            IndexError: there is no such element.
            ValueError: they are not two different roots.
        """
        self._check(first)
        self._check(second)
        if first == second or self.parent[first] >= 0 or self.parent[second] >= 0:
            raise ValueError(f"{first} and {second} are not two different roots")
        self.parent[second] = first

    def _check(self, element: int) -> None:
        if not 0 <= element < len(self.parent):
            raise IndexError(f"{element} is not among the elements 0..{len(self.parent) - 1}")
