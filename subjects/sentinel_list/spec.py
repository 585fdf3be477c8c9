"""SentinelList: what a valid list is, how many there are to test with, and when two are equal."""

from harness.spec import Finitization, SequenceScope

title = "SentinelList"


def rep_ok(items) -> bool:
    """There is a sentinel without an element; the nodes behind it have elements and come to an end."""
    sentinel = items.sentinel
    if sentinel is None or sentinel.element is not None:
        return False
    visited = {sentinel}
    node = sentinel.next
    while node is not None:
        if node in visited or node.element is None:
            return False
        visited.add(node)
        node = node.next
    return True


def abstraction(items) -> tuple:
    """The elements in the list's order."""
    elements, node = [], items.sentinel.next
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
    """At most `scope` nodes, the sentinel among them; elements 0..scope-1, also as arguments.

    States: sum over k < scope of scope^k.
    """
    f = Finitization("SentinelList")
    nodes = f.objects("Node", scope)
    f.set("SentinelList.sentinel", None, nodes)
    f.set("Node.element", None, range(scope))
    f.set("Node.next", None, nodes)
    f.method("add", range(scope))
    f.method("remove", range(scope))
    return f


def sequences(scope: int) -> SequenceScope:
    """The same bounds; adding makes every list."""
    s = SequenceScope("SentinelList")
    s.method("add", range(scope))
    s.method("remove", range(scope))
    s.objects(scope)
    s.builders("add")
    return s
