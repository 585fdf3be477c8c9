"""TreeMap: what a valid red-black tree is, how many there are to test with, and when two are equal."""

from harness.spec import Finitization, SequenceScope

title = "TreeMap"

RED, BLACK = False, True
STORED, GIVEN = 1, 2  # the value of every entry before the call, and the one that put brings


def rep_ok(tree_map) -> bool:
    """A tree with a black root and parent links, coloured so that all paths are about as long, counted, in order."""
    root = tree_map.root
    if root is not None and root.color is not BLACK:
        return False
    visited: set = set()
    if _black_height(root, None, visited) is None or len(visited) != tree_map.size:
        return False
    return _is_ordered(root)


def _black_height(entry, parent, visited):
    """The number of black nodes on every path down from `entry`; None where the tree or its colours are wrong."""
    if entry is None:
        return 0
    if entry in visited:
        return None
    visited.add(entry)
    if entry.parent is not parent:
        return None
    red = entry.color is RED
    if not (red or entry.color is BLACK) or (red and parent is not None and parent.color is RED):
        return None
    left = _black_height(entry.left, entry, visited)
    if left is None or _black_height(entry.right, entry, visited) != left:
        return None
    return left if red else left + 1


def _is_ordered(root) -> bool:
    """Each key is larger than the one before it."""
    previous = None
    for entry in _entries(root):
        if previous is not None and entry.key <= previous:
            return False
        previous = entry.key
    return True


def _entries(entry):
    """The entries below `entry` in the order of their places, lazily."""
    if entry is not None:
        yield from _entries(entry.left)
        yield entry
        yield from _entries(entry.right)


def abstraction(tree_map) -> tuple:
    """The keys in order, each with its value: a tree stands for a map, whatever its shape and colours."""
    return tuple((entry.key, entry.value) for entry in _entries(tree_map.root))


def post_put(before, after, result, key, value) -> bool:
    """The key has the value, all others have theirs; the result is the key's former value, None where it is new."""
    return result == dict(before).get(key) and after == tuple(sorted({**dict(before), key: value}.items()))


def post_remove(before, after, result, key) -> bool:
    """The key is gone, all others have their values; the result is the key's former value, None where it was absent."""
    return result == dict(before).get(key) and after == tuple(item for item in before if item[0] != key)


def finitization(scope: int) -> Finitization:
    """At most `scope` entries; keys 1..scope, also as arguments; one value before the call, another for put.

    Calls on each: `put` and `remove` of scope keys, 2 scope.
    """
    keys = range(1, scope + 1)
    f = Finitization("TreeMap")
    entries = f.objects("Entry", scope)
    f.set("TreeMap.root", None, entries)
    f.set("TreeMap.size", range(scope + 1))
    for link in ("left", "right", "parent"):
        f.set(f"Entry.{link}", None, entries)
    f.set("Entry.color", RED, BLACK)
    f.set("Entry.key", keys)
    f.set("Entry.value", STORED)
    f.method("put", keys, GIVEN)
    f.method("remove", keys)
    return f


def sequences(scope: int) -> SequenceScope:
    """As many keys as calls behind the constructor, all put with the same value."""
    s = SequenceScope("TreeMap")
    s.method("put", range(1, scope + 1), GIVEN)
    s.method("remove", range(1, scope + 1))
    s.objects(scope)
    return s
