"""HeapArray: what a valid heap in an array is, how many there are to test with, and when two are equal."""

from harness.spec import Finitization, SequenceScope, and_, axiom, equal, field, length, less, not_, requirements

title = "HeapArray"

UNUSED = -1


def rep_ok(heap) -> bool:
    """The cells from `size` on are unused; those before hold natural numbers, none larger than its parent."""
    array = heap.array
    if not 0 <= heap.size <= len(array):
        return False
    for index in range(heap.size, len(array)):
        if array[index] != UNUSED:
            return False
    for index in range(heap.size):
        if array[index] < 0:
            return False
        if index > 0 and array[index] > array[(index - 1) // 2]:
            return False
    return True


@requirements
def rep_ok_dedicated(heap):
    """The same by dedicated generators, which read in the same order (exhaustive2003, section 5)."""
    array, size = heap.array, heap.size
    yield size >= 0
    yield not_(less(length(array), size))
    for index in range(size, len(array)):
        yield equal(field(array, index), UNUSED)
    for index in range(size):
        cell = field(array, index)
        natural = not_(less(cell, 0))
        yield natural if index == 0 else and_(natural, not_(less(array[(index - 1) // 2], cell)))


def abstraction(heap) -> tuple:
    """The values in order, each as often as it occurs: capacity and arrangement do not count."""
    return tuple(sorted(heap.array[: heap.size]))


def post_insert(before, after, result, value, *, raised) -> bool:
    """The value is one more of those in the heap; a negative one is refused."""
    if value < 0:
        return isinstance(raised, ValueError) and after == before
    return raised is None and result is None and after == tuple(sorted((*before, value)))


def post_extract_max(before, after, result, *, raised) -> bool:
    """The largest value is returned and no longer in the heap; an empty one has none."""
    if not before:
        return isinstance(raised, IndexError) and after == ()
    return raised is None and result == before[-1] and after == before[:-1]


@axiom("insert")
def extracting_all_sorts(heap, value) -> bool:
    """What comes out, largest first, is what went in."""
    expected = list(abstraction(heap))
    if value >= 0:
        heap.insert(value)
        expected.append(value)
    return [heap.extract_max() for _ in expected] == sorted(expected, reverse=True)


def finitization(scope: int) -> Finitization:
    """Arrays of length 0..scope whose cells hold UNUSED or 0..scope, which are the arguments of insert, too."""
    values = range(UNUSED, scope + 1)
    f = Finitization("HeapArray")
    f.set("HeapArray.array", f.lists(1, lengths=range(scope + 1), elements=values))
    f.set("HeapArray.size", range(scope + 1))
    f.method("insert", values)
    f.method("extract_max")
    return f


def sequences(scope: int) -> SequenceScope:
    """The same bounds, by the constructor's argument and by growth."""
    s = SequenceScope("HeapArray")
    s.constructor(range(scope + 1))
    s.method("insert", range(UNUSED, scope + 1))
    s.method("extract_max")
    s.elements(scope)
    return s
