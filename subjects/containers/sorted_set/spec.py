"""SortedSet of the package sortedcontainers, by its calls alone: a set, and a SortedList of its members."""

from harness.spec import SequenceScope

title = "sortedcontainers SortedSet"
implementation = "sortedcontainers.sortedset"

METHODS_OF_ITS_PARTS = "isdisjoint|issubset|issuperset|bisect|bisect_left|bisect_right|index|irange|islice|_reset"


def sequences(scope: int) -> SequenceScope:
    """Sets of members 0..scope-1."""
    members, places = range(scope), range(-1, scope)
    s = SequenceScope("SortedSet")
    others = [s.fixed([]), s.fixed([scope - 1, 0]), s.fixed({0, scope // 2})]
    s.constructor()
    s.constructor(others)
    for name in ("add", "discard", "remove", "__contains__", "count"):
        s.method(name, members)
    for name in ("pop", "__getitem__", "__delitem__"):
        s.method(name, places)
    for name in ("update", "difference_update", "intersection_update", "symmetric_difference_update",
                 "union", "difference", "intersection", "symmetric_difference"):  # fmt: skip
        s.method(name, others)
    s.method("clear")
    s.method("copy")
    s.method("__len__")
    s.method("__eq__", [s.fixed({0}), s.fixed({0, 1})])
    s.omit("_index", "_offset", METHODS_OF_ITS_PARTS)
    return s
