"""TreeMap under the corrected invariant: the root is black. The same implementation, fewer states."""

from harness.spec import Finitization, SequenceScope, axiom

title = "TreeMap, black roots"
implementation = "../tree_map/impl.py"

RED, BLACK = False, True
STORED, GIVEN = 1, 2  # the value of every entry before the call, and the one that put brings


def rep_ok(tree_map) -> bool:
    """A red-black tree as the textbook has it (Cormen et al., section 13.1): the root, too, is black."""
    root = tree_map.root
    if root is None:
        return tree_map.size == 0
    if root.color is not BLACK:
        return False
    visited: set = set()
    if _black_height(root, None, visited) is None:
        return False
    return len(visited) == tree_map.size and _is_ordered(root, None, None)


def _black_height(entry, parent, visited):
    """The number of black nodes on every path down from `entry`; None where the tree or its colours are wrong."""
    if entry is None:
        return 0
    if entry in visited or entry.parent is not parent:
        return None
    visited.add(entry)
    red = entry.color is RED
    wrong = not (red or entry.color is BLACK) or (red and parent.color is RED)
    left = None if wrong else _black_height(entry.left, entry, visited)
    if left is None or _black_height(entry.right, entry, visited) != left:
        return None
    return left + (entry.color is BLACK)


def _is_ordered(entry, low, high) -> bool:
    """All keys below `entry` lie strictly between `low` and `high`, where given."""
    if entry is None:
        return True
    if (low is not None and entry.key <= low) or (high is not None and entry.key >= high):
        return False
    return _is_ordered(entry.left, low, entry.key) and _is_ordered(entry.right, entry.key, high)


def abstraction(tree_map) -> tuple:
    """The keys in order, each with its value."""
    return _items(tree_map.root)


def _items(entry) -> tuple:
    return () if entry is None else (*_items(entry.left), (entry.key, entry.value), *_items(entry.right))


def post_put(before, after, result, key, value) -> bool:
    """The key has the value, all others have theirs; the result is the key's former value, None where it is new."""
    return result == dict(before).get(key) and after == tuple(sorted({**dict(before), key: value}.items()))


def post_remove(before, after, result, key) -> bool:
    """The key is gone, all others have their values; the result is the key's former value, None where it was absent."""
    return result == dict(before).get(key) and after == tuple(item for item in before if item[0] != key)


@axiom("put")
def what_is_put_can_be_got(tree_map, key, value) -> bool:
    """m.put(k, v).get(k).equals(v), and no other key's value changes."""
    expected = {**dict(abstraction(tree_map)), key: value}
    tree_map.put(key, value)
    return all(tree_map.get(k) == v and tree_map.contains_key(k) for k, v in expected.items())


@axiom("remove")
def what_is_removed_can_be_put_back(tree_map, key) -> bool:
    """A removed key has no value until it is given one."""
    before = abstraction(tree_map)
    value = tree_map.remove(key)
    if tree_map.contains_key(key) or tree_map.get(key) is not None:
        return False
    return value is None or (tree_map.put(key, value) is None and abstraction(tree_map) == before)


def finitization(scope: int) -> Finitization:
    """As for `tree_map`: at most `scope` entries, keys 1..scope, also as arguments: 2 scope calls per state."""
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
    """The same bounds; the finitization fixes the values of entries, so they tell nothing here."""
    s = SequenceScope.of_finitization(finitization(scope), scope)
    s.omit("value")
    return s
