"""heapq: CPython's own module, on lists that are heaps already, but for `heapify`."""

from harness.spec import Finitization

title = "heapq"
implementation = "heapq"
blocked = ("_heapq",)  # else the C functions replace the Python ones at import


def rep_ok(heap) -> bool:
    """No element is smaller than its parent."""
    return all(heap[(index - 1) // 2] <= heap[index] for index in range(1, len(heap)))


def any_list(_) -> bool:
    """What `heapify` requires: nothing. Its post-state is judged by rep_ok as others are."""
    return True


def abstraction(heap) -> tuple:
    """The elements in order, each as often as it occurs: heapq promises nothing more about their arrangement."""
    return tuple(sorted(heap))


def finitization(scope: int) -> Finitization:
    """Lists of length 0..scope with elements 1..scope, which are the arguments, too; in any order for heapify."""
    elements = range(1, scope + 1)
    f = Finitization.of_list(lengths=range(scope + 1), elements=elements)
    f.function("heappush", elements)
    f.function("heappop")
    f.function("heapreplace", elements)
    f.function("heappushpop", elements)
    f.function("heapify", requires=any_list)
    return f
