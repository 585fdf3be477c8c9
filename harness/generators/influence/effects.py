"""The effects of a routine: the names of fields that it may read and write (jtestcraft2010, section 4.3.1)."""

from __future__ import annotations

from dataclasses import dataclass

ELEMENTS = "[]"
"""The location for elements, order and length of all lists, sets, dicts and other collections."""
ANYTHING = "*"
"""The location for all other effects, which the source does not show."""

_NONE: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class Effects:
    """Locations that a routine may access.

    Locations are names of fields, whatever the object, `variable x` of the module, ELEMENTS and ANYTHING.

    Attributes:
        writes: the locations that may be assigned, or whose elements may be added or removed.
        reads: the locations that may be read.
        shared: the locations of both kinds that two calls may have in common without a common object: variables of
            the module and fields of classes.
    """

    writes: frozenset[str] = _NONE
    reads: frozenset[str] = _NONE
    shared: frozenset[str] = _NONE

    def __or__(self, other: Effects) -> Effects:
        """Return the effects of both, executed one after the other in any order."""
        return Effects(self.writes | other.writes, self.reads | other.reads, self.shared | other.shared)

    def feeds(self, later: Effects) -> bool:
        """Return whether it may write a location that `later` reads: a define-use or a store-load pair."""
        return meet(self.writes, later.reads)

    def commutes_with(self, other: Effects) -> bool:
        """Return whether neither writes a location that the other reads or writes."""
        return not (self.feeds(other) or other.feeds(self) or meet(self.writes, other.writes))

    def shares(self, other: Effects) -> bool:
        """Return whether both may access the same object although no object is passed to both."""
        return meet(self.shared, other.shared)


NO_EFFECTS = Effects()
ANY_EFFECTS = Effects(frozenset({ANYTHING}), frozenset({ANYTHING}), frozenset({ANYTHING}))


def meet(one: frozenset[str], other: frozenset[str]) -> bool:
    """Return whether two sets have a location in common, where ANYTHING equals every location."""
    if ANYTHING in one or ANYTHING in other:
        return bool(one and other)
    return not one.isdisjoint(other)
