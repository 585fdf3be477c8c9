"""BinomialHeap: what a valid binomial heap is, how many there are to test with, and when two are equal."""

from harness.spec import Finitization, SequenceScope, Structures, axiom, equal, field, is_in, less, not_, requirements

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


@requirements
def rep_ok_dedicated(heap):
    """The same by dedicated generators, which read in the same order (exhaustive2003, section 5)."""
    visited: list = []
    root, degree = heap.nodes, -1
    while root is not None:
        yield less(degree, field(root, "degree"))
        degree = root.degree
        yield _is_binomial_dedicated(root, degree, None, visited)
        yield not_(is_in(field(root, "sibling"), visited))
        root = root.sibling
    yield equal(field(heap, "size"), len(visited))
    yield _is_ordered_dedicated(heap.nodes, None)


@requirements
def _is_binomial_dedicated(node, degree, parent, visited):
    visited.append(node)
    yield equal(field(node, "parent"), parent)
    yield equal(field(node, "degree"), degree)
    owner, link = node, "child"
    for smaller in reversed(range(degree)):
        yield not_(is_in(field(owner, link), [None, *visited]))
        child = getattr(owner, link)
        yield _is_binomial_dedicated(child, smaller, node, visited)
        owner, link = child, "sibling"
    yield equal(field(owner, link), None)


@requirements
def _is_ordered_dedicated(node, least):
    while node is not None:
        if least is not None:
            yield not_(less(field(node, "key"), least))
        yield _is_ordered_dedicated(node.child, node.key)
        node = node.sibling


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
    return raised is None and result == before[0] and after == before[1:]


def post_union(before, after, result, other, *, arguments_after) -> bool:
    """All keys of the other heap have moved here."""
    return result is None and after == tuple(sorted((*before, *other))) and arguments_after == [()]


def post_delete(before, after, result, key) -> bool:
    """The key is in the heap once less, if it was there, as the result tells."""
    rest = list(before)
    if key in rest:
        rest.remove(key)
    return result is (key in before) and after == tuple(rest)


@axiom("insert")
def deleting_undoes_inserting(heap, key) -> bool:
    """An inserted key can be deleted, and what is left is what was there."""
    before = abstraction(heap)
    heap.insert(key)
    return heap.delete(key) and abstraction(heap) == before


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


def are_two(heap, other) -> bool:
    """What `union` requires of heaps that calls have made: it is not meant for a heap and itself."""
    return heap is not other


def sequences(scope: int) -> SequenceScope:
    """The same bounds; inserting and extracting make every heap (beapi2023, section 3.3)."""
    s = SequenceScope("BinomialHeap")
    s.method("insert", range(1, scope + 1))
    s.method("extract_min")
    s.method("union", s.earlier("BinomialHeap"), requires=are_two)
    s.method("delete", range(scope + 1))
    s.objects(scope)
    s.builders("insert", "extract_min")
    return s
