"""DisjSet: what a valid forest of disjoint sets is, how many there are to test with, and when two are equal."""

from harness.spec import Finitization

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


def abstraction(sets) -> tuple:
    """For each element the smallest one in its set: the partition, whatever its trees and ranks."""
    smallest: dict = {}
    return tuple(smallest.setdefault(_root(sets.parent, element), element) for element in range(len(sets.parent)))


def _root(parent, element) -> int:
    while parent[element] != element:
        element = parent[element]
    return element


def finitization(scope: int) -> Finitization:
    """0..scope elements, ranks below scope. Arguments: 0..scope-1, hence missing elements of smaller forests, too."""
    elements = range(scope)
    f = Finitization("DisjSet")
    f.set("DisjSet.parent", f.lists(1, lengths=range(scope + 1), elements=elements))
    f.set("DisjSet.rank", f.lists(1, lengths=range(scope + 1), elements=elements))
    f.method("find", elements)
    f.method("union", elements, elements)
    return f
