"""DisjSet: what a valid forest of disjoint sets is, how many there are to test with, and when two are equal."""

from harness.spec import Finitization, SequenceScope, and_, axiom, equal, field, is_in, length, less, not_, requirements

title = "DisjSet"


def rep_ok(sets) -> bool:
    """Parents are elements, of higher rank than their children; there are as many elements of rank 0 as sets.

    Ranks that rise towards the root leave no room for cycles. The last condition is necessary, not
    sufficient: of the elements that a set was joined from, one has never been given a child of its rank.
    """
    parent, rank = sets.parent, sets.rank
    if len(parent) != len(rank):
        return False
    roots = ranked = 0
    for element in range(len(parent)):
        if not 0 <= parent[element] < len(parent) or rank[element] < 0:
            return False
        if rank[element] > 0:
            ranked += 1
        if parent[element] == element:
            roots += 1
        elif rank[parent[element]] <= rank[element]:
            return False
        if roots + ranked > len(parent):
            return False
    return True


@requirements
def rep_ok_dedicated(sets):
    """The same by dedicated generators, which read in the same order (exhaustive2003, section 5)."""
    parent, rank = sets.parent, sets.rank
    size = len(parent)
    yield equal(length(rank), size)
    roots = ranked = 0
    for element in range(size):
        room = roots + ranked < size
        yield is_in(field(parent, element), [other for other in range(size) if room or other != element])
        above = parent[element]
        roots += above == element
        own = field(rank, element)
        possible = not_(less(own, 0)) if roots + ranked < size else equal(own, 0)
        yield and_(possible, less(own, rank[above])) if above < element else possible
        if above > element:
            yield less(rank[element], field(rank, above))
        ranked += rank[element] > 0


def abstraction(sets) -> tuple:
    """For each element the smallest one in its set: the partition, whatever its trees and ranks."""
    smallest: dict = {}
    return tuple(smallest.setdefault(_root(sets.parent, element), element) for element in range(len(sets.parent)))


def _root(parent, element) -> int:
    while parent[element] != element:
        element = parent[element]
    return element


def post_find(before, after, result, element, *, raised) -> bool:
    """An element of the same set represents it, and no set changes; a missing element has none."""
    if element >= len(before):
        return isinstance(raised, IndexError) and after == before
    return raised is None and after == before and result in _members(before, element)


def post_union(before, after, result, first, second, *, raised) -> bool:
    """The sets of the two elements are one, all others as before; the result tells whether they were two."""
    if max(first, second) >= len(before):
        return isinstance(raised, IndexError) and after == before
    joined = _members(before, first) | _members(before, second)
    merged = tuple(min(joined) if element in joined else label for element, label in enumerate(before))
    return raised is None and result is (before[first] != before[second]) and after == merged


def _members(partition, element) -> set:
    """The elements that are in the same set as `element`."""
    return {other for other, label in enumerate(partition) if label == partition[element]}


@axiom("find")
def a_set_has_one_representative_of_its_own(sets, element) -> bool:
    """Two elements have the same representative exactly if they are in the same set."""
    partition = abstraction(sets)
    if element >= len(partition):
        return True
    representative = sets.find(element)
    return {e for e in range(len(partition)) if sets.find(e) == representative} == _members(partition, element)


@axiom("union")
def joining_again_changes_nothing(sets, first, second) -> bool:
    """Joined elements have one representative, and cannot be joined again, the other way round."""
    if max(first, second) >= len(abstraction(sets)):
        return True
    sets.union(first, second)
    joined = abstraction(sets)
    return sets.find(first) == sets.find(second) and not sets.union(second, first) and abstraction(sets) == joined


def finitization(scope: int) -> Finitization:
    """0..scope elements, ranks below scope. Arguments: 0..scope-1, hence missing elements of smaller forests, too."""
    elements = range(scope)
    f = Finitization("DisjSet")
    f.set("DisjSet.parent", f.lists(1, lengths=range(scope + 1), elements=elements))
    f.set("DisjSet.rank", f.lists(1, lengths=range(scope + 1), elements=elements))
    f.method("find", elements)
    f.method("union", elements, elements)
    return f


def sequences(scope: int) -> SequenceScope:
    """The same bounds, by the constructor's argument."""
    s = SequenceScope("DisjSet")
    s.constructor(range(scope + 1))
    s.method("find", range(scope))
    s.method("union", range(scope), range(scope))
    s.elements(scope)
    return s
