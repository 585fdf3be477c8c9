"""BinomialHeap by three of its routines: what a valid heap is, how many there are, and when two are equal."""

from harness.relational import all_of, closure, count, for_all, no, reflexive_closure
from harness.spec import Finitization, SequenceScope, axiom

title = "BinomialHeap, three routines"
implementation = "../binomial_heap/impl.py"


def rep_ok(heap) -> bool:
    """The roots head binomial trees of ascending degree; `size` counts the nodes; no key is below its parent's."""
    visited: set = set()
    root, degree = heap.nodes, -1
    while root is not None:
        if root.degree <= degree or not _is_binomial(root, root.degree, None, visited):
            return False
        degree = root.degree
        root = root.sibling
    return heap.size == len(visited) and _is_ordered(heap.nodes, None)


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
        if (least is not None and key < least) or not _is_ordered(node.child, key):
            return False
        node = node.sibling
    return True


def invariant(heap, fields):
    """The same as a formula: a node's children are its first child and what `sibling` leads to from there."""
    edges = fields.child | fields.sibling
    below, deeper, onwards = reflexive_closure(edges), closure(edges), reflexive_closure(fields.sibling)
    nodes = heap.nodes @ below
    return all_of(
        for_all(
            heap.nodes @ onwards,
            lambda root: no(root.parent) & (root.degree < root.sibling.degree),
        ),
        for_all(
            nodes,
            lambda node: all_of(
                no((node.child @ below) & (node.sibling @ below)),
                ~node.within(node @ deeper),
                node.degree == count(node.child @ onwards),
                for_all(node.child, lambda child: child.degree == node.degree - 1),
                for_all(
                    node.child @ onwards,
                    lambda child: all_of(
                        child.parent == node,
                        child.key >= node.key,
                        for_all(child.sibling, lambda smaller: smaller.degree == child.degree - 1),
                    ),
                ),
            ),
        ),
        heap.size == count(nodes),
    )


def is_new(heap) -> bool:
    """No node, and none counted: what a constructor leaves."""
    return heap.nodes is None and heap.size == 0


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
    """The key is one more of those in the heap."""
    return result is None and after == tuple(sorted((*before, key)))


def post_extract_min(before, after, result, *, raised) -> bool:
    """The smallest key is returned and no longer in the heap; an empty one has none."""
    if not before:
        return isinstance(raised, IndexError) and after == ()
    return raised is None and type(result) is int and result == before[0] and after == before[1:]


def post_delete(before, after, result, key) -> bool:
    """The key is in the heap once less, if it was there, as the result tells."""
    rest = list(before)
    if key in rest:
        rest.remove(key)
    return result is (key in before) and after == tuple(rest)


def post___init__(before, after, result) -> bool:
    """Nothing is in the heap, as before."""
    return result is None and before == after == ()


@axiom("insert")
def deleting_undoes_inserting(heap, key) -> bool:
    """An inserted key can be deleted, and what is left is what was there."""
    before = abstraction(heap)
    heap.insert(key)
    return heap.delete(key) and abstraction(heap) == before


def finitization(scope: int) -> Finitization:
    """At most `scope` nodes; keys 1..scope, equal ones allowed, also as arguments.

    On each heap, `insert` and `delete` of scope keys and `extract_min`: 2 scope + 1 calls. The published numbers have
    one input more at each scope (field_exhaustive2016, Table 1), and the paper does not say which; here it is the
    constructor, called on the heap that is new.
    """
    keys = range(1, scope + 1)
    f = Finitization("BinomialHeap")
    nodes = f.objects("Node", scope)
    f.set("BinomialHeap.nodes", None, nodes)
    f.set("BinomialHeap.size", range(scope + 1))
    f.set("Node.key", keys)
    f.set("Node.degree", range(scope + 1))
    for link in ("parent", "sibling", "child"):
        f.set(f"Node.{link}", None, nodes)
    f.method("insert", keys)
    f.method("extract_min")
    f.method("delete", keys)
    f.method("__init__", requires=is_new, any_state=True)
    return f


def sequences(scope: int) -> SequenceScope:
    """The same bounds; inserting and extracting make every heap (beapi2023, section 3.3)."""
    keys = range(1, scope + 1)
    s = SequenceScope("BinomialHeap")
    s.method("insert", keys)
    s.method("extract_min")
    s.method("delete", keys)
    s.objects(scope)
    s.builders("insert", "extract_min")
    return s
