"""SearchTree: what a valid search tree is, how many there are to test with, and when two are equal."""

from harness.spec import Finitization, SequenceScope, and_, axiom, equal, field, is_tree, less, requirements

title = "SearchTree"


def rep_ok(tree) -> bool:
    """The invariant of exhaustive2003, Appendix A, in its order: empty, acyclic, counted, ordered."""
    if tree.root is None:
        return tree.size == 0
    if not _is_acyclic(tree.root):
        return False
    if _nodes(tree.root) != tree.size:
        return False
    return _is_ordered(tree.root, None, None)


def _is_acyclic(root) -> bool:
    """No node is met twice on the way down from the root, level by level."""
    visited = {root}
    work = [root]
    while work:
        for child in _children(work.pop(0)):
            if child in visited:
                return False
            visited.add(child)
            work.append(child)
    return True


def _children(node):
    """Lazily, so that the right child is read only after the left one has been found sound."""
    if node.left is not None:
        yield node.left
    if node.right is not None:
        yield node.right


def _nodes(node) -> int:
    return 0 if node is None else 1 + _nodes(node.left) + _nodes(node.right)


def _is_ordered(node, low, high) -> bool:
    """All keys below `node` lie strictly between `low` and `high`, where given."""
    if node is None:
        return True
    if (low is not None and node.info <= low) or (high is not None and node.info >= high):
        return False
    return _is_ordered(node.left, low, node.info) and _is_ordered(node.right, node.info, high)


@requirements
def rep_ok_dedicated(tree):
    """The same by dedicated generators, which read in the same order (section 5)."""
    if tree.root is not None:
        yield is_tree(tree.root, ("left", "right"))
    yield equal(field(tree, "size"), _nodes(tree.root))
    yield _is_ordered_dedicated(tree.root, None, None)


@requirements
def _is_ordered_dedicated(node, low, high):
    if node is not None:
        key = field(node, "info")
        yield and_(*[less(low, key)] * (low is not None), *[less(key, high)] * (high is not None))
        yield _is_ordered_dedicated(node.left, low, node.info)
        yield _is_ordered_dedicated(node.right, node.info, high)


def abstraction(tree) -> tuple:
    """The set of keys, in order: a tree stands for a set, whatever its shape."""
    return _keys(tree.root)


def _keys(node) -> tuple:
    return () if node is None else (*_keys(node.left), node.info, *_keys(node.right))


def post_add(before, after, result, key) -> bool:
    """The key is in the set afterwards, all others as before; the result tells whether it was absent."""
    return result is (key not in before) and after == tuple(sorted({*before, key}))


def post_remove(before, after, result, key) -> bool:
    """The key is not in the set any more, all others are; the result tells whether it was present."""
    return result is (key in before) and after == tuple(other for other in before if other != key)


@axiom("add")
def removing_undoes_adding(tree, key) -> bool:
    """t.add(e).remove(e).equals(t), for elements that t lacks (section 6.3)."""
    before = abstraction(tree)
    if tree.add(key):
        tree.remove(key)
    return abstraction(tree) == before


@axiom("remove")
def remove_implements_deletion_from_a_set(tree, key) -> bool:
    """Abstraction commutes with removal (section 6.3)."""
    model = set(abstraction(tree)) - {key}
    tree.remove(key)
    return set(abstraction(tree)) == model


def finitization(scope: int) -> Finitization:
    """At most `scope` nodes; keys 1..scope, also as arguments."""
    keys = range(1, scope + 1)
    f = Finitization("SearchTree")
    nodes = f.objects("Node", scope)
    f.set("SearchTree.root", None, nodes)
    f.set("SearchTree.size", range(scope + 1))
    f.set("Node.left", None, nodes)
    f.set("Node.right", None, nodes)
    f.set("Node.info", keys)
    f.method("add", keys)
    f.method("remove", keys)
    return f


def sequences(scope: int) -> SequenceScope:
    """The same bounds; adding makes every tree (beapi2023, section 3.3)."""
    s = SequenceScope("SearchTree")
    s.method("add", range(1, scope + 1))
    s.method("remove", range(1, scope + 1))
    s.objects(scope)
    s.builders("add")
    return s
