"""SortedSinglyLinkedList: what a valid list is, how many there are to test with, and when two are equal."""

from harness.relational import all_of, closure, count, for_all, no, some
from harness.spec import Finitization, SequenceScope, axiom

title = "SortedSinglyLinkedList"


def rep_ok(items) -> bool:
    """An empty header, then entries that are met once each, counted, none smaller than the one before."""
    header = items.header
    if header is None or header.element is not None:
        return False
    visited = {header}
    least = None
    entry = header.next
    while entry is not None:
        if entry in visited:
            return False
        visited.add(entry)
        if entry.element is None or (least is not None and entry.element < least):
            return False
        least = entry.element
        entry = entry.next
    return items.size == len(visited) - 1


def invariant(items, heap):
    """The same as a formula (field_exhaustive2016, section 3)."""
    behind = closure(heap.next)
    entries = items.header @ behind
    return all_of(
        some(items.header),
        no(items.header.element),
        for_all(items.header | entries, lambda entry: ~entry.within(entry @ behind)),
        for_all(entries, lambda entry: some(entry.element) & (entry.element <= entry.next.element)),
        items.size == count(entries),
    )


def abstraction(items) -> tuple:
    """The elements in the list's order."""
    elements = []
    entry = items.header.next
    while entry is not None:
        elements.append(entry.element)
        entry = entry.next
    return tuple(elements)


def post_get(before, after, result, index, *, raised) -> bool:
    """The element at the index is returned, and nothing changes; behind the end there is none."""
    if index >= len(before):
        return isinstance(raised, IndexError) and after == before
    return raised is None and type(result) is int and result == before[index] and after == before


def post_add(before, after, result, element) -> bool:
    """The element is one more of those in the list, at its place."""
    return result is None and after == tuple(sorted((*before, element)))


def post_remove(before, after, result, element) -> bool:
    """The element is in the list once less, if it was there, as the result tells."""
    rest = list(before)
    if element in rest:
        rest.remove(element)
    return result is (element in before) and after == tuple(rest)


@axiom("add")
def removing_undoes_adding(items, element) -> bool:
    """An added element can be removed, and what is left is what was there."""
    before = abstraction(items)
    items.add(element)
    return items.remove(element) and abstraction(items) == before


def finitization(scope: int) -> Finitization:
    """`scope` entries, the header among them; elements 1..scope, also as arguments; indices 0..scope-1.

    So there are the C(2 scope - 1, scope) sorted lists of at most scope - 1 elements, and 3 scope calls on each
    (field_exhaustive2016, Table 1).
    """
    elements = range(1, scope + 1)
    f = Finitization("SortedSinglyLinkedList")
    entries = f.objects("Entry", scope)
    f.set("SortedSinglyLinkedList.header", None, entries)
    f.set("SortedSinglyLinkedList.size", range(scope))
    f.set("Entry.element", None, elements)
    f.set("Entry.next", None, entries)
    f.method("get", range(scope))
    f.method("add", elements)
    f.method("remove", elements)
    return f


def sequences(scope: int) -> SequenceScope:
    """The same bounds; adding makes every list."""
    elements = range(1, scope + 1)
    s = SequenceScope("SortedSinglyLinkedList")
    s.method("get", range(scope))
    s.method("add", elements)
    s.method("remove", elements)
    s.objects(scope)
    s.builders("add")
    return s
