"""WeightedDirectedGraph of criteria_pruning2011: graphs by what matters to the shortest ways in them."""

from typing import NamedTuple

from harness.spec import Finitization

title = "WeightedDirectedGraph"


class Class(NamedTuple):
    """The six characteristics of the paper."""

    is_acyclic: bool
    has_negative_weights: bool
    is_connected: bool
    is_empty: bool
    is_dense: bool
    is_complete: bool


def rep_ok(graph) -> bool:
    """Vertex by vertex, its arcs are a strictly sorted list; then each vertex has the info of its place; weights last.

    What the paper counts as explored says so: a list is sorted by infos that are not yet known to be right, and these
    are compared with the places when all lists are. Any weights are valid, so the paper's invariant need not read them.
    """
    for vertex in graph.vertices:
        if vertex is None or not _is_list(vertex.arcs) or not _is_strictly_sorted(vertex.arcs):
            return False
    for place in range(len(graph.vertices)):
        if graph.vertices[place].info != place:
            return False
    return _has_weights(graph)


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


def _is_strictly_sorted(arcs) -> bool:
    node = arcs.first
    while node is not None and node.next is not None:
        if node.target.info >= node.next.target.info:
            return False
        node = node.next
    return True


def _has_weights(graph) -> bool:
    """Whether each node has a weight, read in the order in which Korat comes by fields that an invariant leaves unread.

    That is depth first from the root. Read here, each choice of weights is a candidate that counts, as in the paper.
    """
    visited: set = set()
    return all(_has_weights_behind(vertex, visited) for vertex in graph.vertices)


def _has_weights_behind(vertex, visited) -> bool:
    """The same of one vertex that is not yet visited: of each node the target's arcs, the weight, the link."""
    if vertex in visited:
        return True
    visited.add(vertex)
    node = vertex.arcs.first
    while node is not None and node not in visited:
        visited.add(node)
        if not _has_weights_behind(node.target, visited) or node.weight is None:
            return False
        node = node.next
    return True


def eq_class(graph) -> Class:
    """All arcs are read, then weights up to the first negative one, which is what Korat+ prunes by; no infos.

    A loop is a cycle. A graph is connected if each vertex can be reached from each other one; dense if it has half of
    n^2 arcs, rounded down; complete if it has all of them.
    """
    most = len(graph.vertices) * len(graph.vertices)
    count = _count(graph)
    is_acyclic = _is_acyclic(graph)
    is_connected = _is_connected(graph)
    has_negative_weights = _has_negative_weights(graph)
    return Class(is_acyclic, has_negative_weights, is_connected, count == 0, count >= most // 2, count == most)


def _count(graph) -> int:
    count = 0
    for vertex in graph.vertices:
        node = vertex.arcs.first
        while node is not None:
            count += 1
            node = node.next
    return count


def _is_acyclic(graph) -> bool:
    return all(not _reaches(vertex, vertex, set()) for vertex in graph.vertices)


def _is_connected(graph) -> bool:
    for source in graph.vertices:
        for target in graph.vertices:
            if source is not target and not _reaches(source, target, set()):
                return False
    return True


def _reaches(source, target, visited) -> bool:
    """Whether there is a way of one arc or more that passes no vertex of `visited`."""
    node = source.arcs.first
    while node is not None:
        if node.target is target:
            return True
        if node.target not in visited:
            visited.add(node.target)
            if _reaches(node.target, target, visited):
                return True
        node = node.next
    return False


def _has_negative_weights(graph) -> bool:
    for vertex in graph.vertices:
        node = vertex.arcs.first
        while node is not None:
            if node.weight < 0:
                return True
            node = node.next
    return False


def abstraction(graph) -> tuple:
    """By vertex, its arcs in the order of their targets, each with its weight."""
    return tuple(tuple(_arcs(vertex)) for vertex in graph.vertices)


def _arcs(vertex) -> list:
    found, node = [], vertex.arcs.first
    while node is not None:
        found.append((node.target.info, node.weight))
        node = node.next
    return found


def post_distances(before, after, result, *, raised) -> bool:
    """By Bellman's equations over ever longer ways; a way that still gets shorter has a negative cycle in it."""
    if after != before:
        return False
    expected = [_ways(before, source) for source in range(len(before))]
    if None in expected:
        return isinstance(raised, ValueError)
    return raised is None and result == expected


def _ways(arcs, source) -> list | None:
    """The least weights of ways from `source`, or None if there is no least one."""
    least = [0 if vertex == source else None for vertex in range(len(arcs))]
    for _ in range(len(arcs)):
        shorter = _longer_by_one(arcs, least)
        if shorter == least:
            return least
        least = shorter
    return None


def _longer_by_one(arcs, least) -> list:
    shorter = list(least)
    for vertex, weight in enumerate(least):
        for target, more in arcs[vertex]:
            if weight is not None and (shorter[target] is None or weight + more < shorter[target]):
                shorter[target] = weight + more
    return shorter


ROWS = {1: (2, 1), 2: (2, 2), 3: (3, 1), 4: (3, 2), 5: (3, 3)}
"""By scope, the rows of the paper's table: vertices, largest weight."""


def finitization(scope: int) -> Finitization:
    """The row `scope` of the paper's table, and beyond the last one: three vertices, weights to scope - 2.

    As many lists as vertices, and the square of it nodes; places and targets are None or any vertex, each vertex has
    any list. So vertices may have one list, and lists may share nodes; only the infos keep a vertex from being in two
    places. With w weights, two vertices have (1 + w)^2 graphs of one list, (1 + w)^4 of two without a common node,
    and w (2 + 3w + w^2) with common ones: 332 in all for w = 3, and 1,542 for w = 5.
    """
    count, largest = ROWS.get(scope, (3, scope - 2))
    f = Finitization("WeightedDirectedGraph")
    vertices = f.objects("Vertex", count)
    lists = f.objects("AdjacencyList", count)
    nodes = f.objects("Node", count * count)
    f.set("WeightedDirectedGraph.vertices", f.lists(1, lengths=[count], elements=[None, vertices]))
    f.set("Vertex.info", range(count))
    f.set("Vertex.arcs", lists)
    f.set("AdjacencyList.first", None, nodes)
    f.set("Node.target", None, vertices)
    f.set("Node.weight", range(-largest, largest + 1))
    f.set("Node.next", None, nodes)
    f.method("distances")
    return f
