"""HeapArray: what a valid heap in an array is, how many there are to test with, and when two are equal."""

from harness.spec import Finitization, and_, equal, field, length, less, not_, requirements

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


def finitization(scope: int) -> Finitization:
    """Arrays of length 0..scope whose cells hold UNUSED or 0..scope, which are the arguments of insert, too."""
    values = range(UNUSED, scope + 1)
    f = Finitization("HeapArray")
    f.set("HeapArray.array", f.lists(1, lengths=range(scope + 1), elements=values))
    f.set("HeapArray.size", range(scope + 1))
    f.method("insert", values)
    f.method("extract_max")
    return f
