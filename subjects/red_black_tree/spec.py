"""RedBlackTree: what a valid red-black tree is, how many there are to test with, and when two are equal."""

from harness.spec import Finitization

title = "RedBlackTree"

RED, BLACK = False, True


def rep_ok(tree) -> bool:
    """A search tree with parent links and a black root, in which all paths have as many black nodes."""
    nil = tree.nil
    if nil.color is not BLACK or nil.parent is not None:
        return False
    if tree.root is not nil and tree.root.color is not BLACK:
        return False
    visited: set = set()
    return _black_height(tree.root, nil, nil, visited) is not None and _is_ordered(tree.root, nil, None, None)


def _black_height(node, parent, nil, visited):
    """The number of black nodes on every path down from `node`; None where the tree or its colours are wrong."""
    if node is nil:
        return 0
    if node in visited or node.parent is not parent:
        return None
    visited.add(node)
    red = node.color is RED
    if not (red or node.color is BLACK) or (red and parent.color is RED):
        return None
    left = _black_height(node.left, node, nil, visited)
    if left is None or _black_height(node.right, node, nil, visited) != left:
        return None
    return left if red else left + 1


def _is_ordered(node, nil, low, high) -> bool:
    """All keys below `node` lie strictly between `low` and `high`, where given."""
    if node is nil:
        return True
    if (low is not None and node.key <= low) or (high is not None and node.key >= high):
        return False
    return _is_ordered(node.left, nil, low, node.key) and _is_ordered(node.right, nil, node.key, high)


def abstraction(tree) -> tuple:
    """The set of keys, in order: a tree stands for a set, whatever its shape and colours."""
    return _keys(tree.root, tree.nil)


def _keys(node, nil) -> tuple:
    return () if node is nil else (*_keys(node.left, nil), node.key, *_keys(node.right, nil))


def post_add(before, after, result, key) -> bool:
    """The key is in the set afterwards, all others as before; the result tells whether it was absent."""
    return result is (key not in before) and after == tuple(sorted({*before, key}))


def post_remove(before, after, result, key) -> bool:
    """The key is not in the set any more, all others are; the result tells whether it was present."""
    return result is (key in before) and after == tuple(other for other in before if other != key)


def finitization(scope: int) -> Finitization:
    """At most `scope` nodes besides the sentinel; keys 0..scope-1, also as arguments."""
    keys = range(scope)
    f = Finitization("RedBlackTree")
    nil = f.objects("Nil", 1)
    nodes = f.objects("Node", scope)
    f.set("RedBlackTree.nil", nil)
    f.set("RedBlackTree.root", nil, nodes)
    f.set("Nil.color", BLACK)
    f.set("Nil.parent", None)
    for link in ("left", "right", "parent"):
        f.set(f"Node.{link}", nil, nodes)
    f.set("Node.color", RED, BLACK)
    f.set("Node.key", keys)
    f.method("add", keys)
    f.method("remove", keys)
    return f
