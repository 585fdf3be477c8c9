"""NodeCachingList: what a valid list with a cache is, how many there are to test with, and when two are equal."""

from harness.spec import Finitization

title = "NodeCachingList"

MAXIMUM_CACHE_SIZE = 20


def rep_ok(items) -> bool:
    """A ring around an empty header, whose other nodes hold values; a row of empty nodes; both counted."""
    visited: set = set()
    return _is_ring(items, visited) and _is_cache(items, visited)


def _is_ring(items, visited) -> bool:
    """From the header and back to it, each node's neighbours agree; the header alone has no value."""
    header = items.header
    if header is None or header.value is not None:
        return False
    visited.add(header)
    last = header
    while last.next is not header:
        node = last.next
        if node is None or node in visited or node.previous is not last or node.value is None:
            return False
        visited.add(node)
        last = node
    return header.previous is last and items.size == len(visited) - 1


def _is_cache(items, visited) -> bool:
    """Nodes of their own, without values and without neighbours before them, to the end of the row."""
    length, node = 0, items.first_cached
    while node is not None:
        if node in visited or node.value is not None or node.previous is not None:
            return False
        visited.add(node)
        length += 1
        node = node.next
    return items.cache_size == length <= MAXIMUM_CACHE_SIZE


def abstraction(items) -> tuple:
    """The values in the list's order; the cache is nobody's business."""
    values, node = [], items.header.next
    while node is not items.header:
        values.append(node.value)
        node = node.next
    return tuple(values)


def post_add(before, after, result, value) -> bool:
    """The value comes last, behind all others."""
    return result is True and after == (*before, value)


def post_remove(before, after, result, value) -> bool:
    """The first occurrence is gone, if there was one, as the result tells."""
    rest = list(before)
    if value in rest:
        rest.remove(value)
    return result is (value in before) and after == tuple(rest)


def finitization(scope: int) -> Finitization:
    """At most `scope` nodes, header and cached ones included; values 0..scope-1, also as arguments.

    States: sum over k < scope of scope^k (scope - k), for each list of k values as many caches as leave room.
    """
    f = Finitization("NodeCachingList")
    nodes = f.objects("Node", scope)
    f.set("NodeCachingList.header", None, nodes)
    f.set("NodeCachingList.size", range(scope))
    f.set("NodeCachingList.first_cached", None, nodes)
    f.set("NodeCachingList.cache_size", range(scope))
    f.set("Node.value", None, range(scope))
    f.set("Node.previous", None, nodes)
    f.set("Node.next", None, nodes)
    f.method("add", range(scope))
    f.method("remove", range(scope))
    return f
