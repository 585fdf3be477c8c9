"""BinomialHeapMerge of criteria_pruning2011: pairs of heaps, by how they are composed."""

from typing import NamedTuple

from harness.spec import Finitization

title = "BinomialHeapMerge"


class Class(NamedTuple):
    """The seven predicates of the paper."""

    first_is_empty: bool
    second_is_empty: bool
    first_has_more: bool
    as_many: bool
    first_has_larger_degree: bool
    same_degree: bool
    trees_of_same_degree: bool


def rep_ok(pair) -> bool:
    """One heap, then the other; the keys that the heaps' own invariants leave open are read last."""
    return _is_heap(pair.first) and _is_heap(pair.second) and _has_keys(pair.first) and _has_keys(pair.second)


def _is_heap(heap) -> bool:
    """In the order of Korat's distribution: size, trees, their count, degrees, keys of parents and children."""
    if heap.size == 0:
        return heap.nodes is None
    if heap.nodes is None:
        return False
    visited: set = set()
    root = heap.nodes
    while root is not None:
        if root in visited:
            return False
        visited.add(root)
        if not _is_tree(root, None, visited):
            return False
        root = root.sibling
    return len(visited) == heap.size and _degrees_are_binomial(heap) and _is_ordered(heap)


def _is_tree(node, parent, visited) -> bool:
    """The nodes below refer to their parents, and none is met twice."""
    if node.parent is not parent:
        return False
    child = node.child
    while child is not None:
        if child in visited:
            return False
        visited.add(child)
        if not _is_tree(child, node, visited):
            return False
        child = child.sibling
    return True


def _degrees_are_binomial(heap) -> bool:
    """There is a tree for each binary digit 1 of the size, of that degree, by ascending degree."""
    rest, degree, root = heap.size, 0, heap.nodes
    while root is not None:
        if rest == 0:
            return False
        while rest % 2 == 0:
            rest, degree = rest // 2, degree + 1
        if root.degree != degree or not _children_have_degrees_below(root, degree):
            return False
        rest, degree, root = rest // 2, degree + 1, root.sibling
    return rest == 0


def _children_have_degrees_below(node, degree) -> bool:
    """They are degree - 1, ..., 0, and so on below."""
    child = node.child
    while child is not None:
        degree -= 1
        if child.degree != degree or not _children_have_degrees_below(child, degree):
            return False
        child = child.sibling
    return degree == 0


def _is_ordered(heap) -> bool:
    root = heap.nodes
    while root is not None:
        if not _keys_ascend(root):
            return False
        root = root.sibling
    return True


def _keys_ascend(node) -> bool:
    """No child's key is below its parent's; the key of a node alone is not looked at."""
    child = node.child
    while child is not None:
        if node.key > child.key or not _keys_ascend(child):
            return False
        child = child.sibling
    return True


def _has_keys(heap) -> bool:
    """Each root has a key: Korat tries all values of reachable fields anyway, so reading them changes no count."""
    root = heap.nodes
    while root is not None:
        if root.key is None:
            return False
        root = root.sibling
    return True


def eq_class(pair) -> Class:
    """All that the paper asks for follows from the two sizes, whose binary digits are the trees."""
    first, second = pair.first.size, pair.second.size
    return Class(
        first == 0,
        second == 0,
        first > second,
        first == second,
        _degree(first) > _degree(second),
        _degree(first) == _degree(second),
        first & second != 0,
    )


def _degree(size) -> int:
    """That of the largest tree of so many nodes; -1 without any."""
    degree = -1
    while size > 0:
        size, degree = size // 2, degree + 1
    return degree


def abstraction(pair) -> tuple:
    """The keys of both heaps in order, each as often as it occurs."""
    return tuple(sorted(_keys(pair.first.nodes))), tuple(sorted(_keys(pair.second.nodes)))


def _keys(node) -> list:
    keys = []
    while node is not None:
        keys += [node.key, *_keys(node.child)]
        node = node.sibling
    return keys


def post_merge(before, after, result) -> bool:
    """All keys are in the first heap."""
    first, second = before
    return result is None and after == (tuple(sorted(first + second)), ())


def finitization(scope: int) -> Finitization:
    """At most `scope` nodes and keys 1..scope in each heap: squares of 6, 28, 120, 936, 7602, ... valid pairs."""
    f = Finitization("BinomialHeapMerge")
    for name in ("first", "second"):
        heaps = f.objects("BinomialHeap", 1)
        nodes = f.objects("Node", scope)
        f.set(f"BinomialHeapMerge.{name}", heaps)
        f.set("BinomialHeap.size", range(scope + 1), of=heaps)
        f.set("BinomialHeap.nodes", None, nodes, of=heaps)
        for link in ("parent", "sibling", "child"):
            f.set(f"Node.{link}", None, nodes, of=nodes)
        f.set("Node.key", range(1, scope + 1), of=nodes)
        f.set("Node.degree", range(scope + 1), of=nodes)
    f.method("merge")
    return f
