"""HashSet: what a valid hash table is, how many there are to test with, and when two are equal."""

from harness.spec import Finitization

title = "HashSet"


def rep_ok(hash_set) -> bool:
    """As many entries as `count` says, no more than the table is meant for; each in its bucket; no key twice."""
    hash_map = hash_set.map
    capacity = len(hash_map.table)
    if capacity < 1 or hash_map.threshold != capacity * 3 // 4:
        return False
    if not 0 <= hash_map.count <= hash_map.threshold:
        return False
    visited: set = set()
    keys: list = []
    for index in range(capacity):
        entry = hash_map.table[index]
        while entry is not None:
            if entry in visited or len(visited) == hash_map.count:
                return False
            visited.add(entry)
            if not _is_at_home(entry, index, capacity) or any(entry.key is key for key in keys):
                return False
            keys.append(entry.key)
            entry = entry.next
    return len(visited) == hash_map.count


def _is_at_home(entry, index, capacity) -> bool:
    """`entry` lies in the bucket of its key's hash code, remembers that code, and marks the key as present."""
    hash_code = 0 if entry.key is None else entry.key.hash_code
    return hash_code % capacity == index and entry.hash_code == hash_code and entry.value is True


def abstraction(hash_set) -> tuple:
    """The hash codes of the elements in order, -1 for None: elements of equal hash code are interchangeable."""
    keys = [entry.key for bucket in hash_set.map.table for entry in _chain(bucket)]
    return tuple(sorted(-1 if key is None else key.hash_code for key in keys))


def _chain(entry):
    """The entries from `entry` on."""
    while entry is not None:
        yield entry
        entry = entry.next


def finitization(scope: int) -> Finitization:
    """Tables of 1..scope buckets, at most three quarters full; elements: None, and objects of hash codes 0..scope-1.

    The elements are interchangeable, so neither states nor arguments depend on which of them is taken:
    `add` and `remove` are called with None, with each element of the set, and with one more element of
    every hash code. A state of n elements other than None thus has 2 (1 + n + scope) calls.
    """
    codes = range(scope)
    f = Finitization("HashSet")
    maps = f.objects("HashMap", 1)
    entries = f.objects("Entry", scope)
    elements = f.objects("Element", scope)
    f.set("HashSet.map", maps)
    f.set("HashMap.table", f.lists(1, lengths=range(1, scope + 1), elements=(None, entries)))
    f.set("HashMap.count", range(scope + 1))
    f.set("HashMap.threshold", range(scope + 1))
    f.set("Entry.hash_code", codes)
    f.set("Entry.key", None, elements)
    f.set("Entry.value", True)
    f.set("Entry.next", None, entries)
    f.set("Element.hash_code", codes)
    f.method("add", (None, elements))
    f.method("remove", (None, elements))
    return f
