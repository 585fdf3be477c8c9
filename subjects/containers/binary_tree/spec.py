"""BinaryTree of the package bintrees, by its calls alone: a search tree that nothing balances."""

from harness.spec import SequenceScope

title = "bintrees BinaryTree"
implementation = "bintrees.bintree"
helpers = ["BinaryTree._new_node", "Node.__init__", "Node.__getitem__", "Node.__setitem__", "Node.free"]

VALUE = 1  # what every key has


def sequences(scope: int) -> SequenceScope:
    """Trees with keys 0..scope-1."""
    s = SequenceScope("BinaryTree")
    s.method("insert", range(scope), VALUE)
    s.method("remove", range(scope))
    s.objects(scope)
    return s
