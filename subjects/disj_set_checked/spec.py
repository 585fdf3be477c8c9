"""DisjSetChecked: what a valid forest of disjoint sets is, how many there are to test with, and when two are equal."""

from harness.spec import Finitization, SequenceScope, axiom

title = "DisjSetChecked"


def rep_ok(sets) -> bool:
    """There are elements, and from each of them the parents lead to a root."""
    parent = sets.parent
    for element in range(len(parent)):
        steps = 0
        while parent[element] != -1:
            element = parent[element]
            steps += 1
            if not 0 <= element < len(parent) or steps == len(parent):
                return False
    return len(parent) > 0


def abstraction(sets) -> tuple:
    """For each element the smallest one in its set: the partition, whatever its trees."""
    smallest: dict = {}
    return tuple(smallest.setdefault(_root(sets.parent, element), element) for element in range(len(sets.parent)))


def _root(parent, element) -> int:
    while parent[element] >= 0:
        element = parent[element]
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
    """1..scope-1 elements; arguments 0..scope-1, hence missing elements, too.

    States: sum over n < scope of (n + 1)^(n - 1), the labelled rooted forests of n elements.
    """
    elements = range(scope)
    f = Finitization("DisjSetChecked")
    f.set("DisjSetChecked.parent", f.lists(1, lengths=range(1, max(scope, 2)), elements=range(-1, scope)))
    f.method("find", elements)
    f.method("union", elements, elements)
    return f


def sequences(scope: int) -> SequenceScope:
    """The constructor takes 0..scope-1, of which it refuses 0; so do the routines."""
    elements = range(scope)
    s = SequenceScope("DisjSetChecked")
    s.constructor(elements)
    s.method("find", elements)
    s.method("union", elements, elements)
    s.builders("union")
    return s
