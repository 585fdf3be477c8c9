"""SortedList: what a valid sorted list is, how many there are to test with, and when two are equal."""

from harness.spec import Finitization, SequenceScope, and_, axiom, equal, field, is_in, less, not_, requirements

title = "SortedList"


def rep_ok(items) -> bool:
    """A sound ring in which no element is missing or smaller than the one before."""
    if not _is_ring(items):
        return False
    entry, least = items.header.next, None
    while entry is not items.header:
        if entry.element is None or (least is not None and entry.element < least):
            return False
        least = entry.element
        entry = entry.next
    return True


def is_list(items) -> bool:
    """A sound ring in which no element is missing: what `sort` requires."""
    if not _is_ring(items):
        return False
    entry = items.header.next
    while entry is not items.header:
        if entry.element is None:
            return False
        entry = entry.next
    return True


def _is_ring(items) -> bool:
    """From the header and back to it, each entry's neighbours agree; `size` counts the others; the header is empty.

    It ends: where neighbours agree, the first entry to be met again is the header.
    """
    header = items.header
    if header is None or header.element is not None:
        return False
    last, length = header, 0
    while last.next is not header:
        entry = last.next
        if entry is None or entry.previous is not last:
            return False
        last = entry
        length += 1
    if header.previous is not last:
        return False
    return items.size == length


def are_mergeable(items, other) -> bool:
    """Two valid lists without a common entry: where rings share one they share all, and the only header."""
    return rep_ok(items) and rep_ok(other) and items.header is not other.header


@requirements
def rep_ok_dedicated(items):
    """`rep_ok` by dedicated generators, which read in the same order (exhaustive2003, section 5)."""
    yield _is_ring_dedicated(items)
    least = None
    for entry in _entries(items):
        element = field(entry, "element")
        yield and_(not_(equal(element, None)), *[not_(less(element, least))] * (least is not None))
        least = entry.element


@requirements
def is_list_dedicated(items):
    """`is_list`, likewise."""
    yield _is_ring_dedicated(items)
    for entry in _entries(items):
        yield not_(equal(field(entry, "element"), None))


@requirements
def are_mergeable_dedicated(items, other):
    """`are_mergeable`, likewise; the other list's header cannot be any entry of the one."""
    yield rep_ok_dedicated(items)
    yield not_(is_in(field(other, "header"), [items.header, *_entries(items)]))
    yield rep_ok_dedicated(other)


@requirements
def _is_ring_dedicated(items):
    yield not_(equal(field(items, "header"), None))
    header = items.header
    yield equal(field(header, "element"), None)
    entries = [header]
    while True:
        yield not_(is_in(field(entries[-1], "next"), [None, *entries[1:]]))
        entry = entries[-1].next
        if entry is header:
            break
        yield equal(field(entry, "previous"), entries[-1])
        entries.append(entry)
    yield equal(field(header, "previous"), entries[-1])
    yield equal(field(items, "size"), len(entries) - 1)


def abstraction(items) -> tuple:
    """The elements in the list's order."""
    return tuple(entry.element for entry in _entries(items))


def _entries(items):
    """The entries of a sound ring in its order, without the header."""
    entry = items.header.next
    while entry is not items.header:
        yield entry
        entry = entry.next


def post_insert(before, after, result, element) -> bool:
    """The element is one more of those in the list, at its place."""
    return result is None and after == tuple(sorted((*before, element)))


def post_remove(before, after, result, element) -> bool:
    """The element is in the list once less, if it was there, as the result tells."""
    rest = list(before)
    if element in rest:
        rest.remove(element)
    return result is (element in before) and after == tuple(rest)


def post_sort(before, after, result) -> bool:
    """The same elements, each as often, in ascending order."""
    return result is None and after == tuple(sorted(before))


def post_merge(before, after, result, other, *, arguments_after) -> bool:
    """All elements of the other list have moved here, to their places."""
    return result is None and after == tuple(sorted((*before, *other))) and arguments_after == [()]


@axiom("insert")
def removing_undoes_inserting(items, element) -> bool:
    """An inserted element can be removed, and what is left is what was there."""
    before = abstraction(items)
    items.insert(element)
    return items.remove(element) and abstraction(items) == before


@axiom("merge")
def merged_lists_can_be_merged_again(items, other) -> bool:
    """Both lists are left valid and apart."""
    items.merge(other)
    return are_mergeable(items, other)


def finitization(scope: int) -> Finitization:
    """`scope` + 1 entries, headers included; elements and arguments 1..scope.

    So `insert` and `remove` get the C(2 scope, scope) sorted lists of at most `scope` elements, each
    with every argument; `sort` all lists, sorted or not: scope^k of k elements; `merge` two lists,
    whose two headers leave scope - 1 entries for elements: as many pairs as there are multisets of at
    most scope - 1 elements of 2 scope kinds, C(3 scope - 1, scope - 1).
    """
    f = Finitization("SortedList")
    entries = f.objects("Entry", scope + 1)
    others = f.objects("SortedList", 1)
    elements = range(1, scope + 1)
    f.set("SortedList.header", None, entries)
    f.set("SortedList.size", range(scope + 1))
    f.set("Entry.element", None, elements)
    f.set("Entry.next", None, entries)
    f.set("Entry.previous", None, entries)
    f.method("insert", elements)
    f.method("remove", elements)
    f.method("sort", requires=is_list, any_state=True)
    f.method("merge", others, requires=are_mergeable, any_state=True)
    return f


def sequences(scope: int) -> SequenceScope:
    """At most `scope` entries, the header among them, and 0 is no element: C(2 scope - 2, scope - 1) lists."""
    elements = range(1, scope)
    s = SequenceScope("SortedList")
    s.method("insert", elements)
    s.method("remove", elements)
    s.method("sort")
    s.method("merge", s.earlier("SortedList"), requires=are_mergeable)
    s.objects(scope)
    s.builders("insert")
    return s
