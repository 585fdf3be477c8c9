"""SortedList of the package sortedcontainers: short sorted lists in a list, with their last elements and an index."""

from harness.spec import Finitization

title = "sortedcontainers SortedList"
implementation = "sortedcontainers.sortedlist"

LOAD = 2  # instead of 1000, so that few elements make it split and join its lists: at more than 4, at less than 1


def rep_ok(state) -> bool:
    """Lists of 1 to 4 elements, in order and counted, their last elements beside them; an index is empty or right."""
    lists, maxes = state._lists, state._maxes
    if len(maxes) != len(lists):
        return False
    count, previous = 0, None
    for position in range(len(lists)):
        part = lists[position]
        if not 1 <= len(part) <= 2 * LOAD:
            return False
        for other in range(position):
            if lists[other] is part:
                return False
        for element in part:
            if previous is not None and element < previous:
                return False
            previous = element
        if maxes[position] != previous:
            return False
        count += len(part)
    if state._len != count or state._load != LOAD:
        return False
    return _index_ok(state)


def _index_ok(state) -> bool:
    """The sum of the lengths of both lists, and each; one list alone has none, as no position is looked for there."""
    index, lists = state._index, state._lists
    if len(index) == 0:
        return True  # whatever the offset was
    if len(lists) != 2 or state._offset != 1 or len(index) != 3:
        return False
    first, second = len(lists[0]), len(lists[1])
    return index[0] == first + second and index[1] == first and index[2] == second


def abstraction(state) -> tuple:
    """The elements in order."""
    return tuple(element for part in state._lists for element in part)


def finitization(scope: int) -> Finitization:
    """At most two lists of together at most 2 x scope elements 0..scope-1, equal ones allowed."""
    elements = range(scope)
    f = Finitization("SortedList")
    parts = f.lists(2, lengths=range(1, min(scope, 2 * LOAD) + 1), elements=elements)
    f.set("SortedList._lists", f.lists(1, lengths=range(3), elements=parts))
    f.set("SortedList._maxes", f.lists(1, lengths=range(3), elements=elements))
    f.set("SortedList._len", range(2 * scope + 1))
    f.set("SortedList._load", LOAD)
    f.set("SortedList._index", f.lists(1, lengths=[0, 3], elements=range(1, 2 * scope + 1)))
    f.set("SortedList._offset", 0, 1)
    for name in ("add", "remove", "bisect_left", "bisect_right"):
        f.method(name, elements)
    return f
