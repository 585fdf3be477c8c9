"""A directed graph of adjacency lists, and which vertices can be reached from which."""

from __future__ import annotations


class Node:
    """An arc to the vertex `target`, and what follows it in its list."""

    def __init__(self, target: Vertex) -> None:
        self.target: Vertex = target
        self.next: Node | None = None


class AdjacencyList:
    """The arcs that leave a vertex."""

    def __init__(self) -> None:
        self.first: Node | None = None


class Vertex:
    """A vertex of a graph: its place there, and its arcs."""

    def __init__(self, info: int) -> None:
        self.info: int = info
        self.arcs: AdjacencyList = AdjacencyList()


class DirectedGraph:
    """The vertex with info 0, 1, ... is at that place in `vertices`."""

    def __init__(self, count: int) -> None:
        self.vertices: list[Vertex] = [Vertex(info) for info in range(count)]

    def transitive_closure(self) -> list[list[bool]]:
        """Whether there is a way of one arc or more, from the vertex of each row to the vertex of each column."""
        count = len(self.vertices)
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
        matrix = []
        for vertex in self.vertices:
            row = [False] * len(self.vertices)
            node = vertex.arcs.first
            while node is not None:
                row[node.target.info] = True
                node = node.next
            matrix.append(row)
        return matrix
