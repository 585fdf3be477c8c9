"""heapdict of the package HeapDict, by its calls alone: a dict, and its keys in a heap by their values."""

from harness.spec import SequenceScope

title = "heapdict"
implementation = "heapdict"


def sequences(scope: int) -> SequenceScope:
    """Dicts with keys and values 0..scope-1."""
    keys = values = range(scope)
    s = SequenceScope("heapdict")
    s.unordered("d")
    s.method("__setitem__", keys, values)
    for name in ("__getitem__", "__delitem__", "pop"):
        s.method(name, keys)
    s.method("setdefault", keys, values)
    s.method("popitem")
    s.method("peekitem")
    s.method("clear")
    s.method("__len__")
    return s
