"""BinomialHeap: what a valid binomial heap is, how many there are to test with, and when two are equal."""

from harness.spec import Finitization, SequenceScope

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


def post_insert(before, after, result, key) -> bool:
    """A positive key is one more of those in the heap; others are ignored."""
    return result is None and after == (tuple(sorted((*before, key))) if key > 0 else before)


def post_extract_min(before, after, result, *, raised) -> bool:
    """The smallest key is returned and no longer in the heap; an empty one has none."""
    if not before:
        return isinstance(raised, IndexError) and after == ()
    return raised is None and result == before[0] and after == before[1:]


def post_delete(before, after, result, key) -> bool:
    """The key is in the heap once less, if it was there."""
    rest = list(before)
    if key in rest:
        rest.remove(key)
    return result is None and after == tuple(rest)


def finitization(scope: int) -> Finitization:
    """At most `scope` nodes; keys 1..scope. Arguments: 0..scope, as 0 is ignored; calls on each heap: 2 scope + 3."""
    f = Finitization("BinomialHeap")
    nodes = f.objects("Node", scope)
    f.set("BinomialHeap.nodes", None, nodes)
    f.set("BinomialHeap.size", range(scope + 1))
    f.set("Node.key", range(1, scope + 1))
    f.set("Node.degree", range(scope + 1))
    for link in ("parent", "sibling", "child"):
        f.set(f"Node.{link}", None, nodes)
    f.method("insert", range(scope + 1))
    f.method("extract_min")
    f.method("delete", range(scope + 1))
    return f


def sequences(scope: int) -> SequenceScope:
    """As many keys as calls behind the constructor, 0..scope-1: the first is ignored. Inserting makes every heap."""
    s = SequenceScope("BinomialHeap")
    s.method("insert", range(scope))
    s.method("extract_min")
    s.method("delete", range(scope))
    s.objects(scope)
    s.builders("insert")
    return s
