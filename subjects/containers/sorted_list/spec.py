"""SortedList of the package sortedcontainers, by its calls alone: a list of short sorted lists."""

from harness.spec import SequenceScope

title = "sortedcontainers SortedList"
implementation = "sortedcontainers.sortedlist"

SPLIT_AT = 2  # `_load`, of which a list has twice as many elements at the most; 1,000 as it is made


def sequences(scope: int) -> SequenceScope:
    """Lists of elements 0..scope-1, split at 2,000 elements or at four."""
    values, places = range(scope), range(-1, scope)
    s = SequenceScope("SortedList")
    s.constructor()
    s.constructor([s.fixed([scope - 1, 0, 0])])
    s.method("_reset", SPLIT_AT)
    s.method("add", values)
    s.method("discard", values)
    s.method("remove", values)
    s.method("pop", places)
    s.method("update", [s.fixed([]), s.fixed([scope - 1, 0])])
    s.method("clear")
    s.method("__contains__", values)
    s.method("__getitem__", places)
    s.method("__delitem__", places)
    s.method("count", values)
    s.method("index", values)
    s.method("bisect_left", values)
    s.method("bisect_right", values)
    s.method("copy")
    s.elements(scope)
    s.omit("_index", "_offset")  # made when they are needed
    return s
