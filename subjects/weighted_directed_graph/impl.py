"""A directed graph with weights, as adjacency lists, and the shortest ways between its vertices."""

from __future__ import annotations


class Node:
    """An arc of a weight to the vertex `target`, and what follows it in its list."""

    def __init__(self, target: int, weight: int) -> None:
        self.target: int = target
        self.weight: int = weight
        self.next: Node | None = None


class AdjacencyList:
    """The arcs that leave a vertex, by target."""

    def __init__(self) -> None:
        self.first: Node | None = None


class WeightedDirectedGraph:
    """The vertices are 0, 1, ...; `lists` has the adjacency list of each."""

    def __init__(self, vertices: int) -> None:
        self.lists: list[AdjacencyList] = [AdjacencyList() for _ in range(vertices)]

    def distances(self) -> list[list[int | None]]:
        """The least weight of a way from the vertex of each row to the vertex of each column, by Floyd's algorithm.

        None where there is no way; from a vertex to itself, at most 0, by a way without arcs.

        Raises:
            ValueError: a cycle has a negative weight.
        """
        count = len(self.lists)
        least = self._matrix()
        for via in range(count):
            for source in range(count):
                before = least[source][via]
                if before is None:
                    continue
                for target in range(count):
                    behind = least[via][target]
                    if behind is None:
                        continue
                    known = least[source][target]
                    if known is None or before + behind < known:
                        least[source][target] = before + behind
        for vertex in range(count):
            if least[vertex][vertex] < 0:
                raise ValueError("a cycle has a negative weight")
        return least

    def _matrix(self) -> list[list[int | None]]:
        """The weights of the arcs; 0 from a vertex to itself, unless a loop weighs less."""
        count = len(self.lists)
        matrix = []
        for source in range(count):
            row = [None] * count
            row[source] = 0
            node = self.lists[source].first
            while node is not None:
                if node.target != source or node.weight < 0:
                    row[node.target] = node.weight
                node = node.next
            matrix.append(row)
        return matrix
