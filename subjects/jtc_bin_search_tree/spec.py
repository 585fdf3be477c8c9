"""BinSearchTree: what a valid search tree is, how many there are to test with, and when two are equal."""

from harness.spec import Finitization, SequenceScope

title = "BinSearchTree"


def rep_ok(tree) -> bool:
    """A tree, counted by `size`, whose keys are in order."""
    visited: set = set()
    return _is_ordered(tree.root, None, None, visited) and tree.size == len(visited)


def _is_ordered(node, low, high, visited) -> bool:
    """All keys below `node` lie strictly between `low` and `high`, where given, and no node is met twice."""
    if node is None:
        return True
    if node in visited:
        return False
    visited.add(node)
    if (low is not None and node.info <= low) or (high is not None and node.info >= high):
        return False
    return _is_ordered(node.left, low, node.info, visited) and _is_ordered(node.right, node.info, high, visited)


def abstraction(tree) -> tuple:
    """The set of keys, in order: a tree stands for a set, whatever its shape."""
    return _keys(tree.root)


def _keys(node) -> tuple:
    return () if node is None else (*_keys(node.left), node.info, *_keys(node.right))


def post_insert(before, after, result, key) -> bool:
    """The key is in the set afterwards, all others as before; the result tells whether it was absent."""
    return result is (key not in before) and after == tuple(sorted({*before, key}))


def post_remove(before, after, result, key) -> bool:
    """The key is not in the set any more, all others are; the result tells whether it was present."""
    return result is (key in before) and after == tuple(other for other in before if other != key)


def finitization(scope: int) -> Finitization:
    """At most `scope` nodes; keys 1..scope, also as arguments.

    States: sum over k of C(scope, k) Catalan(k). Calls on each: `insert` and `remove` of scope keys, 2 scope.
    """
    keys = range(1, scope + 1)
    f = Finitization("BinSearchTree")
    nodes = f.objects("Node", scope)
    f.set("BinSearchTree.root", None, nodes)
    f.set("BinSearchTree.size", range(scope + 1))
    f.set("Node.left", None, nodes)
    f.set("Node.right", None, nodes)
    f.set("Node.info", keys)
    f.method("insert", keys)
    f.method("remove", keys)
    return f


def sequences(scope: int) -> SequenceScope:
    """As many keys as calls behind the constructor; inserting makes every tree."""
    s = SequenceScope("BinSearchTree")
    s.method("insert", range(1, scope + 1))
    s.method("remove", range(1, scope + 1))
    s.objects(scope)
    s.builders("insert")
    return s
