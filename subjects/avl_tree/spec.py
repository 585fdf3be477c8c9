"""AVLTree: what a valid AVL tree is, how many there are to test with, and when two are equal."""

from harness.spec import Finitization, SequenceScope

title = "AVLTree"


def rep_ok(tree) -> bool:
    """A search tree without repeated keys, in which heights are right and those of siblings differ by at most one."""
    return _height(tree.root, None, None, set()) is not None


def _height(node, low, high, visited):
    """The height of the subtree `node`, whose keys lie strictly between `low` and `high`; None where it is wrong."""
    if node is None:
        return -1
    if node in visited:
        return None
    visited.add(node)
    if (low is not None and node.key <= low) or (high is not None and node.key >= high):
        return None
    left = _height(node.left, low, node.key, visited)
    if left is None:
        return None
    right = _height(node.right, node.key, high, visited)
    if right is None or abs(left - right) > 1:
        return None
    height = 1 + max(left, right)
    return height if node.height == height else None


def abstraction(tree) -> tuple:
    """The set of keys, in order: a tree stands for a set, whatever its shape."""
    return _keys(tree.root)


def _keys(node) -> tuple:
    return () if node is None else (*_keys(node.left), node.key, *_keys(node.right))


def post_add(before, after, result, key) -> bool:
    """The key is in the set afterwards, all others as before; the result tells whether it was absent."""
    return result is (key not in before) and after == tuple(sorted({*before, key}))


def post_remove(before, after, result, key) -> bool:
    """The key is not in the set any more, all others are; the result tells whether it was present."""
    return result is (key in before) and after == tuple(other for other in before if other != key)


def finitization(scope: int) -> Finitization:
    """At most `scope` nodes; keys 0..scope-1, also as arguments.

    States: sum over k of C(scope, k) A(k), where A(k) is the number of AVL shapes of k nodes (1, 1, 2, 1, 4, 6, 4, 17).
    """
    keys = range(scope)
    f = Finitization("AVLTree")
    nodes = f.objects("Node", scope)
    f.set("AVLTree.root", None, nodes)
    f.set("Node.left", None, nodes)
    f.set("Node.right", None, nodes)
    f.set("Node.key", keys)
    f.set("Node.height", range(scope))
    f.method("add", keys)
    f.method("remove", keys)
    return f


def sequences(scope: int) -> SequenceScope:
    """The same bounds; adding makes every shape (beapi2023, section 3.3)."""
    s = SequenceScope("AVLTree")
    s.method("add", range(scope))
    s.method("remove", range(scope))
    s.objects(scope)
    s.builders("add")
    return s
