"""Orders of routines before a target, in which each may influence a later one (jtestcraft2010, section 4.3)."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from typing import TypeAlias

from harness.generators.influence.influence import Influence

Order: TypeAlias = tuple[int, ...]
"""Numbers of routines, the target's last. An order does not include receivers."""


class Orders:
    """The orders of one target, in which each routine may directly influence a later one.

    Args:
        printed_rule: whether the partial order reduction of section 4.3.4 is applied: no routine stands before one that
            it does not influence directly and whose number is lower.
    """

    def __init__(self, influence: Influence, target: int, printed_rule: bool = False) -> None:
        self.target = target
        self._influence = influence
        self._routines = range(len(influence.facts))
        self._printed_rule = printed_rule
        self._can_end = cache(self._ends)

    def backward(self, length: int) -> Iterator[Order]:
        """Yield the orders of a length as Listing 4.2 finds them: routines are added before shorter orders, one at a
        time.

        Only one order is held at a time, not all shorter ones.
        """
        yield from self._longer((self.target,), length)

    def _longer(self, order: Order, length: int) -> Iterator[Order]:
        if len(order) == length:
            yield order
            return
        for routine in self._routines:
            if not self._influence.direct[routine].isdisjoint(order) and self._may_precede(routine, order[0]):
                yield from self._longer((routine, *order), length)

    def forward(self, begun: Order, length: int) -> Iterator[int]:
        """Yield the routines that may come next in an order of a length, so that some order has this prefix.

        Orders of one length that begin with the same routines are so found one after the other.
        """
        idle = self._idle(begun)
        last = begun[-1] if begun else None
        left = length - len(begun) - 1
        for routine in self._routines:
            if self._fits_behind(last, routine) and self._can_end(self._still_idle(idle, last, routine), routine, left):
                yield routine

    def has_any(self, length: int) -> bool:
        """Return whether there is an order of that length; if there is none, there are no longer ones."""
        return next(self.forward((), length), None) is not None

    def _idle(self, begun: Order) -> frozenset[int]:
        """Return the routines before the last that influence none after them."""
        return frozenset(
            one for at, one in enumerate(begun[:-1]) if self._influence.direct[one].isdisjoint(begun[at + 1 :])
        )

    def _still_idle(self, idle: frozenset[int], last: int | None, routine: int) -> frozenset[int]:
        """Return the idle routines that remain when one more routine follows the last."""
        before = idle if last is None else idle | {last}
        return frozenset(one for one in before if routine not in self._influence.direct[one])

    def _ends(self, idle: frozenset[int], last: int, left: int) -> bool:
        """Return whether exactly `left` more routines may follow to complete an order."""
        if left == 0:
            return last == self.target and not idle
        return any(
            self._fits_behind(last, routine) and self._can_end(self._still_idle(idle, last, routine), routine, left - 1)
            for routine in self._routines
        )

    def _fits_behind(self, last: int | None, routine: int) -> bool:
        return last is None or self._may_precede(last, routine)

    def _may_precede(self, routine: int, following: int) -> bool:
        return not self._printed_rule or routine <= following or following in self._influence.direct[routine]
