"""The persistent vector of the package pyrsistent, as it is written in Python: a trie of lists of 32, and a tail."""

from harness.spec import Finitization

title = "pyrsistent pvector"
implementation = "pyrsistent._pvector"
blocked = ("pvectorc",)  # else C replaces the class

WIDTH, SHIFT = 32, 5


def rep_ok(vector) -> bool:
    """Leaves of 32 elements below a root of one level, and a tail that is empty only where the vector is."""
    root, tail = vector._root, vector._tail
    if vector._shift != SHIFT or len(root) > WIDTH or len(tail) > WIDTH:
        return False
    for leaf in root:
        if len(leaf) != WIDTH:
            return False
    if len(root) > 0 and len(tail) == 0:
        return False
    return vector._tail_offset == WIDTH * len(root) and vector._count == vector._tail_offset + len(tail)


def abstraction(vector) -> tuple:
    """The elements in order."""
    return (*(element for leaf in vector._root for element in leaf), *vector._tail)


def finitization(scope: int) -> Finitization:
    """Vectors of at most scope leaves, with tails of 0, 1, 31 or 32 elements; all elements are 0."""
    tails = [0, 1, WIDTH - 1, WIDTH]
    counts = sorted({WIDTH * leaves + tail for leaves in range(scope + 1) for tail in tails})
    f = Finitization("PythonPVector")
    leaf = f.lists(1, lengths=[WIDTH], elements=[0])
    f.set("PythonPVector._root", f.lists(1, lengths=range(scope + 1), elements=leaf))
    f.set("PythonPVector._tail", f.lists(1, lengths=tails, elements=[0]))
    f.set("PythonPVector._shift", SHIFT)
    f.set("PythonPVector._tail_offset", [WIDTH * leaves for leaves in range(scope + 1)])
    f.set("PythonPVector._count", counts)
    positions = sorted({-1, *(position + step for position in counts for step in (-1, 0, 1))})
    f.method("append", 1)
    f.method("set", positions, 1)
    f.method("__getitem__", positions)
    f.method("delete", positions)
    f.method("tolist")
    f.method("__len__")
    f.method("__hash__")
    f.method("__mul__", range(3))
    return f
