"""FibonacciHeap: what a valid Fibonacci heap is, how many there are to test with, and when two are equal."""

from harness.spec import (
    Finitization,
    SequenceScope,
    Structures,
    axiom,
    equal,
    field,
    is_in,
    less,
    not_,
    or_,
    requirements,
)

title = "FibonacciHeap"


def rep_ok(heap) -> bool:
    """Siblings form rings, counted by their parent's degree and by `size`; no key is below its parent's.

    `min_node` is a root, and no root has a smaller key.
    """
    if heap.nodes is None:
        return heap.min_node is None and heap.size == 0
    visited: set = set()
    if not _ring(heap.nodes, None, visited):
        return False
    if len(visited) != heap.size:
        return False
    if not _is_among(heap.min_node, heap.nodes):
        return False
    return _is_ordered(heap.nodes, heap.min_node.key)


def _ring(first, parent, visited) -> int:
    """How many nodes the ring of `first` has, all children of `parent` and unvisited before; 0 where it is broken."""
    length, node = 0, first
    while True:
        if node in visited:
            return 0
        visited.add(node)
        if node.parent is not parent:
            return 0
        if node.right is None or node.right.left is not node:
            return 0
        children = 0
        if node.child is not None:
            children = _ring(node.child, node, visited)
            if not children:
                return 0
        if node.degree != children:
            return 0
        length += 1
        node = node.right
        if node is first:
            return length


def _is_among(node, first) -> bool:
    """`node` is in the ring of `first`, which is a sound one."""
    current = first
    while current is not node:
        current = current.right
        if current is first:
            return False
    return True


def _is_ordered(first, least) -> bool:
    """No key in the trees of the ring of `first` is below its parent's, `least` for the ring itself."""
    node = first
    while True:
        if node.key < least:
            return False
        if node.child is not None and not _is_ordered(node.child, node.key):
            return False
        node = node.right
        if node is first:
            return True


@requirements
def rep_ok_dedicated(heap):
    """The same by dedicated generators, which read in the same order (exhaustive2003, section 5)."""
    roots: list = []
    visited: list = []
    if heap.nodes is not None:
        yield _ring_dedicated(heap.nodes, None, visited, roots)
        yield equal(field(heap, "size"), len(visited))
    yield is_in(field(heap, "min_node"), roots or [None])
    if heap.nodes is None:
        yield equal(field(heap, "size"), 0)
    else:
        yield _is_ordered_dedicated(heap.nodes, heap.min_node.key)


@requirements
def _ring_dedicated(first, parent, visited, ring):
    """As `_ring`; appends its nodes to `ring`."""
    node = first
    while node is not first or not ring:
        ring.append(node)
        visited.append(node)
        yield equal(field(node, "parent"), parent)
        yield or_(equal(field(node, "right"), first), not_(is_in(field(node, "right"), [None, *visited])))
        yield equal(field(node.right, "left"), node)
        yield not_(is_in(field(node, "child"), visited))
        children: list = []
        if node.child is not None:
            yield _ring_dedicated(node.child, node, visited, children)
        yield equal(field(node, "degree"), len(children))
        node = node.right


@requirements
def _is_ordered_dedicated(first, least):
    node = first
    while True:
        yield not_(less(field(node, "key"), least))
        if node.child is not None:
            yield _is_ordered_dedicated(node.child, node.key)
        node = node.right
        if node is first:
            break


def abstraction(heap) -> tuple:
    """The keys in order, each as often as it occurs: a heap stands for a multiset, whatever its trees and marks."""
    return tuple(sorted(_keys(heap.nodes)))


def _keys(first) -> list:
    keys, node = [], first
    while node is not None:
        keys += [node.key, *_keys(node.child)]
        node = None if node.right is first else node.right
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
def extracting_all_sorts(heap, key) -> bool:
    """What comes out, smallest first, is what went in."""
    expected = sorted((*abstraction(heap), key))
    heap.insert(key)
    return [heap.extract_min() for _ in expected] == expected


@axiom("union")
def the_other_heap_is_left_valid(heap, other) -> bool:
    """Both heaps can be used on; they share no node."""
    heap.union(other)
    other.insert(0)
    return rep_ok(heap) and rep_ok(other) and abstraction(other) == (0,)


def _heaps(nodes: int, scope: int) -> Finitization:
    """Heaps of at most `nodes` nodes, none of them marked, with keys 1..scope."""
    f = Finitization("FibonacciHeap")
    available = f.objects("Node", nodes)
    f.set("FibonacciHeap.nodes", None, available)
    f.set("FibonacciHeap.min_node", None, available)
    f.set("FibonacciHeap.size", range(nodes + 1))
    f.set("Node.key", range(1, scope + 1))
    f.set("Node.degree", range(nodes))
    f.set("Node.mark", False)
    for link in ("parent", "child", "left", "right"):
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
    """The same bounds. Inserting and extracting make every heap, some of those of `union` at a larger scope only."""
    s = SequenceScope("FibonacciHeap")
    s.method("insert", range(1, scope + 1))
    s.method("extract_min")
    s.method("union", s.earlier("FibonacciHeap"), requires=are_two)
    s.method("delete", range(scope + 1))
    s.objects(scope)
    s.builders("insert", "extract_min")
    return s
