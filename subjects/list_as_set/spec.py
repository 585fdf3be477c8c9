"""ListAsSet of criteria_pruning2011: pairs of a list and a set, by the classes of section 3."""

from typing import NamedTuple

from harness.spec import Finitization

title = "ListAsSet"


class Class(NamedTuple):
    """The four predicates of the paper."""

    list_is_empty: bool
    list_has_repetitions: bool
    list_is_sorted: bool
    set_is_empty: bool


def rep_ok(pair) -> bool:
    """First the list, then the set, which is strictly sorted besides; the order decides what is explored."""
    return _is_list(pair.items) and _is_list(pair.members) and _is_strictly_sorted(pair.members)


def _is_list(items) -> bool:
    """Behind a header without element, an acyclic chain of nodes with elements; `size` counts them."""
    header = items.header
    if header is None or header.elem is not None:
        return False
    visited = {header}
    node = header.next
    while node is not None:
        if node.elem is None or node in visited:
            return False
        visited.add(node)
        node = node.next
    return len(visited) - 1 == items.size


def _is_strictly_sorted(items) -> bool:
    node = items.header.next
    while node is not None and node.next is not None:
        if node.elem >= node.next.elem:
            return False
        node = node.next
    return True


def eq_class(pair) -> Class:
    """Which of the predicates hold; of the set, its header's link alone is read."""
    items = pair.items
    return Class(_is_empty(items), _has_repetitions(items), _is_sorted(items), _is_empty(pair.members))


def _is_empty(items) -> bool:
    return items.header.next is None


def _has_repetitions(items) -> bool:
    node = items.header.next
    while node is not None:
        other = node.next
        while other is not None:
            if other.elem == node.elem:
                return True
            other = other.next
        node = node.next
    return False


def _is_sorted(items) -> bool:
    node = items.header.next
    while node is not None and node.next is not None:
        if node.elem > node.next.elem:
            return False
        node = node.next
    return True


def abstraction(pair) -> tuple:
    """The elements of both, in order."""
    return _elements(pair.items), _elements(pair.members)


def _elements(items) -> tuple:
    found, node = [], items.header.next
    while node is not None:
        found.append(node.elem)
        node = node.next
    return tuple(found)


def post_list_as_set(before, after, result) -> bool:
    """The answer is that of Python's own sets; nothing changes."""
    items, members = before
    return result is (members == tuple(sorted(set(items)))) and after == before


ROWS = {
    1: (2, 3, 3),
    2: (4, 3, 3),
    3: (4, 4, 3),
    4: (5, 5, 4),
    5: (5, 5, 5),
    6: (7, 7, 6),
}
"""By scope, the rows of the paper's table: largest size, nodes of each list, number of integers."""


def finitization(scope: int) -> Finitization:
    """The row `scope` of the paper's table, and beyond the last one: sizes to scope + 1, as many nodes, scope integers.

    Lists of n < nodes elements from e integers: e^n of them; sets: C(e, n). A size that is too large costs candidates
    only.
    """
    size, nodes, integers = ROWS.get(scope, (scope + 1, scope + 1, scope))
    f = Finitization("ListAsSet")
    for name in ("items", "members"):
        lists = f.objects("LinkedList", 1)
        available = f.objects("Node", nodes)
        f.set(f"ListAsSet.{name}", lists)
        f.set("LinkedList.header", None, available, of=lists)
        f.set("LinkedList.size", range(size + 1), of=lists)
        f.set("Node.elem", None, range(1, integers + 1), of=available)
        f.set("Node.next", None, available, of=available)
    f.method("list_as_set")
    return f
