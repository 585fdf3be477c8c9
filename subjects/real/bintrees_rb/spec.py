"""RBTree of the package bintrees: a red-black tree without links to parents, changed from the top down."""

from harness.spec import Finitization, SequenceScope

title = "bintrees RBTree"
implementation = "bintrees.rbtree"
helpers = ["RBTree._new_node", "is_red", "jsw_single", "jsw_double", "Node.__init__", "Node.__getitem__",
           "Node.__setitem__", "Node.free"]  # fmt: skip

STORED, GIVEN = 1, 2  # the value of every node before the call, and the one that insert brings


def rep_ok(tree) -> bool:
    """A counted tree with a black root, no red node below a red one, all paths equally black, and keys in order."""
    root = tree._root
    if root is not None and root.red:
        return False
    visited: set = set()
    if _black_height(root, False, visited) is None:
        return False
    if len(visited) != tree._count:
        return False
    return _is_ordered(root, None, None)


def _black_height(node, below_red, visited):
    """The number of black nodes on every path down; None where the tree or its colours are wrong."""
    if node is None:
        return 0
    if node in visited:
        return None
    visited.add(node)
    red = node.red
    if red and below_red:
        return None
    left = _black_height(node.left, red, visited)
    if left is None or _black_height(node.right, red, visited) != left:
        return None
    return left if red else left + 1


def _is_ordered(node, low, high) -> bool:
    """Keys lie between `low` and `high`, where there are such."""
    if node is None:
        return True
    if low is not None and node.key <= low:
        return False
    if high is not None and node.key >= high:
        return False
    return _is_ordered(node.left, low, node.key) and _is_ordered(node.right, node.key, high)


def abstraction(tree) -> tuple:
    """Keys with values, in order."""
    return tuple(_items(tree._root))


def _items(node) -> list:
    return [] if node is None else [*_items(node.left), (node.key, node.value), *_items(node.right)]


def finitization(scope: int) -> Finitization:
    """Trees of at most `scope` nodes with keys 1..scope."""
    f = Finitization("RBTree")
    nodes = f.objects("Node", scope)
    f.set("RBTree._root", None, nodes)
    f.set("RBTree._count", range(scope + 1))
    f.set("Node.left", None, nodes)
    f.set("Node.right", None, nodes)
    f.set("Node.key", range(1, scope + 1))
    f.set("Node.red", False, True)
    f.set("Node.value", STORED)
    f.method("insert", range(1, scope + 1), GIVEN)
    f.method("remove", range(1, scope + 1))
    return f


def sequences(scope: int) -> SequenceScope:
    """The same bounds; the finitization fixes the values of nodes, so they tell nothing here."""
    s = SequenceScope.of_finitization(finitization(scope), scope)
    s.omit("value")
    return s
