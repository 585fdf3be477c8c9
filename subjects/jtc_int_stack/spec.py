"""IntStack: what a valid stack is, how many there are to test with, and when two are equal."""

from harness.spec import Finitization, SequenceScope

title = "IntStack"

CAPACITY = 5


def rep_ok(stack) -> bool:
    """The array has at least its first capacity, and as many cells as the stack needs."""
    return len(stack.store) >= CAPACITY and 0 <= stack.size <= len(stack.store)


def abstraction(stack) -> tuple:
    """The values from the bottom to the top: capacity and what was popped do not count."""
    return tuple(stack.store[: stack.size])


def post_push(before, after, result, value) -> bool:
    """The value is on top."""
    return result is None and after == (*before, value)


def post_pop(before, after, result, *, raised) -> bool:
    """The top is returned and gone; an empty stack has none."""
    if not before:
        return isinstance(raised, IndexError) and after == ()
    return raised is None and result == before[-1] and after == before[:-1]


def finitization(scope: int) -> Finitization:
    """Arrays of the first capacity, cells 0..scope; values 1..scope as arguments.

    rep_ok reads no cell, so Korat finds one stack for each size, with zeros: 6 states, and scope + 1 calls on each.
    """
    f = Finitization("IntStack")
    f.set("IntStack.store", f.lists(1, lengths=[CAPACITY], elements=range(scope + 1)))
    f.set("IntStack.size", range(CAPACITY + 1))
    f.method("push", range(1, scope + 1))
    f.method("pop")
    return f


def sequences(scope: int) -> SequenceScope:
    """As many values as calls behind the constructor, 1..scope: the zero of an unused cell is none of them."""
    s = SequenceScope("IntStack")
    s.method("push", range(1, scope + 1))
    s.method("pop")
    s.length(scope + 1)
    return s
