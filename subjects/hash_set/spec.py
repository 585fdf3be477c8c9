"""HashSet: what a valid hash table is, how many there are to test with, and when two are equal."""

from harness.spec import Finitization, SequenceScope, and_, axiom, equal, field, is_in, length, less, not_, requirements

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


@requirements
def rep_ok_dedicated(hash_set):
    """The same by dedicated generators, which read in the same order (exhaustive2003, section 5)."""
    hash_map = hash_set.map
    table = hash_map.table
    yield not_(less(length(table), 1))
    yield equal(field(hash_map, "threshold"), len(table) * 3 // 4)
    count = field(hash_map, "count")
    yield and_(not_(less(count, 0)), not_(less(hash_map.threshold, count)))
    visited: list = []
    keys: list = []
    for index in range(len(table)):
        link = field(table, index)
        while True:
            is_last = index == len(table) - 1
            if len(visited) == hash_map.count:
                yield equal(link, None)
            else:
                yield not_(is_in(link, [None, *visited] if is_last else visited))
            entry = link.read()
            if entry is None:
                break
            visited.append(entry)
            yield not_(is_in(field(entry, "key"), [None, *keys] if index > 0 else keys))
            keys.append(entry.key)
            code = 0 if entry.key is None else entry.key.hash_code
            yield code % len(table) == index
            yield equal(field(entry, "hash_code"), code)
            yield equal(field(entry, "value"), True)
            link = field(entry, "next")


def abstraction(hash_set) -> tuple:
    """The hash codes of the elements in order, -1 for None: elements of equal hash code are interchangeable."""
    return tuple(sorted(_code(entry.key) for bucket in hash_set.map.table for entry in _chain(bucket)))


def post_add(before, after, result, element) -> bool:
    """One more element of its hash code, or all as before; the result tells whether it was absent.

    Which of several elements of one hash code are in the set no abstract value tells; axioms do.
    """
    if result is False:
        return _code(element) in before and after == before
    return result is True and after == tuple(sorted((*before, _code(element))))


def post_remove(before, after, result, element) -> bool:
    """One element of its hash code less, or all as before; the result tells whether it was present."""
    if result is False:
        return after == before
    return result is True and _code(element) in before and before == tuple(sorted((*after, _code(element))))


def _code(key) -> int:
    """What stands for an element in abstract values."""
    return -1 if key is None else key.hash_code


@axiom("add")
def add_implements_insertion_into_a_set(hash_set, element) -> bool:
    """The very element is in the set afterwards, all others as before; the result tells whether it was absent."""
    model = _identities(hash_set)
    added = hash_set.add(element)
    return added is (id(element) not in model) and _identities(hash_set) == model | {id(element)}


@axiom("remove")
def remove_implements_deletion_from_a_set(hash_set, element) -> bool:
    """The very element is not in the set any more, all others are; the result tells whether it was present."""
    model = _identities(hash_set)
    removed = hash_set.remove(element)
    return removed is (id(element) in model) and _identities(hash_set) == model - {id(element)}


@axiom("add")
def contains_finds_what_was_added_until_it_is_removed(hash_set, element) -> bool:
    """s.add(e).contains(e) and not s.add(e).remove(e).contains(e)."""
    hash_set.add(element)
    found = hash_set.contains(element)
    return found is True and hash_set.remove(element) and hash_set.contains(element) is False


def _identities(hash_set) -> set:
    """The elements as the set knows them: each is equal to itself only."""
    return {id(entry.key) for bucket in hash_set.map.table for entry in _chain(bucket)}


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


def sequences(scope: int) -> SequenceScope:
    """Elements that calls make, in tables as the constructor makes them: of more buckets than the finitization has."""
    elements = SequenceScope("HashSet").earlier("Element")
    s = SequenceScope("HashSet")
    s.constructor()
    s.constructor(range(scope), name="Element")
    s.method("add", (None, elements))
    s.method("remove", (None, elements))
    s.objects(scope)
    return s
