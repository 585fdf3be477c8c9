"""Records the fields, elements and containers that calls define and use, and which call influenced which.

jtestcraft2010, section 4.4.1: a call influences a later one if it makes an object that the later call takes. It also
does if it defines a field or an element that the later call uses, unless a call in between has defined it again.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Hashable, Iterable

Pair = tuple[int, int]
"""Positions of two calls, the earlier one first."""


class _Places:
    """The calls that defined and used the places of one object: fields by name, elements by index.

    Attributes:
        last: by place, the call that defined it last, and the number of changes of the whole object before.
        changes: the calls that changed an unknown place of the object, in order; earlier definitions may still hold.
        users: the calls that used a place, by place.
        whole_users: the calls that used the whole object.
    """

    __slots__ = ("changes", "last", "users", "whole_users")

    def __init__(self, maker: int) -> None:
        self.last: dict[Hashable, tuple[int, int]] = {}
        self.changes = [maker]
        self.users: defaultdict[Hashable, set[int]] = defaultdict(set)
        self.whole_users: set[int] = set()


class Accesses:
    """The places that the calls of one execution define and use.

    A place of an object is a field or an element. `use` and `define` record one place; `use_all` and `change` record
    unknown places of an object, so a change hides no definition before it. The call that sees an object first counts
    as its maker, which is a change.

    Attributes:
        at: the position of the call that is being executed.
        influences: pairs of an earlier call and a later one that it influenced.
    """

    def __init__(self) -> None:
        self.at = 0
        self.influences: set[Pair] = set()
        self._orders: set[Pair] = set()
        self._objects: dict[int, _Places] = {}
        self._owners: list[object] = []

    def define(self, owner: object, place: Hashable) -> None:
        """Record that the current call writes a place."""
        places = self._places(owner)
        users = places.users.get(place)
        if users or places.whole_users:
            self._order((users or set()) | places.whole_users)
            places.users[place] = set()
        if place in places.last:
            self._order((places.last[place][0],))
        places.last[place] = (self.at, len(places.changes))

    def use(self, owner: object, place: Hashable) -> None:
        """Record that the current call reads a place."""
        places = self._places(owner)
        definer, since = places.last.get(place, (self.at, 0))
        self._influence((definer, *places.changes[since:]))
        places.users[place].add(self.at)

    def change(self, owner: object) -> None:
        """Record that the current call writes unknown places of an object."""
        places = self._places(owner)
        self._order(places.whole_users.union(*places.users.values()))
        self._order(definer for definer, _ in places.last.values())
        self._order(places.changes)
        if places.changes[-1] != self.at:
            places.changes.append(self.at)

    def use_all(self, owner: object) -> None:
        """Record that the current call reads unknown places of an object."""
        places = self._places(owner)
        self._influence((*(definer for definer, _ in places.last.values()), *places.changes))
        places.whole_users.add(self.at)

    def see(self, value: object) -> None:
        """Record the current call as the maker of an object that was not seen before."""
        self._places(value)

    def passed(self, position: int) -> None:
        """Record that the current call takes the result of the call at a position."""
        self._influence((position,))

    def are_ordered(self, earlier: int, later: int) -> bool:
        """Return whether two calls would behave differently in the other order.

        One influenced the other, or defined what the other used or defined before.
        """
        return (earlier, later) in self.influences or (earlier, later) in self._orders

    def lasting(self) -> set[int]:
        """Return the calls with definitions that still hold, which may influence later calls."""
        definers_and_changers: set[int] = set()
        for places in self._objects.values():
            definers_and_changers.update(definer for definer, _ in places.last.values())
            definers_and_changers.update(places.changes)
        return definers_and_changers

    def _places(self, owner: object) -> _Places:
        places = self._objects.get(id(owner))
        if places is None:
            places = self._objects[id(owner)] = _Places(self.at)
            self._owners.append(owner)  # so that no id is used twice
        return places

    def _influence(self, definers: Iterable[int]) -> None:
        self.influences.update((definer, self.at) for definer in definers if definer != self.at)

    def _order(self, earlier_calls: Iterable[int]) -> None:
        self._orders.update((other, self.at) for other in earlier_calls if other != self.at)
