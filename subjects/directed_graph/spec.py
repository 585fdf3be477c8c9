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
    """No list comes back to a node of its own; the printed numbers of valid graphs are those of lists in any order."""
    for adjacency in graph.lists:
        visited: set = set()
        node = adjacency.first
        while node is not None:
            if node.target < 0 or node in visited:
                return False
            visited.add(node)
            node = node.next
    return True


def eq_class(graph) -> Class:
    """A graph is dense if it has half of all arcs, complete if it has all of them, loops included.

    Nodes are read as far as needed: of a list, until it has all targets; of the lists, until the graph is dense and one
    list lacks a target.
    """
    vertices, count, is_complete = len(graph.lists), 0, True
    for adjacency in graph.lists:
        degree = _degree(adjacency, vertices)
        count += degree
        is_complete = is_complete and degree == vertices
        if 2 * count >= vertices * vertices and not is_complete:
            break
    return Class(count == 0, 2 * count >= vertices * vertices, is_complete)


def _degree(adjacency, vertices) -> int:
    """To how many vertices there are arcs in the list."""
    found: set = set()
    node = adjacency.first
    while node is not None and len(found) < vertices:
        found.add(node.target)
        node = node.next
    return len(found)


def abstraction(graph) -> tuple:
    """By vertex, to which others there are arcs, as often as in its list."""
    return tuple(tuple(sorted(_targets(adjacency))) for adjacency in graph.lists)


def _targets(adjacency) -> list:
    found, node = [], adjacency.first
    while node is not None:
        found.append(node.target)
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
    """`scope` vertices and lists, and scope^2 nodes: vertices may have one list, and lists may share nodes."""
    f = Finitization("DirectedGraph")
    lists = f.objects("AdjacencyList", scope)
    nodes = f.objects("Node", scope * scope)
    f.set("DirectedGraph.lists", f.lists(1, lengths=[scope], elements=lists))
    f.set("AdjacencyList.first", None, nodes)
    f.set("Node.target", range(scope))
    f.set("Node.next", None, nodes)
    f.method("transitive_closure")
    return f
