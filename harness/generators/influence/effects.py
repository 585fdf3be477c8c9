"""What a routine may read and write, by the names of fields (jtestcraft2010, section 4.3.1)."""

from __future__ import annotations

from dataclasses import dataclass

ELEMENTS = "[]"
"""The location that stands for elements, order and length of all lists, sets, dicts and other collections."""
ANYTHING = "*"
"""The location that stands for all others: what a text does not tell."""

_NONE: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class Effects:
    """Locations are names of fields, whatever the object, `variable x` of the module, ELEMENTS and ANYTHING.

    Attributes:
        writes: what may be assigned, put in or taken out.
        reads: what may be looked at.
        shared: those of both that two calls may have in common without a common object: variables of the module and
            fields of classes.
    """

    writes: frozenset[str] = _NONE
    reads: frozenset[str] = _NONE
    shared: frozenset[str] = _NONE

    def __or__(self, other: Effects) -> Effects:
        """Both, one behind the other in any order."""
        return Effects(self.writes | other.writes, self.reads | other.reads, self.shared | other.shared)

    def feeds(self, later: Effects) -> bool:
        """Whether it may write what `later` reads: a define-use or a store-load pair."""
        return meet(self.writes, later.reads)

    def commutes_with(self, other: Effects) -> bool:
        """Whether neither writes what the other reads or writes."""
        return not (self.feeds(other) or other.feeds(self) or meet(self.writes, other.writes))

    def shares(self, other: Effects) -> bool:
        """Whether both may come to the same object with no object given to both."""
        return meet(self.shared, other.shared)


NO_EFFECTS = Effects()
ANY_EFFECTS = Effects(frozenset({ANYTHING}), frozenset({ANYTHING}), frozenset({ANYTHING}))


def meet(one: frozenset[str], other: frozenset[str]) -> bool:
    """Whether two sets have a location in common, where ANYTHING is each of them."""
    if ANYTHING in one or ANYTHING in other:
        return bool(one and other)
    return not one.isdisjoint(other)
