"""BinaryHeap: what a valid heap is, how many there are to test with, and when two are equal."""

from harness.spec import Finitization, SequenceScope

title = "BinaryHeap"


def rep_ok(heap) -> bool:
    """The dummy is 0; no element is smaller than its parent. What is behind the elements does not matter."""
    array = heap.array
    if len(array) == 0 or array[0] != 0 or not 0 <= heap.size < len(array):
        return False
    return all(array[index] >= array[index // 2] for index in range(2, heap.size + 1))


def abstraction(heap) -> tuple:
    """The capacity, and the elements in order, each as often as it occurs: arrangement and leftovers do not count."""
    return (len(heap.array) - 1, *sorted(heap.array[1 : heap.size + 1]))


def post_insert(before, after, result, value, *, raised) -> bool:
    """The value is one more of those in the heap; a full one takes none."""
    capacity, *values = before
    if len(values) == capacity:
        return isinstance(raised, OverflowError) and after == before
    return raised is None and result is None and after == (capacity, *sorted((*values, value)))


def post_delete_min(before, after, result, *, raised) -> bool:
    """The smallest element is returned and no longer in the heap; an empty one has none."""
    capacity, *values = before
    if not values:
        return isinstance(raised, IndexError) and after == before
    return raised is None and result == values[0] and after == (capacity, *values[1:])


def finitization(scope: int) -> Finitization:
    """Capacities 0..scope-1; values 0..scope-1, also as arguments.

    States: sum over the capacities c and the sizes k <= c of the heaps of k elements times scope^(c - k).
    """
    values = range(scope)
    f = Finitization("BinaryHeap")
    f.set("BinaryHeap.array", f.lists(1, lengths=range(1, scope + 1), elements=values))
    f.set("BinaryHeap.size", range(scope))
    f.method("insert", values)
    f.method("delete_min")
    return f


def sequences(scope: int) -> SequenceScope:
    """Capacities 0..scope-1; values 0..scope-1."""
    s = SequenceScope("BinaryHeap")
    s.constructor(range(scope))
    s.method("insert", range(scope))
    s.method("delete_min")
    s.misuse("OverflowError", "IndexError")
    return s
