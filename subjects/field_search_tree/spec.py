"""BinarySearchTree: what a valid search tree is, how many there are to test with, and when two are equal."""

from harness.relational import all_of, closure, count, for_all, no, reflexive_closure
from harness.spec import Finitization, SequenceScope, axiom

title = "BinarySearchTree"
implementation = "../search_tree/impl.py"


def rep_ok(tree) -> bool:
    """Every node is met once, its key between those above it to its left and right; `size` counts them."""
    visited: set = set()
    return _is_ordered(tree.root, None, None, visited) and tree.size == len(visited)


def _is_ordered(node, low, high, visited) -> bool:
    """The nodes below `node` are unvisited before, their keys strictly between `low` and `high`, where given."""
    if node is None:
        return True
    if node in visited:
        return False
    visited.add(node)
    if (low is not None and node.info <= low) or (high is not None and node.info >= high):
        return False
    return _is_ordered(node.left, low, node.info, visited) and _is_ordered(node.right, node.info, high, visited)


def invariant(tree, heap):
    """The same as a formula: Figure 4 of field_exhaustive2016."""
    edges = heap.left | heap.right
    below, deeper = reflexive_closure(edges), closure(edges)
    nodes = tree.root @ below
    return all_of(
        for_all(
            nodes,
            lambda node: all_of(
                no((node.left @ below) & (node.right @ below)),
                ~node.within(node @ deeper),
                for_all(node.left @ below, lambda smaller: smaller.info < node.info),
                for_all(node.right @ below, lambda larger: larger.info > node.info),
            ),
        ),
        tree.size == count(nodes),
    )


def abstraction(tree) -> tuple:
    """The set of keys, in order: a tree stands for a set, whatever its shape."""
    return _keys(tree.root)


def _keys(node) -> tuple:
    return () if node is None else (*_keys(node.left), node.info, *_keys(node.right))


def post_add(before, after, result, key) -> bool:
    """The key is in the set afterwards, all others as before; the result tells whether it was absent."""
    return result is (key not in before) and after == tuple(sorted({*before, key}))


def post_contains(before, after, result, key) -> bool:
    """The result tells whether the key is in the set, which stays as it was."""
    return result is (key in before) and after == before


def post_remove(before, after, result, key) -> bool:
    """The key is not in the set any more, all others are; the result tells whether it was present."""
    return result is (key in before) and after == tuple(other for other in before if other != key)


@axiom("add")
def what_is_added_is_found_until_it_is_removed(tree, key) -> bool:
    """Whatever was there before."""
    tree.add(key)
    return tree.contains(key) and tree.remove(key) and not tree.contains(key)


def finitization(scope: int) -> Finitization:
    """At most `scope` nodes; keys 1..scope, also as arguments.

    So there are sum C(scope, k) Catalan(k) trees, and 3 scope calls on each (field_exhaustive2016, Table 1).
    """
    keys = range(1, scope + 1)
    f = Finitization("SearchTree")
    nodes = f.objects("Node", scope)
    f.set("SearchTree.root", None, nodes)
    f.set("SearchTree.size", range(scope + 1))
    f.set("Node.left", None, nodes)
    f.set("Node.right", None, nodes)
    f.set("Node.info", keys)
    f.method("add", keys)
    f.method("contains", keys)
    f.method("remove", keys)
    return f


def sequences(scope: int) -> SequenceScope:
    """The same bounds; adding makes every tree."""
    keys = range(1, scope + 1)
    s = SequenceScope("SearchTree")
    s.method("add", keys)
    s.method("contains", keys)
    s.method("remove", keys)
    s.objects(scope)
    s.builders("add")
    return s
