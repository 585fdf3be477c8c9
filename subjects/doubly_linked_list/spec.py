"""DoublyLinkedList: what a valid list is, how many there are to test with, and when two are equal."""

from harness.spec import Finitization, SequenceScope

title = "DoublyLinkedList"


def rep_ok(items) -> bool:
    """From the first node to the last, each one's neighbours agree; `size` counts them.

    It ends: where neighbours agree and the first node has none before it, no node is met twice.
    """
    length, before, node = 0, None, items.first
    while node is not None:
        if node.previous is not before:
            return False
        length += 1
        before, node = node, node.next
    return items.last is before and items.size == length


def abstraction(items) -> tuple:
    """The elements in the list's order."""
    elements, node = [], items.first
    while node is not None:
        elements.append(node.element)
        node = node.next
    return tuple(elements)


def post_add(before, after, result, element) -> bool:
    """The element comes last, behind all others."""
    return result is None and after == (*before, element)


def post_remove(before, after, result, element) -> bool:
    """The first occurrence is gone, if there was one, as the result tells."""
    rest = list(before)
    if element in rest:
        rest.remove(element)
    return result is (element in before) and after == tuple(rest)


def finitization(scope: int) -> Finitization:
    """At most `scope` nodes; elements 0..scope-1, also as arguments. States: sum over k <= scope of scope^k."""
    f = Finitization("DoublyLinkedList")
    nodes = f.objects("Node", scope)
    f.set("DoublyLinkedList.first", None, nodes)
    f.set("DoublyLinkedList.last", None, nodes)
    f.set("DoublyLinkedList.size", range(scope + 1))
    f.set("Node.previous", None, nodes)
    f.set("Node.next", None, nodes)
    f.set("Node.element", range(scope))
    f.method("add", range(scope))
    f.method("remove", range(scope))
    return f


def sequences(scope: int) -> SequenceScope:
    """The same bounds; adding makes every list."""
    s = SequenceScope("DoublyLinkedList")
    s.method("add", range(scope))
    s.method("remove", range(scope))
    s.objects(scope)
    s.builders("add")
    return s
