"""collections.UserList, of the standard library: a list in a list."""

from harness.spec import Finitization, Structures

title = "UserList"
implementation = "collections"


def rep_ok(state) -> bool:
    """Anything may be in the list."""
    return len(state.data) >= 0


def abstraction(state) -> tuple:
    """The elements in order."""
    return tuple(state.data)


def finitization(scope: int) -> Finitization:
    """Lists of 0..scope elements 1..scope, which are the arguments, too; positions -1..scope."""
    elements, positions = range(1, scope + 1), range(-1, scope + 1)
    f = _lists(scope)
    other = Structures(_lists(min(scope, 2)), rep_ok)
    for name in ("append", "remove", "count", "index", "__contains__"):
        f.method(name, elements)
    f.method("insert", positions, elements)
    f.method("__setitem__", positions, elements)
    for name in ("pop", "__getitem__", "__delitem__", "__mul__"):
        f.method(name, positions)
    for name in ("extend", "__add__", "__iadd__", "__eq__", "__lt__"):
        f.method(name, other)
    for name in ("reverse", "sort", "clear", "copy", "__len__"):
        f.method(name)
    return f


def _lists(scope: int) -> Finitization:
    f = Finitization("UserList")
    f.set("UserList.data", f.lists(1, lengths=range(scope + 1), elements=range(1, scope + 1)))
    return f
