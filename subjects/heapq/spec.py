"""heapq: CPython's own module, on lists that are heaps already, but for `heapify`."""

from harness.spec import Finitization, axiom

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


def post_heappush(before, after, result, item) -> bool:
    """The item is one more of those in the heap."""
    return result is None and after == tuple(sorted((*before, item)))


def post_heappop(before, after, result, *, raised) -> bool:
    """The smallest element is returned and no longer in the heap; an empty one has none."""
    if not before:
        return isinstance(raised, IndexError) and after == ()
    return raised is None and result == before[0] and after == before[1:]


def post_heapreplace(before, after, result, item, *, raised) -> bool:
    """The smallest element is returned, and the item is there in its place; an empty heap has none."""
    if not before:
        return isinstance(raised, IndexError) and after == ()
    return raised is None and result == before[0] and after == tuple(sorted((*before[1:], item)))


def post_heappushpop(before, after, result, item) -> bool:
    """The smallest of the elements and the item is returned, the others stay."""
    everything = sorted((*before, item))
    return result == everything[0] and after == tuple(everything[1:])


def post_heapify(before, after, result) -> bool:
    """The elements are the same ones."""
    return result is None and after == before


@axiom("heappush")
def popping_all_sorts(heap, item, *, program) -> bool:
    """What comes out, smallest first, is what went in."""
    expected = sorted((*heap, item))
    program.heappush(heap, item)
    return [program.heappop(heap) for _ in expected] == expected


def finitization(scope: int) -> Finitization:
    """Lists of length 0..scope with elements 1..scope, which are the arguments, too; in any order for heapify."""
    elements = range(1, scope + 1)
    f = Finitization.of_list(lengths=range(scope + 1), elements=elements)
    f.function("heappush", elements)
    f.function("heappop")
    f.function("heapreplace", elements)
    f.function("heappushpop", elements)
    f.function("heapify", requires=any_list, any_state=True)
    return f
