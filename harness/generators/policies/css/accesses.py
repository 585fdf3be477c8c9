"""What calls define and use: fields, elements and whole containers, and which call influenced which (section 4.4.1).

jtestcraft2010, section 4.4.1: a call influences a later one if it makes an object that the later takes, or defines a
field of an object, or an element at an index, that the later uses, and nobody has defined it anew in between.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Hashable, Iterable

Pair = tuple[int, int]
"""Positions of two calls, the earlier one first."""


class _Places:
    """Who defined and used what of one object: a field by its name, an element by its index.

    Attributes:
        last: by place, the call that defined it last, and how many changes of the whole there were before.
        changes: calls that changed the object somewhere, in order; that leaves open what was there before.
        users: calls by the place that they used.
        whole_users: calls that used all of it.
    """

    __slots__ = ("changes", "last", "users", "whole_users")

    def __init__(self, maker: int) -> None:
        self.last: dict[Hashable, tuple[int, int]] = {}
        self.changes = [maker]
        self.users: defaultdict[Hashable, set[int]] = defaultdict(set)
        self.whole_users: set[int] = set()


class Accesses:
    """All that calls of one execution define and use.

    A place of an object is its field or element. `use` and `define` are of one place; `use_all` and `change` of an
    object as a whole, where it is not known which: a change hides no definition before it. Who sees an object first is
    taken to have made it, which is a change.

    Attributes:
        at: position of the call that is being executed.
        influences: pairs of an earlier call that influenced a later one.
    """

    def __init__(self) -> None:
        self.at = 0
        self.influences: set[Pair] = set()
        self._orders: set[Pair] = set()
        self._objects: dict[int, _Places] = {}
        self._kept: list[object] = []

    def define(self, owner: object, place: Hashable) -> None:
        """The current call writes a place."""
        places = self._places(owner)
        users = places.users.get(place)
        if users or places.whole_users:
            self._order((users or set()) | places.whole_users)
            places.users[place] = set()
        if place in places.last:
            self._order((places.last[place][0],))
        places.last[place] = (self.at, len(places.changes))

    def use(self, owner: object, place: Hashable) -> None:
        """The current call reads a place."""
        places = self._places(owner)
        definer, since = places.last.get(place, (self.at, 0))
        self._influence((definer, *places.changes[since:]))
        places.users[place].add(self.at)

    def change(self, owner: object) -> None:
        """The current call writes some places of an object."""
        places = self._places(owner)
        self._order(places.whole_users.union(*places.users.values()))
        self._order(definer for definer, _ in places.last.values())
        self._order(places.changes)
        if places.changes[-1] != self.at:
            places.changes.append(self.at)

    def use_all(self, owner: object) -> None:
        """The current call reads some places of an object."""
        places = self._places(owner)
        self._influence((*(definer for definer, _ in places.last.values()), *places.changes))
        places.whole_users.add(self.at)

    def see(self, value: object) -> None:
        """The current call has made an object, unless it has been seen before."""
        self._places(value)

    def passed(self, position: int) -> None:
        """The current call takes what the call at a position has returned."""
        self._influence((position,))

    def are_ordered(self, earlier: int, later: int) -> bool:
        """Whether two calls would do otherwise the other way round.

        One influenced the other, or defined what the other used or defined before.
        """
        return (earlier, later) in self.influences or (earlier, later) in self._orders

    def lasting(self) -> set[int]:
        """Calls of whose definitions some still hold: these may influence calls to come."""
        found: set[int] = set()
        for places in self._objects.values():
            found.update(definer for definer, _ in places.last.values())
            found.update(places.changes)
        return found

    def _places(self, owner: object) -> _Places:
        found = self._objects.get(id(owner))
        if found is None:
            found = self._objects[id(owner)] = _Places(self.at)
            self._kept.append(owner)  # so that no id is used twice
        return found

    def _influence(self, definers: Iterable[int]) -> None:
        self.influences.update((definer, self.at) for definer in definers if definer != self.at)

    def _order(self, others: Iterable[int]) -> None:
        self._orders.update((other, self.at) for other in others if other != self.at)
