"""LRUCache of the package cachetools, by its calls alone: a dict, and its keys in the order of their use."""

from harness.spec import SequenceScope

title = "cachetools LRUCache"
implementation = "cachetools"

VALUE = 1  # what every key has


def sequences(scope: int) -> SequenceScope:
    """Caches of at most 0..scope keys, which are among 0..scope-1."""
    keys = range(scope)
    s = SequenceScope("LRUCache")
    s.constructor(range(scope + 1))
    s.unordered("_Cache__data")  # its order is not counted
    s.method("__setitem__", keys, VALUE)
    for name in ("__getitem__", "__delitem__", "__contains__", "get", "pop"):
        s.method(name, keys)
    s.method("setdefault", keys, VALUE)
    s.method("popitem")
    s.method("clear")
    s.method("__len__")
    return s
