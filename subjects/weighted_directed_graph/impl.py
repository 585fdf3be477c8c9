"""A directed graph with weights, as adjacency lists, and the shortest ways between its vertices."""

from __future__ import annotations


class Node:
    """An arc of a weight to the vertex `target`, and what follows it in its list."""

    def __init__(self, target: Vertex, weight: int) -> None:
        self.target: Vertex = target
        self.weight: int = weight
        self.next: Node | None = None


class AdjacencyList:
    """The arcs that leave a vertex, by the infos of their targets."""

    def __init__(self) -> None:
        self.first: Node | None = None


class Vertex:
    """A vertex of a graph: its place there, and its arcs."""

    def __init__(self, info: int) -> None:
        self.info: int = info
        self.arcs: AdjacencyList = AdjacencyList()


class WeightedDirectedGraph:
    """The vertex with info 0, 1, ... is at that place in `vertices`."""

    def __init__(self, count: int) -> None:
        self.vertices: list[Vertex] = [Vertex(info) for info in range(count)]

    def distances(self) -> list[list[int | None]]:
        """The least weight of a way from the vertex of each row to the vertex of each column, by Floyd's algorithm.

        None where there is no way; from a vertex to itself, at most 0, by a way without arcs.

        Raises:
            ValueError: a cycle has a negative weight.
        """
        count = len(self.vertices)
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
        for place in range(count):
            if least[place][place] < 0:
                raise ValueError("a cycle has a negative weight")
        return least

    def _matrix(self) -> list[list[int | None]]:
        """The weights of the arcs; 0 from a vertex to itself, unless a loop weighs less."""
        matrix = []
        for vertex in self.vertices:
            row = [None] * len(self.vertices)
            row[vertex.info] = 0
            node = vertex.arcs.first
            while node is not None:
                if node.target is not vertex or node.weight < 0:
                    row[node.target.info] = node.weight
                node = node.next
            matrix.append(row)
        return matrix
