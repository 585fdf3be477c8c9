"""FibHeap: what a valid heap is, how many there are to test with, and when two are equal."""

from harness.spec import Finitization

title = "FibHeap"


def rep_ok(heap) -> bool:
    """Sound rings of binomial trees, no key smaller than the one above it or the least root's; counted."""
    visited: set = set()
    roots = _ring(heap.least, None, visited)
    if roots is None or len(visited) != heap.size or not all(map(_is_binomial, roots)):
        return False
    return all(_is_ordered(root, heap.least.key) for root in roots) and _is_built(roots)


def _ring(first, parent, visited):
    """The nodes from `first` to the right and back; None where they, or those below them, are wrong."""
    ring, node = [], first
    while node is not None:
        if node in visited or node.parent is not parent or node.left is None or node.left.right is not node:
            return None
        visited.add(node)
        ring.append(node)
        if node.right is None or node.right.left is not node:
            return None
        children = _ring(node.child, node, visited)
        if children is None or len(children) != node.degree:
            return None
        node = None if node.right is first else node.right
    return ring


def _children(node) -> list:
    """The children of a node, from the one that it knows to the right."""
    found, child = [], node.child
    while child is not None:
        found.append(child)
        child = None if child.right is node.child else child.right
    return found


def _is_binomial(node) -> bool:
    """Children of every degree below the node's own: the smallest first, behind it the others from the largest on."""
    degrees = [child.degree for child in _children(node)]
    return degrees == [0, *range(len(degrees) - 1, 0, -1)][: len(degrees)] and all(map(_is_binomial, _children(node)))


def _is_ordered(node, least) -> bool:
    return node.key >= least and all(_is_ordered(child, node.key) for child in _children(node))


def _is_built(roots, above=None) -> bool:
    """Whether adding trees of rising degree, then single nodes, each to the right of the least root, gives the ring.

    The one added last is the least root, the one to the left of it being least before, or the one to the right of it.

    Args:
        roots: the ring, from the least root to the right.
        above: the degree of the tree that was added after all of them; None: only single nodes were.
    """
    if len(roots) < 2:
        return not roots or _may_be_added(roots[0], above)
    least, following, *_, former = (*roots, roots[-1])
    if _may_be_added(following, above) and _is_built([least, *roots[2:]], following.degree or above):
        return True
    rest = [former, *roots[1:-1]]
    if former.key == least.key or any(root.key < former.key for root in rest) or not _may_be_added(least, above):
        return False
    return _is_built(rest, least.degree or above)


def _may_be_added(root, above) -> bool:
    return above is None or root.degree < above


def abstraction(heap) -> tuple:
    """The keys in order, each as often as it occurs: a heap stands for a multiset, whatever its trees."""
    return tuple(sorted(_keys(heap.least)))


def _keys(first) -> list:
    keys, node = [], first
    while node is not None:
        keys += [node.key, *_keys(node.child)]
        node = None if node.right is first else node.right
    return keys


def post_insert(before, after, result, key) -> bool:
    """The key is one more of those in the heap."""
    return result is None and after == tuple(sorted((*before, key)))


def post_remove_min(before, after, result, *, raised) -> bool:
    """The smallest key is returned and no longer in the heap; an empty one has none."""
    if not before:
        return isinstance(raised, IndexError) and after == ()
    return raised is None and result == before[0] and after == before[1:]


def finitization(scope: int) -> Finitization:
    """At most `scope` nodes; keys 0..scope-1, also as arguments."""
    f = Finitization("FibHeap")
    nodes = f.objects("Node", scope)
    f.set("FibHeap.least", None, nodes)
    f.set("FibHeap.size", range(scope + 1))
    f.set("Node.key", range(scope))
    f.set("Node.degree", range(scope))
    for link in ("parent", "child", "left", "right"):
        f.set(f"Node.{link}", None, nodes)
    f.method("insert", range(scope))
    f.method("remove_min")
    return f
