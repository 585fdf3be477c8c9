"""LinkedStack: what a valid stack is, how many there are to test with, and when two are equal."""

from harness.spec import Finitization, SequenceScope

title = "LinkedStack"


def rep_ok(stack) -> bool:
    """The nodes below each other come to an end."""
    visited: set = set()
    node = stack.top
    while node is not None:
        if node in visited:
            return False
        visited.add(node)
        node = node.next
    return True


def abstraction(stack) -> tuple:
    """The elements from the top down."""
    elements, node = [], stack.top
    while node is not None:
        elements.append(node.element)
        node = node.next
    return tuple(elements)


def post_push(before, after, result, element) -> bool:
    """The element is above all others."""
    return result is None and after == (element, *before)


def post_pop(before, after, result, *, raised) -> bool:
    """What was on top is returned, and no longer there; an empty stack has none."""
    if not before:
        return isinstance(raised, IndexError) and after == ()
    return raised is None and result == before[0] and after == before[1:]


def finitization(scope: int) -> Finitization:
    """At most `scope` nodes; elements 0..scope-1, also as arguments. States: sum over k <= scope of scope^k."""
    f = Finitization("LinkedStack")
    nodes = f.objects("Node", scope)
    f.set("LinkedStack.top", None, nodes)
    f.set("Node.next", None, nodes)
    f.set("Node.element", range(scope))
    f.method("push", range(scope))
    f.method("pop")
    return f


def sequences(scope: int) -> SequenceScope:
    """The same bounds; pushing makes every stack."""
    s = SequenceScope("LinkedStack")
    s.method("push", range(scope))
    s.method("pop")
    s.objects(scope)
    s.builders("push")
    return s
