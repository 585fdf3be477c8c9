"""collections.OrderedDict as it is written in Python: a dict, and its keys in a ring of links."""

from itertools import permutations

from harness.spec import Finitization, SequenceScope, Structures

title = "OrderedDict"
implementation = "collections"
blocked = ("_collections",)  # else C replaces the class
helpers = ["OrderedDict.__setitem__", "OrderedDict.__delitem__", "OrderedDict.__iter__", "OrderedDict.__reversed__",
           "OrderedDict.__new__", "OrderedDict.__init__"]  # fmt: skip

STORED, GIVEN = 1, 2  # the value of every key before the call, and the one that calls bring


def rep_ok(state) -> bool:
    """A ring from the root to the root, there and back, of one link for each key, which the map knows."""
    root, links = state._OrderedDict__root, state._OrderedDict__map
    if state._OrderedDict__hardroot is None or len(links) != len(state):
        return False
    if getattr(root, "key", None) is not None:
        return False
    previous, link, keys = root, root.next, []
    for _ in range(len(links)):
        if link == root or link.prev != previous or link.key not in links or link.key in keys:
            return False
        if links[link.key] != link or link.key not in state:
            return False
        keys.append(link.key)
        previous, link = link, link.next
    return link == root and root.prev == previous


def abstraction(state) -> tuple:
    """Keys with values, in their order."""
    found, link = [], state._OrderedDict__root.next
    for _ in range(len(state)):
        found.append((link.key, dict.get(state, link.key)))
        link = link.next
    return tuple(found)


def finitization(scope: int) -> Finitization:
    """At most `scope` keys 1..scope, in any order."""
    f = _dicts(scope)
    keys = range(1, scope + 1)
    f.method("__setitem__", keys, GIVEN)
    f.method("setdefault", keys, GIVEN)
    f.method("pop", keys)
    f.method("__delitem__", keys)
    f.method("popitem", (False, True))
    f.method("move_to_end", keys, (False, True))
    f.method("clear")
    f.method("copy")
    f.method("__eq__", Structures(_dicts(min(scope, 2)), rep_ok))
    return f


def sequences(scope: int) -> SequenceScope:
    """The same, made from their items; the root is a link, too."""
    keys = range(1, scope + 1)
    orders = [order for count in range(scope + 1) for order in permutations(keys, count)]
    s = SequenceScope("OrderedDict")
    s.constructor([s.fixed([(key, STORED) for key in order]) for order in orders])
    s.method("__setitem__", keys, [GIVEN])
    s.method("setdefault", keys, [GIVEN])
    s.method("pop", keys)
    s.method("__delitem__", keys)
    s.method("popitem", [False, True])
    s.method("move_to_end", keys, [False, True])
    s.method("clear")
    s.method("copy")
    s.method("__eq__", s.earlier("OrderedDict"))
    s.objects(scope + 1)
    s.builders()
    return s


def _dicts(scope: int) -> Finitization:
    f = Finitization("OrderedDict")
    links = f.objects("_Link", scope)
    roots = f.objects("_Link", 1)
    keys = range(1, scope + 1)
    f.contents("OrderedDict", keys=keys, values=[STORED])
    f.set("OrderedDict._OrderedDict__hardroot", roots)
    f.set("OrderedDict._OrderedDict__root", roots)
    f.set("OrderedDict._OrderedDict__map", f.dicts(1, keys=keys, values=links))
    f.set("_Link.prev", roots, links)
    f.set("_Link.next", roots, links)
    f.set("_Link.key", None, keys)
    return f
