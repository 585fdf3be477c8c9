"""LinkedList: what a valid list is, how many there are to test with, and when two are equal."""

from harness.spec import Finitization, SequenceScope, axiom, equal, field, is_in, not_, requirements

title = "LinkedList"


def rep_ok(items) -> bool:
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


@requirements
def rep_ok_dedicated(items):
    """The same by dedicated generators, which read in the same order (exhaustive2003, section 5)."""
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
    """The elements in the list's order; the count of modifications is nobody's business."""
    elements, entry = [], items.header.next
    while entry is not items.header:
        elements.append(entry.element)
        entry = entry.next
    return tuple(elements)


def post_add(before, after, result, element) -> bool:
    """The element comes last, behind all others; the list has changed."""
    return result is True and after == (*before, element)


def post_remove(before, after, result, element) -> bool:
    """The first occurrence is gone, if there was one, as the result tells."""
    rest = list(before)
    if element in rest:
        rest.remove(element)
    return result is (element in before) and after == tuple(rest)


def post_reverse(before, after, result) -> bool:
    """The elements are in the opposite order."""
    return result is None and after == before[::-1]


@axiom("add")
def what_is_added_is_found_at_the_end(items, element) -> bool:
    """One more element, the last one: whatever the others are."""
    size = items.size
    items.add(element)
    return items.size == size + 1 and items.header.previous.element is element


@axiom("reverse")
def reversing_twice_changes_nothing(items) -> bool:
    """l.reverse().reverse().equals(l)."""
    before = abstraction(items)
    items.reverse()
    items.reverse()
    return abstraction(items) == before


def finitization(scope: int) -> Finitization:
    """At most `scope` elements, each None or one of `scope` interchangeable objects, as are the arguments.

    Lists of n elements, up to a renaming of the objects: Bell(n + 1), one block of equal positions
    being those of None. With an argument, as if it were one more element: Bell(n + 2), less the one
    case of a list of `scope` different objects and yet another object.
    """
    f = Finitization("LinkedList")
    entries = f.objects("Entry", scope + 1)
    elements = f.tokens("object", scope)
    f.set("LinkedList.header", None, entries)
    f.set("LinkedList.size", range(scope + 1))
    f.set("LinkedList.mod_count", 0)
    f.set("Entry.element", None, elements)
    f.set("Entry.next", None, entries)
    f.set("Entry.previous", None, entries)
    f.method("add", (None, elements))
    f.method("remove", (None, elements))
    f.method("reverse")
    return f


def sequences(scope: int) -> SequenceScope:
    """The same bounds; the count of modifications, which the finitization fixes, tells nothing."""
    s = SequenceScope.of_finitization(finitization(scope), scope)
    s.objects(scope + 1)
    s.omit("mod_count")
    return s
