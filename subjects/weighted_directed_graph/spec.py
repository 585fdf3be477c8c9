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
    """Each list is acyclic, then strictly sorted by target; the weights, of which all are valid, are read last."""
    for adjacency in graph.lists:
        if not _is_acyclic(adjacency) or not _is_strictly_sorted(adjacency):
            return False
    for adjacency in graph.lists:
        node = adjacency.first
        while node is not None:
            if node.weight is None:
                return False
            node = node.next
    return True


def _is_acyclic(adjacency) -> bool:
    """No node is met twice; the target of each is read on the way."""
    visited: set = set()
    node = adjacency.first
    while node is not None:
        if node.target < 0 or node in visited:
            return False
        visited.add(node)
        node = node.next
    return True


def _is_strictly_sorted(adjacency) -> bool:
    node = adjacency.first
    while node is not None and node.next is not None:
        if node.target >= node.next.target:
            return False
        node = node.next
    return True


def eq_class(graph) -> Class:
    """Arcs first, then weights up to the first negative one.

    A graph is connected if each vertex can be reached from each other one, dense if it has half of all arcs, and
    complete if it has all of them, loops included.
    """
    vertices, count, reaches = len(graph.lists), 0, set()
    for source in range(vertices):
        node = graph.lists[source].first
        while node is not None:
            reaches.add(source * vertices + node.target)
            count += 1
            node = node.next
    _close(reaches, vertices)
    return Class(
        _is_without_cycle(reaches, vertices),
        _has_negative_weight(graph),
        _is_connected(reaches, vertices),
        count == 0,
        2 * count >= vertices * vertices,
        count == vertices * vertices,
    )


def _close(reaches, vertices) -> None:
    for via in range(vertices):
        for source in range(vertices):
            if source * vertices + via in reaches:
                for target in range(vertices):
                    if via * vertices + target in reaches:
                        reaches.add(source * vertices + target)


def _is_without_cycle(reaches, vertices) -> bool:
    return all(vertex * vertices + vertex not in reaches for vertex in range(vertices))


def _is_connected(reaches, vertices) -> bool:
    for source in range(vertices):
        for target in range(vertices):
            if source != target and source * vertices + target not in reaches:
                return False
    return True


def _has_negative_weight(graph) -> bool:
    for adjacency in graph.lists:
        node = adjacency.first
        while node is not None:
            if node.weight < 0:
                return True
            node = node.next
    return False


def abstraction(graph) -> tuple:
    """By vertex, its arcs in the order of their targets, each with its weight."""
    return tuple(tuple(_arcs(adjacency)) for adjacency in graph.lists)


def _arcs(adjacency) -> list:
    found, node = [], adjacency.first
    while node is not None:
        found.append((node.target, node.weight))
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

    As many lists as vertices, and the square of it nodes: vertices may have one list, and lists may share nodes. With w
    weights, two vertices have (1 + w)^2 graphs of one list, (1 + w)^4 of two without a common node,
    and w (2 + 3w + w^2) with common ones: 332 in all for w = 3, and 1,542 for w = 5.
    """
    vertices, largest = ROWS.get(scope, (3, scope - 2))
    f = Finitization("WeightedDirectedGraph")
    lists = f.objects("AdjacencyList", vertices)
    nodes = f.objects("Node", vertices * vertices)
    f.set("WeightedDirectedGraph.lists", f.lists(1, lengths=[vertices], elements=lists))
    f.set("AdjacencyList.first", None, nodes)
    f.set("Node.target", range(vertices))
    f.set("Node.weight", range(-largest, largest + 1))
    f.set("Node.next", None, nodes)
    f.method("distances")
    return f
