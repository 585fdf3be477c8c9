"""RBTree of the package bintrees, by its calls alone: a red-black tree, changed from the top down."""

from harness.spec import SequenceScope

title = "bintrees RBTree"
implementation = "bintrees.rbtree"
helpers = ["RBTree._new_node", "is_red", "jsw_single", "jsw_double", "Node.__init__", "Node.__getitem__",
           "Node.__setitem__", "Node.free"]  # fmt: skip

VALUE = 1  # what every key has


def sequences(scope: int) -> SequenceScope:
    """Trees with keys 0..scope-1."""
    s = SequenceScope("RBTree")
    s.method("insert", range(scope), VALUE)
    s.method("remove", range(scope))
    s.objects(scope)
    return s
