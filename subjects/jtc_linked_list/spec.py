"""LinkedList: what a valid list is, how many there are to test with, and when two are equal."""

from harness.spec import Finitization, SequenceScope

title = "LinkedList"


def rep_ok(items) -> bool:
    """From the header around the ring and back, each one's neighbours agree; `size` counts the entries."""
    header = items.header
    if header is None or header.element is not None:
        return False
    length, before, entry = 0, header, header.next
    while entry is not header:
        if entry is None or entry.previous is not before or entry.element is None:
            return False
        length += 1
        before, entry = entry, entry.next
    return header.previous is before and items.size == length


def abstraction(items) -> tuple:
    """The elements in the list's order."""
    elements, entry = [], items.header.next
    while entry is not items.header:
        elements.append(entry.element)
        entry = entry.next
    return tuple(elements)


def post_add(before, after, result, element) -> bool:
    """The element comes last."""
    return result is True and after == (*before, element)


def post_remove(before, after, result, element) -> bool:
    """The first occurrence is gone, if there was one, as the result tells."""
    rest = list(before)
    if element in rest:
        rest.remove(element)
    return result is (element in before) and after == tuple(rest)


def post_remove_last(before, after, result, *, raised) -> bool:
    """The last element is returned and gone; an empty list has none."""
    if not before:
        return isinstance(raised, IndexError) and after == ()
    return raised is None and result == before[-1] and after == before[:-1]


def finitization(scope: int) -> Finitization:
    """At most `scope` entries, the header among them; elements 1..scope, also as arguments.

    States: sum over k < scope of scope^k. Calls on each: `add` and `remove` of scope elements, `remove_last`.
    """
    elements = range(1, scope + 1)
    f = Finitization("LinkedList")
    entries = f.objects("Entry", scope)
    f.set("LinkedList.header", None, entries)
    f.set("LinkedList.size", range(scope + 1))
    f.set("Entry.element", None, elements)
    f.set("Entry.next", None, entries)
    f.set("Entry.previous", None, entries)
    f.method("add", elements)
    f.method("remove", elements)
    f.method("remove_last")
    return f


def sequences(scope: int) -> SequenceScope:
    """As many elements as calls behind the constructor; the header is one more entry. Adding makes every list."""
    s = SequenceScope("LinkedList")
    s.method("add", range(1, scope + 1))
    s.method("remove", range(1, scope + 1))
    s.method("remove_last")
    s.objects(scope + 1)
    s.builders("add")
    return s
