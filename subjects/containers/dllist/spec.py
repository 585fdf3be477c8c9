"""dllist of the package pyllist, by its calls alone: a doubly linked list whose nodes know it."""

from harness.spec import SequenceScope

title = "pyllist dllist"
implementation = "pyllist.dllist"


def sequences(scope: int) -> SequenceScope:
    """Lists of at most `scope` elements 0..scope-1."""
    values, places = range(scope), range(-1, scope)
    s = SequenceScope("dllist")
    s.constructor()
    s.constructor(s.fixed([scope - 1, 0]))
    for name in ("append", "appendleft", "appendright"):
        s.method(name, values)
    for name in ("pop", "popleft", "popright", "__len__"):
        s.method(name)
    s.method("nodeat", places)
    s.method("__getitem__", places)
    s.method("__delitem__", places)
    s.method("__setitem__", places, values)
    s.method("__add__", s.fixed([0]))
    s.method("__iadd__", s.fixed([0, scope - 1]))
    s.method("__imul__", range(3))
    s.objects(scope)
    s.omit("_dllist__last_access_node", "_dllist__last_access_idx")  # where it looked last
    s.misuse("ValueError", "LookupError", "TypeError")
    return s
