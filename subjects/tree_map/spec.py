"""TreeMap: what a valid red-black tree is, how many there are to test with, and when two are equal."""

from harness.spec import Finitization, SequenceScope, axiom, equal, field, is_in, is_sorted, not_, requirements

title = "TreeMap"

RED, BLACK = False, True
STORED, GIVEN = 1, 2  # the value of every entry before the call, and the one that put brings


def rep_ok(tree_map) -> bool:
    """A tree with parent links, coloured so that all paths are about as long, counted, its keys in order.

    The root may be red, as in the original invariant; `tree_map_black_root` has the stricter one.
    """
    visited: set = set()
    if _black_height(tree_map.root, None, visited) is None:
        return False
    if len(visited) != tree_map.size:
        return False
    return _is_ordered(tree_map.root)


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


@requirements
def rep_ok_dedicated(tree_map):
    """The same by dedicated generators, which read in the same order (exhaustive2003, section 5)."""
    visited: list = []
    yield _is_red_black(tree_map.root, None, None, visited, [])
    yield equal(field(tree_map, "size"), len(visited))
    yield is_sorted((field(entry, "key") for entry in _entries(tree_map.root)), strict=True)


@requirements
def _is_red_black(entry, parent, height, visited, heights):
    """As `_black_height`, which is appended to `heights`; it has to be `height`, unless that is None."""
    if entry is None:
        heights.append(0)
        return
    visited.append(entry)
    yield equal(field(entry, "parent"), parent)
    may_be_red = parent is None or parent.color is BLACK
    yield is_in(field(entry, "color"), [RED] * may_be_red + [BLACK] * (height != 0))
    black = entry.color is BLACK
    below = [] if height is None else [height - black]
    for link in ("left", "right"):
        yield not_(is_in(field(entry, link), [None, *visited] if any(below) else visited))
        yield _is_red_black(getattr(entry, link), entry, below[0] if below else None, visited, below)
    heights.append(below[-1] + black)


def abstraction(tree_map) -> tuple:
    """The keys in order, each with its value: a tree stands for a map, whatever its shape and colours."""
    return tuple((entry.key, entry.value) for entry in _entries(tree_map.root))


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
    """At most `scope` entries; keys 1..scope, also as arguments; one value before the call, another for put.

    States: sum over k of C(scope, k) RB(k), where RB(k) is the number of shapes with colours of k entries
    (1, 2, 2, 3, 8, 14, 20, 35; OEIS A001131). Calls on each: `put` and `remove` of scope keys, 2 scope.
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
    """The same bounds; the finitization fixes the values of entries, so they tell nothing here."""
    s = SequenceScope.of_finitization(finitization(scope), scope)
    s.omit("value")
    return s
