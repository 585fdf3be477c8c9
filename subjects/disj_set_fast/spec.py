"""DisjSetFast: what a valid forest of disjoint sets is, how many there are to test with, and when two are equal."""

from harness.spec import Finitization, SequenceScope, axiom

title = "DisjSetFast"


def rep_ok(sets) -> bool:
    """Links lead to roots, and each root's rank is one that unions and compressions give."""
    links = sets.links
    children: list = [[] for _ in links]
    roots = []
    for element, link in enumerate(links):
        if link >= len(links) or link == element:
            return False
        (roots if link < 0 else children[link]).append(element)
    met = 0
    for root in roots:
        size, heights = _measured(root, children)
        met += size
        if not _is_possible_rank(-links[root] - 1, size, heights):
            return False
    return bool(links) and met == len(links)


def _measured(root, children) -> tuple:
    """The number of elements below a root, itself included, and the heights of its children's trees in order."""
    size, heights, row = 1, [], [(child, child, 1) for child in children[root]]
    tallest: dict = {}
    while row:
        element, top, height = row.pop()
        size += 1
        tallest[top] = max(tallest.get(top, 0), height)
        row += [(child, top, height + 1) for child in children[element]]
    heights = sorted(tallest.values())
    return size, heights


def _is_possible_rank(rank, size, heights) -> bool:
    """A root of rank r has had a child of each rank below r, and none of a higher one.

    A tree of rank r is no higher than r and has at least 2^r elements; compression only makes it lower. For up to
    seven elements, tests confirm that no other forest satisfies this than calls make.
    """
    if size < 2**rank or len(heights) < rank or any(height > rank for height in heights):
        return False
    return all(height <= below for below, height in enumerate(heights[:rank], start=1))


def abstraction(sets) -> tuple:
    """For each element the smallest one in its set: the partition, whatever its trees and ranks."""
    smallest: dict = {}
    return tuple(smallest.setdefault(_root(sets.links, element), element) for element in range(len(sets.links)))


def _root(links, element) -> int:
    while links[element] >= 0:
        element = links[element]
    return element


def post_find(before, after, result, element, *, raised) -> bool:
    """An element of the same set represents it, and no set changes; a missing element has none."""
    if element >= len(before):
        return isinstance(raised, IndexError) and after == before
    return raised is None and after == before and before[result] == before[element]


def post_union(before, after, result, first, second, *, raised) -> bool:
    """The sets of two roots are one, all others as before; what else is given is refused."""
    if max(first, second) >= len(before):
        return isinstance(raised, IndexError) and after == before
    if isinstance(raised, ValueError):
        return after == before
    low, high = sorted((before[first], before[second]))
    merged = tuple(low if label == high else label for label in before)
    return raised is None and result is None and low != high and after == merged


@axiom("find")
def a_set_has_one_representative_of_its_own(sets, element) -> bool:
    """Two elements have the same representative exactly if they are in the same set, of which it is one."""
    partition = abstraction(sets)
    if element >= len(partition):
        return True
    representative = sets.find(element)
    found = {other for other in range(len(partition)) if sets.find(other) == representative}
    return sets.find(representative) == representative and all(
        (other in found) == (partition[other] == partition[element]) for other in range(len(partition))
    )


@axiom("union")
def only_two_roots_are_joined(sets, first, second) -> bool:
    """Two different representatives have one afterwards; whatever else is given is refused."""
    if max(first, second) >= len(abstraction(sets)):
        return True
    are_roots = first != second and sets.find(first) == first and sets.find(second) == second
    try:
        sets.union(first, second)
    except ValueError:
        return not are_roots
    return are_roots and sets.find(first) == sets.find(second)


def finitization(scope: int) -> Finitization:
    """1..scope-1 elements; arguments 0..scope-1, hence missing elements, too."""
    elements = range(scope)
    f = Finitization("DisjSetFast")
    f.set("DisjSetFast.links", f.lists(1, lengths=range(1, max(scope, 2)), elements=range(-scope, scope)))
    f.method("find", elements)
    f.method("union", elements, elements)
    return f


def sequences(scope: int) -> SequenceScope:
    """The constructor takes 0..scope-1, of which it refuses 0; so do the routines."""
    elements = range(scope)
    s = SequenceScope("DisjSetFast")
    s.constructor(elements)
    s.method("find", elements)
    s.method("union", elements, elements)
    return s
