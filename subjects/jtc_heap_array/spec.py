"""HeapArray: what a valid heap in an array is, how many there are to test with, and when two are equal."""

from harness.spec import Finitization, SequenceScope

title = "HeapArray"

CAPACITY = 5


def rep_ok(heap) -> bool:
    """The cells from `size` on are empty; those before hold values, none larger than its parent."""
    array = heap.array
    if not 0 <= heap.size <= len(array) or len(array) < CAPACITY:
        return False
    for index in range(heap.size, len(array)):
        if array[index] is not None:
            return False
    for index in range(heap.size):
        if array[index] is None or (index > 0 and array[index] > array[(index - 1) // 2]):
            return False
    return True


def abstraction(heap) -> tuple:
    """The values in order, each as often as it occurs: capacity and arrangement do not count."""
    return tuple(sorted(heap.array[: heap.size]))


def post_insert(before, after, result, value) -> bool:
    """The value is one more of those in the heap."""
    return result is True and after == tuple(sorted((*before, value)))


def post_extract_max(before, after, result, *, raised) -> bool:
    """The largest value is returned and no longer in the heap; an empty one has none."""
    if not before:
        return isinstance(raised, IndexError) and after == ()
    return raised is None and result == before[-1] and after == before[:-1]


def finitization(scope: int) -> Finitization:
    """Arrays of the first capacity whose cells hold None or 1..scope, which are the arguments of insert, too.

    States: heaps of at most 5 values of 1..scope. Calls on each: scope + 1.
    """
    values = range(1, scope + 1)
    f = Finitization("HeapArray")
    f.set("HeapArray.array", f.lists(1, lengths=[CAPACITY], elements=[None, *values]))
    f.set("HeapArray.size", range(CAPACITY + 1))
    f.method("insert", values)
    f.method("extract_max")
    return f


def sequences(scope: int) -> SequenceScope:
    """As many values as calls behind the constructor."""
    s = SequenceScope("HeapArray")
    s.method("insert", range(1, scope + 1))
    s.method("extract_max")
    s.length(scope + 1)
    return s
