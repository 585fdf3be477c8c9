"""The persistent vector of the package pyrsistent, as it is written in Python: a trie of lists of 32, and a tail."""

from harness.spec import Finitization, SequenceScope

title = "pyrsistent pvector"
implementation = "pyrsistent._pvector"
blocked = ("pvectorc",)  # else C replaces the class

WIDTH, SHIFT = 32, 5


def rep_ok(vector) -> bool:
    """Leaves of 32 elements below a root of one level, and a tail of at most 32.

    A vector that is made of 32 elements has them in a leaf and an empty tail; `append` leaves them in the tail.
    """
    root, tail = vector._root, vector._tail
    if vector._shift != SHIFT or len(root) > WIDTH or len(tail) > WIDTH:
        return False
    for leaf in root:
        if len(leaf) != WIDTH:
            return False
    return vector._tail_offset == WIDTH * len(root) and vector._count == vector._tail_offset + len(tail)


def abstraction(vector) -> tuple:
    """The elements in order."""
    return (*(element for leaf in vector._root for element in leaf), *vector._tail)


def _tails_and_counts(scope: int) -> tuple[list[int], list[int]]:
    tails = [0, 1, WIDTH - 1, WIDTH]
    return tails, sorted({WIDTH * leaves + tail for leaves in range(scope + 1) for tail in tails})


def _positions(counts: list[int]) -> list[int]:
    """At and beside both ends of the vectors."""
    return sorted({-1, *(position + step for position in counts for step in (-1, 0, 1))})


def finitization(scope: int) -> Finitization:
    """Vectors of at most scope leaves, with tails of 0, 1, 31 or 32 elements; all elements are 0."""
    tails, counts = _tails_and_counts(scope)
    f = Finitization("PythonPVector")
    leaf = f.lists(1, lengths=[WIDTH], elements=[0])
    f.set("PythonPVector._root", f.lists(1, lengths=range(scope + 1), elements=leaf))
    f.set("PythonPVector._tail", f.lists(1, lengths=tails, elements=[0]))
    f.set("PythonPVector._shift", SHIFT)
    f.set("PythonPVector._tail_offset", [WIDTH * leaves for leaves in range(scope + 1)])
    f.set("PythonPVector._count", counts)
    positions = _positions(counts)
    f.method("append", 1)
    f.method("set", positions, 1)
    f.method("__getitem__", positions)
    f.method("delete", positions)
    f.method("tolist")
    f.method("__len__")
    f.method("__hash__")
    f.method("__mul__", range(3))
    return f


def sequences(scope: int) -> SequenceScope:
    """The same, made from their elements; vectors that calls give are not taken further."""
    counts = _tails_and_counts(scope)[1]
    s = SequenceScope("PythonPVector")
    s.constructor([s.fixed([0] * count) for count in counts], name="python_pvector")
    s.method("append", [1])
    s.method("set", _positions(counts), [1])
    for name in ("__getitem__", "delete"):
        s.method(name, _positions(counts))
    for name in ("tolist", "__len__", "__hash__"):
        s.method(name)
    s.method("__mul__", range(3))
    s.builders()
    return s
