"""TreeSet: what a valid red-black tree is, how many there are to test with, and when two are equal."""

from harness.relational import all_of, closure, count, for_all, no, reflexive_closure, some, those
from harness.spec import Finitization, SequenceScope, axiom

title = "TreeSet"

RED, BLACK = False, True


def rep_ok(tree_set) -> bool:
    """A search tree with parent links, no red entry below a red one, as many black ones on each path; counted.

    The root may be red, as the published numbers of inputs need (field_exhaustive2016, Table 1).
    """
    visited: set = set()
    if _black_height(tree_set.root, None, None, visited) is None:
        return False
    if tree_set.size != len(visited):
        return False
    return _is_ordered(tree_set.root)


def _black_height(entry, parent, height, visited):
    """The number of black entries on each path down from `entry`; None where it is not `height`, if that is given.

    None, too, where the tree or its colours are wrong. `height` is known from the left sibling.
    """
    if entry is None:
        return None if height else 0
    if entry in visited:
        return None
    visited.add(entry)
    if entry.parent is not parent:
        return None
    red = entry.color is RED
    if not (red or entry.color is BLACK) or (red and parent is not None and parent.color is RED):
        return None
    if height is not None and not red:
        if height == 0:
            return None
        height -= 1
    left = _black_height(entry.left, entry, height, visited)
    if left is None or _black_height(entry.right, entry, left, visited) is None:
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


def invariant(tree_set, heap):
    """The same as a formula; a path ends where a child is missing."""
    edges = heap.left | heap.right
    below, deeper, above = reflexive_closure(edges), closure(edges), reflexive_closure(heap.parent)
    entries = tree_set.root @ below
    black = those(entries, lambda entry: entry.color == BLACK)
    ends = those(entries, lambda entry: no(entry.left) | no(entry.right))
    return all_of(
        no(tree_set.root.parent),
        for_all(
            entries,
            lambda entry: all_of(
                no((entry.left @ below) & (entry.right @ below)),
                ~entry.within(entry @ deeper),
                for_all(entry.left @ below, lambda smaller: smaller.key < entry.key),
                for_all(entry.right @ below, lambda larger: larger.key > entry.key),
                for_all(
                    entry.left | entry.right, lambda child: (child.parent == entry) & some((entry | child) & black)
                ),
            ),
        ),
        for_all(
            ends, lambda end: for_all(ends, lambda other: count(end @ above & black) == count(other @ above & black))
        ),
        tree_set.size == count(entries),
    )


def abstraction(tree_set) -> tuple:
    """The keys in order: a tree stands for a set, whatever its shape and colours."""
    return tuple(entry.key for entry in _entries(tree_set.root))


def post_add(before, after, result, key) -> bool:
    """The key is in the set afterwards, all others as before; the result tells whether it was absent."""
    return result is (key not in before) and after == tuple(sorted({*before, key}))


def post_remove(before, after, result, key) -> bool:
    """The key is not in the set any more, all others are; the result tells whether it was present."""
    return result is (key in before) and after == tuple(other for other in before if other != key)


def post_contains(before, after, result, key) -> bool:
    """The result tells whether the key is in the set, which stays as it was."""
    return result is (key in before) and after == before


@axiom("add")
def what_is_added_is_found_until_it_is_removed(tree_set, key) -> bool:
    """Whatever was there before."""
    tree_set.add(key)
    return tree_set.contains(key) and tree_set.remove(key) and not tree_set.contains(key)


def finitization(scope: int) -> Finitization:
    """At most `scope` entries; keys 1..scope, also as arguments.

    So there are sum C(scope, k) RB(k) trees, RB = 1, 2, 2, 3, 8, 14, 20, 35, ... (OEIS A001131: shapes and colours
    of k entries), and 3 scope calls on each (field_exhaustive2016, Table 1).
    """
    keys = range(1, scope + 1)
    f = Finitization("TreeSet")
    entries = f.objects("Entry", scope)
    f.set("TreeSet.root", None, entries)
    f.set("TreeSet.size", range(scope + 1))
    for link in ("left", "right", "parent"):
        f.set(f"Entry.{link}", None, entries)
    f.set("Entry.color", RED, BLACK)
    f.set("Entry.key", keys)
    f.method("add", keys)
    f.method("remove", keys)
    f.method("contains", keys)
    return f


def sequences(scope: int) -> SequenceScope:
    """The same bounds; adding and removing make every tree with a black root."""
    keys = range(1, scope + 1)
    s = SequenceScope("TreeSet")
    s.method("add", keys)
    s.method("remove", keys)
    s.method("contains", keys)
    s.objects(scope)
    return s
