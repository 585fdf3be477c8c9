"""A directed graph of adjacency lists, and which vertices can be reached from which."""

from __future__ import annotations


class Node:
    """An arc to the vertex `target`, and what follows it in its list."""

    def __init__(self, target: int) -> None:
        self.target: int = target
        self.next: Node | None = None


class AdjacencyList:
    """The arcs that leave a vertex."""

    def __init__(self) -> None:
        self.first: Node | None = None


class DirectedGraph:
    """The vertices are 0, 1, ...; `lists` has the adjacency list of each."""

    def __init__(self, vertices: int) -> None:
        self.lists: list[AdjacencyList] = [AdjacencyList() for _ in range(vertices)]

    def transitive_closure(self) -> list[list[bool]]:
        """Whether there is a way of one arc or more, from the vertex of each row to the vertex of each column."""
        count = len(self.lists)
        reaches = self._matrix()
        for via in range(count):
            for source in range(count):
                if reaches[source][via]:
                    for target in range(count):
                        if reaches[via][target]:
                            reaches[source][target] = True
        return reaches

    def _matrix(self) -> list[list[bool]]:
        """Whether there is an arc from the vertex of each row to the vertex of each column."""
        count = len(self.lists)
        matrix = []
        for source in range(count):
            row = [False] * count
            node = self.lists[source].first
            while node is not None:
                row[node.target] = True
                node = node.next
            matrix.append(row)
        return matrix
