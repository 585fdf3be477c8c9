"""AVLTree of the package bintrees, by its calls alone: balanced by the heights that its nodes keep."""

from harness.spec import SequenceScope

title = "bintrees AVLTree"
implementation = "bintrees.avltree"
helpers = ["AVLTree._new_node", "height", "jsw_single", "jsw_double", "Node.__init__", "Node.__getitem__",
           "Node.__setitem__", "Node.free"]  # fmt: skip

VALUE = 1  # what every key has


def sequences(scope: int) -> SequenceScope:
    """Trees with keys 0..scope-1."""
    s = SequenceScope("AVLTree")
    s.method("insert", range(scope), VALUE)
    s.method("remove", range(scope))
    s.objects(scope)
    return s
