"""collections.OrderedDict as it is written in Python, by its calls alone."""

from harness.spec import SequenceScope

title = "OrderedDict"
implementation = "collections"
blocked = ("_collections",)  # else C replaces the class
helpers = ["OrderedDict.__new__", "OrderedDict.__init__", "OrderedDict.__iter__", "OrderedDict.__reversed__"]

VALUE = 1  # what every key has


def sequences(scope: int) -> SequenceScope:
    """Dicts with keys 0..scope-1."""
    keys = range(scope)
    s = SequenceScope("OrderedDict")
    s.unordered("_OrderedDict__map")
    s.method("__setitem__", keys, VALUE)
    s.method("setdefault", keys, VALUE)
    s.method("__delitem__", keys)
    s.method("pop", keys)
    s.method("popitem", [True, False])
    s.method("move_to_end", keys, [True, False])
    s.method("clear")
    s.method("copy")
    s.method("__eq__", [s.fixed({0: 1}), s.fixed({})])
    return s
