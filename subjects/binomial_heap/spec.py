"""BinomialHeap: what a valid binomial heap is, how many there are to test with, and when two are equal."""

from harness.spec import Finitization, Structures

title = "BinomialHeap"


def rep_ok(heap) -> bool:
    """The roots head binomial trees of ascending degree; `size` counts the nodes; no key is below its parent's."""
    visited: set = set()
    root, degree = heap.nodes, -1
    while root is not None:
        if root.degree <= degree or not _is_binomial(root, root.degree, None, visited):
            return False
        degree = root.degree
        root = root.sibling
    if len(visited) != heap.size:
        return False
    return _is_ordered(heap.nodes, None)


def _is_binomial(node, degree, parent, visited) -> bool:
    """`node` heads a tree of `degree` children, themselves of degrees degree-1, ..., 0, all unvisited before."""
    if node is None or node in visited:
        return False
    visited.add(node)
    if node.parent is not parent or node.degree != degree:
        return False
    child = node.child
    for smaller in reversed(range(degree)):
        if not _is_binomial(child, smaller, node, visited):
            return False
        child = child.sibling
    return child is None


def _is_ordered(node, least) -> bool:
    """No key in the trees of `node` and its later siblings is smaller than its parent's, `least` for these roots."""
    while node is not None:
        key = node.key
        if least is not None and key < least:
            return False
        if not _is_ordered(node.child, key):
            return False
        node = node.sibling
    return True


def abstraction(heap) -> tuple:
    """The keys in order, each as often as it occurs: a heap stands for a multiset, whatever its trees."""
    return tuple(sorted(_keys(heap.nodes)))


def _keys(node) -> list:
    keys = []
    while node is not None:
        keys += [node.key, *_keys(node.child)]
        node = node.sibling
    return keys


def _heaps(nodes: int, scope: int) -> Finitization:
    """Heaps of at most `nodes` nodes with keys 1..scope."""
    f = Finitization("BinomialHeap")
    available = f.objects("Node", nodes)
    f.set("BinomialHeap.nodes", None, available)
    f.set("BinomialHeap.size", range(nodes + 1))
    f.set("Node.key", range(1, scope + 1))
    f.set("Node.degree", range(nodes + 1))
    for link in ("parent", "sibling", "child"):
        f.set(f"Node.{link}", None, available)
    return f


def finitization(scope: int) -> Finitization:
    """At most `scope` nodes; keys 1..scope. Arguments: keys, 0 also for delete; heaps of at most one node for union."""
    f = _heaps(scope, scope)
    f.method("insert", range(1, scope + 1))
    f.method("extract_min")
    f.method("union", Structures(_heaps(1, scope), rep_ok))
    f.method("delete", range(scope + 1))
    return f
