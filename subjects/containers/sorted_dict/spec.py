"""SortedDict of the package sortedcontainers, by its calls alone: a dict, and a SortedList of its keys."""

from harness.spec import SequenceScope

title = "sortedcontainers SortedDict"
implementation = "sortedcontainers.sorteddict"

METHODS_OF_THE_LIST = "_list_.+|bisect|bisect_left|bisect_right|index|irange|islice|_reset"


def sequences(scope: int) -> SequenceScope:
    """Dicts with keys 0..scope-1, of which each has the value 0 or 1."""
    keys, places = range(scope), range(-1, scope)
    s = SequenceScope("SortedDict")
    s.constructor()
    s.constructor(s.fixed({scope - 1: 0, 0: 1}))
    s.method("__setitem__", keys, range(2))
    s.method("setdefault", keys, 1)
    s.method("__delitem__", keys)
    s.method("pop", keys)
    s.method("popitem", places)
    s.method("peekitem", places)
    s.method("update", [s.fixed({}), s.fixed({0: 1}), s.fixed([[0, 0], [scope - 1, 1]])])
    s.method("clear")
    s.method("copy")
    s.method("__eq__", [s.fixed({0: 0}), s.fixed({})])
    s.omit("_index", "_offset", METHODS_OF_THE_LIST)
    return s
