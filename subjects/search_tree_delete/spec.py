"""SearchTreeDelete of criteria_pruning2011: a tree and a value, by the value's position in the tree."""

from typing import NamedTuple

from harness.spec import Finitization

title = "SearchTreeDelete"


class Class(NamedTuple):
    """Where the value is: each of the paper's cases follows."""

    is_in_tree: bool
    is_in_root: bool
    has_left: bool
    has_right: bool


def rep_ok(deletion) -> bool:
    """The value is read first; then the tree: empty, acyclic, counted, ordered, as in Korat's distribution."""
    if deletion.value is None:
        return False
    tree = deletion.tree
    if tree.root is None:
        return tree.size == 0
    nodes = _nodes(tree.root)
    return nodes is not None and nodes == tree.size and _is_ordered(tree.root, None, None)


def _nodes(root):
    """How many there are on the way down from the root, level by level; None where one is met twice."""
    visited = {root}
    work = [root]
    while work:
        node = work.pop(0)
        if node.left is not None:
            if node.left in visited:
                return None
            visited.add(node.left)
            work.append(node.left)
        if node.right is not None:
            if node.right in visited:
                return None
            visited.add(node.right)
            work.append(node.right)
    return len(visited)


def _is_ordered(node, low, high) -> bool:
    """All keys below `node` lie strictly between `low` and `high`, where given."""
    key = node.info
    if (low is not None and key <= low) or (high is not None and key >= high):
        return False
    if node.left is not None and not _is_ordered(node.left, low, key):
        return False
    return node.right is None or _is_ordered(node.right, key, high)


def eq_class(deletion) -> Class:
    """The way down to the value is read, and what is below it."""
    value, root = deletion.value, deletion.tree.root
    node = root
    while node is not None and node.info != value:
        node = node.left if value < node.info else node.right
    if node is None:
        return Class(False, False, False, False)
    return Class(True, node is root, node.left is not None, node.right is not None)


def abstraction(deletion) -> tuple:
    """The value, and the keys in order."""
    return deletion.value, _keys(deletion.tree.root)


def _keys(node) -> tuple:
    return () if node is None else (*_keys(node.left), node.info, *_keys(node.right))


def post_delete(before, after, result) -> bool:
    """The value is not in the tree any more, all other keys are; the result tells whether it was there."""
    value, keys = before
    return result is (value in keys) and after == (value, tuple(key for key in keys if key != value))


ROWS = {1: (3, 3), 2: (3, 4), 3: (3, 6), 4: (3, 8), 5: (5, 8), 6: (6, 9)}
"""By scope, the rows of the paper's table: nodes, and keys."""


def finitization(scope: int) -> Finitization:
    """The row `scope` of the paper's table, and beyond the last one: as many nodes as the scope, three keys more.

    Inputs: k times the sum over s of C(k, s) Catalan(s), s up to the number of nodes.
    """
    count, keys = ROWS.get(scope, (scope, scope + 3))
    f = Finitization("SearchTreeDelete")
    trees = f.objects("SearchTree", 1)
    nodes = f.objects("Node", count)
    f.set("SearchTreeDelete.value", range(1, keys + 1))
    f.set("SearchTreeDelete.tree", trees)
    f.set("SearchTree.root", None, nodes)
    f.set("SearchTree.size", range(count + 1))
    f.set("Node.left", None, nodes)
    f.set("Node.right", None, nodes)
    f.set("Node.info", range(1, keys + 1))
    f.method("delete")
    return f
