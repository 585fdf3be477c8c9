"""UBStack: what a valid stack is, how many there are to test with, and when two are equal."""

from harness.spec import Finitization, SequenceScope

title = "UBStack"

CAPACITY = 5


def rep_ok(stack) -> bool:
    """No value is in the stack twice. A size below zero is what pops make of an empty stack."""
    if len(stack.elements) != CAPACITY or stack.size > CAPACITY:
        return False
    for index in range(stack.size):
        for before in range(index):
            if stack.elements[before] == stack.elements[index]:
                return False
    return True


def abstraction(stack) -> tuple:
    """How many pops were too many, and the values from the bottom to the top."""
    return (min(stack.size, 0), *stack.elements[: max(stack.size, 0)])


def post_push(before, after, result, value, *, raised) -> bool:
    """The value is on top, unless the stack is full of others, or there was more popped than pushed."""
    missing, *values = before
    if missing < 0:
        return isinstance(raised, IndexError) and after == before
    if value in values or len(values) < CAPACITY:
        values = [*(other for other in values if other != value), value]
    return raised is None and result is None and after == (0, *values)


def post_pop(before, after, result) -> bool:
    """The top is gone; where there is none, one pop more is too many."""
    missing, *values = before
    return result is None and after == ((0, *values[:-1]) if values else (missing - 1,))


def finitization(scope: int) -> Finitization:
    """Values 0..scope in cells, 1..scope as arguments; at most `scope` pops too many.

    States: sum over k <= 5 of the ways to arrange k of scope + 1 values, and scope sizes below zero; cells behind the
    top are not read. Calls on each: scope + 1.
    """
    f = Finitization("UBStack")
    f.set("UBStack.elements", f.lists(1, lengths=[CAPACITY], elements=range(scope + 1)))
    f.set("UBStack.size", range(-scope, CAPACITY + 1))
    f.method("push", range(1, scope + 1))
    f.method("pop")
    return f


def sequences(scope: int) -> SequenceScope:
    """As many values as calls behind the constructor, 1..scope: the zero of an unused cell is none of them."""
    s = SequenceScope("UBStack")
    s.method("push", range(1, scope + 1))
    s.method("pop")
    s.length(scope + 1)
    return s
