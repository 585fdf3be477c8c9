"""AVLTree of the package bintrees: balanced by the heights that its nodes keep."""

from harness.spec import Finitization, SequenceScope

title = "bintrees AVLTree"
implementation = "bintrees.avltree"
helpers = ["AVLTree._new_node", "height", "jsw_single", "jsw_double", "Node.__init__", "Node.__getitem__",
           "Node.__setitem__", "Node.free"]  # fmt: skip

STORED, GIVEN = 1, 2  # the value of every node before the call, and the one that insert brings


def rep_ok(tree) -> bool:
    """A counted tree whose keys are in order and whose nodes know their heights, which differ by one at the most."""
    visited: set = set()
    if _height(tree._root, visited) is None:
        return False
    if len(visited) != tree._count:
        return False
    return _is_ordered(tree._root, None, None)


def _height(node, visited):
    """The height of a tree, -1 without a node; None where it is no tree, or out of balance."""
    if node is None:
        return -1
    if node in visited:
        return None
    visited.add(node)
    left = _height(node.left, visited)
    if left is None:
        return None
    right = _height(node.right, visited)
    if right is None or abs(left - right) > 1:
        return None
    height = max(left, right) + 1
    return height if node.balance == height else None


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
    f = Finitization("AVLTree")
    nodes = f.objects("Node", scope)
    f.set("AVLTree._root", None, nodes)
    f.set("AVLTree._count", range(scope + 1))
    f.set("Node.left", None, nodes)
    f.set("Node.right", None, nodes)
    f.set("Node.key", range(1, scope + 1))
    f.set("Node.balance", range(scope))
    f.set("Node.value", STORED)
    f.method("insert", range(1, scope + 1), GIVEN)
    f.method("remove", range(1, scope + 1))
    return f


def sequences(scope: int) -> SequenceScope:
    """The same bounds; the finitization fixes the values of nodes, so they tell nothing here."""
    s = SequenceScope.of_finitization(finitization(scope), scope)
    s.omit("value")
    return s
