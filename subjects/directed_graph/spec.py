"""DirectedGraph of criteria_pruning2011: graphs of adjacency lists, by how many arcs they have."""

from typing import NamedTuple

from harness.spec import Finitization

title = "DirectedGraph"


class Class(NamedTuple):
    """The three characteristics of the paper."""

    is_empty: bool
    is_dense: bool
    is_complete: bool


def rep_ok(graph) -> bool:
    """Vertex by vertex, its arcs are a list; last of all, each vertex has the info of its place.

    What the paper counts as explored says so: the infos, by which no vertex is in two places, are read when all else
    is known to be right; of each node the target, then the link. Its valid graphs have lists in any order, a vertex
    several times in them, and nodes and lists that are shared.
    """
    for vertex in graph.vertices:
        if vertex is None or not _is_list(vertex.arcs):
            return False
    return all(graph.vertices[place].info == place for place in range(len(graph.vertices)))


def _is_list(arcs) -> bool:
    """No node is met twice, and each has a target."""
    visited: set = set()
    node = arcs.first
    while node is not None:
        if node in visited:
            return False
        visited.add(node)
        if node.target is None:
            return False
        node = node.next
    return True


def eq_class(graph) -> Class:
    """A graph is dense if it has half of n^2 arcs, rounded down; complete if each vertex has n. Targets do not matter.

    Each characteristic reads as little as it needs, which is what Korat+ prunes by: lists up to the first arc, up to as
    many arcs as are dense, and up to the first vertex that has not n of them.
    """
    return Class(_is_empty(graph), _is_dense(graph), _is_complete(graph))


def _is_empty(graph) -> bool:
    return all(vertex.arcs.first is None for vertex in graph.vertices)


def _is_dense(graph) -> bool:
    least = len(graph.vertices) * len(graph.vertices) // 2
    count = 0
    for vertex in graph.vertices:
        node = vertex.arcs.first
        while node is not None:
            count += 1
            if count >= least:
                return True
            node = node.next
    return False


def _is_complete(graph) -> bool:
    return all(_degree(vertex) == len(graph.vertices) for vertex in graph.vertices)


def _degree(vertex) -> int:
    count, node = 0, vertex.arcs.first
    while node is not None:
        count += 1
        node = node.next
    return count


def abstraction(graph) -> tuple:
    """By vertex, to which others there are arcs, as often as in its list."""
    return tuple(tuple(sorted(_targets(vertex))) for vertex in graph.vertices)


def _targets(vertex) -> list:
    found, node = [], vertex.arcs.first
    while node is not None:
        found.append(node.target.info)
        node = node.next
    return found


def post_transitive_closure(before, after, result) -> bool:
    """What is said to be reached is what a search from each vertex finds; nothing changes."""
    return after == before and result == [
        [target in _reached(before, source) for target in range(len(before))] for source in range(len(before))
    ]


def _reached(arcs, source) -> set:
    """The vertices behind the arcs that one comes by from `source`."""
    found: set = set()
    waiting = [source]
    while waiting:
        for target in arcs[waiting.pop()]:
            if target not in found:
                found.add(target)
                waiting.append(target)
    return found


def finitization(scope: int) -> Finitization:
    """`scope` vertices and lists, scope^2 nodes; places and targets are None or any vertex, each vertex has any list.

    So vertices may have one list, and lists may share nodes. Only the infos keep a vertex from being in two places.
    """
    f = Finitization("DirectedGraph")
    vertices = f.objects("Vertex", scope)
    lists = f.objects("AdjacencyList", scope)
    nodes = f.objects("Node", scope * scope)
    f.set("DirectedGraph.vertices", f.lists(1, lengths=[scope], elements=[None, vertices]))
    f.set("Vertex.info", range(scope))
    f.set("Vertex.arcs", lists)
    f.set("AdjacencyList.first", None, nodes)
    f.set("Node.target", None, vertices)
    f.set("Node.next", None, nodes)
    f.method("transitive_closure")
    return f
