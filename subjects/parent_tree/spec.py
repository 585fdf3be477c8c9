"""ParentTree: what a valid tree is, how many there are to test with, and when two are equal."""

from harness.spec import Finitization, SequenceScope

title = "ParentTree"


def rep_ok(tree) -> bool:
    """A search tree, each of whose nodes has as its parent the node that it is a child of; the root has none."""
    return _is_tree(tree.root, None, None, None, set())


def _is_tree(node, parent, low, high, visited) -> bool:
    """Whether the subtree `node` is sound; its keys lie strictly between `low` and `high`, where given."""
    if node is None:
        return True
    if node in visited or node.parent is not parent:
        return False
    visited.add(node)
    if (low is not None and node.key <= low) or (high is not None and node.key >= high):
        return False
    return _is_tree(node.left, node, low, node.key, visited) and _is_tree(node.right, node, node.key, high, visited)


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
    """At most `scope` nodes; keys 0..scope-1, also as arguments. States: as many as SearchTree has."""
    keys = range(scope)
    f = Finitization("ParentTree")
    nodes = f.objects("Node", scope)
    f.set("ParentTree.root", None, nodes)
    for link in ("parent", "left", "right"):
        f.set(f"Node.{link}", None, nodes)
    f.set("Node.key", keys)
    f.method("add", keys)
    f.method("remove", keys)
    return f


def sequences(scope: int) -> SequenceScope:
    """The same bounds; adding makes every tree."""
    s = SequenceScope("ParentTree")
    s.method("add", range(scope))
    s.method("remove", range(scope))
    s.objects(scope)
    s.builders("add")
    return s
