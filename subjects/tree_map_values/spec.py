"""TreeMap with any values, as beapi2023 has it: the same implementation under black roots, `scope` keys and values."""

from itertools import pairwise

from harness.spec import Finitization, SequenceScope

title = "TreeMap, any values"
implementation = "../tree_map/impl.py"

RED, BLACK = False, True


def rep_ok(tree_map) -> bool:
    """A search tree with parent links and a black root, in which all paths have as many black nodes; counted."""
    root = tree_map.root
    if root is not None and root.color is not BLACK:
        return False
    visited: set = set()
    if _black_height(root, None, visited) is None or len(visited) != tree_map.size:
        return False
    keys = _keys(root)
    return all(one < other for one, other in pairwise(keys))


def _black_height(entry, parent, visited):
    """The number of black nodes on every path down from `entry`; None where the tree or its colours are wrong."""
    if entry is None:
        return 0
    if entry in visited or entry.parent is not parent:
        return None
    visited.add(entry)
    red = entry.color is RED
    if not (red or entry.color is BLACK) or (red and parent.color is RED):
        return None
    left = _black_height(entry.left, entry, visited)
    if left is None or _black_height(entry.right, entry, visited) != left:
        return None
    return left if red else left + 1


def _keys(entry) -> list:
    return [] if entry is None else [*_keys(entry.left), entry.key, *_keys(entry.right)]


def abstraction(tree_map) -> tuple:
    """The keys in order, each with its value: a tree stands for a map, whatever its shape and colours."""
    return _items(tree_map.root)


def _items(entry) -> tuple:
    return () if entry is None else (*_items(entry.left), (entry.key, entry.value), *_items(entry.right))


def post_put(before, after, result, key, value) -> bool:
    """The key has the value, all others have theirs; the result is the key's former value, None where it is new."""
    return result == dict(before).get(key) and after == tuple(sorted({**dict(before), key: value}.items()))


def post_remove(before, after, result, key) -> bool:
    """The key is gone, all others have their values; the result is the key's former value, None where it was absent."""
    return result == dict(before).get(key) and after == tuple(item for item in before if item[0] != key)


def finitization(scope: int) -> Finitization:
    """At most `scope` entries; keys and values 0..scope-1, also as arguments.

    States: sum over k of C(scope, k) scope^k B(k), where B(k) is the number of red-black trees of k entries whose
    roots are black (1, 1, 2, 2, 4, 8, 16).
    """
    numbers = range(scope)
    f = Finitization("TreeMap")
    entries = f.objects("Entry", scope)
    f.set("TreeMap.root", None, entries)
    f.set("TreeMap.size", range(scope + 1))
    for link in ("left", "right", "parent"):
        f.set(f"Entry.{link}", None, entries)
    f.set("Entry.color", RED, BLACK)
    f.set("Entry.key", numbers)
    f.set("Entry.value", numbers)
    f.method("put", numbers, numbers)
    f.method("remove", numbers)
    return f


def sequences(scope: int) -> SequenceScope:
    """The same bounds."""
    s = SequenceScope("TreeMap")
    s.method("put", range(scope), range(scope))
    s.method("remove", range(scope))
    s.objects(scope)
    return s
