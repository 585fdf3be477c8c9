"""What a system says of some values alone, and whether one such saying entails another (subsumption).

Bounds of a closed matrix are projected by leaving out the rows of dead variables: what followed through them is in the
other cells. A hole of a dead variable moves to a live one that is equal to it but for a constant. All other holes of
dead variables can be stepped around, whatever the live values are, as long as the difference is unbounded on one side
when the live ones are fixed; where one is not, the projection says too little, and is marked as not exact.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from harness.generators.symbolic.systems import Facts
from harness.generators.symbolic.terms import INFINITE, Slot

if TYPE_CHECKING:
    from harness.generators.symbolic.differences import Differences, Hole


class DifferenceFacts(Facts):
    """Facts on slots as a system in which slot number k, from 1, is a variable."""

    __slots__ = ("is_exact", "system")

    def __init__(self, system: Differences, is_exact: bool) -> None:
        self.system = system
        self.is_exact = is_exact

    def entails(self, other: Facts) -> bool:
        return isinstance(other, DifferenceFacts) and entails(self.system, other.system)


def entails(one: Differences, other: Differences) -> bool:
    """Whether each solution of one system is one of the other, which has as many variables."""
    if one is other:
        return True
    for x, (row, wanted) in enumerate(zip(one.bounds, other.bounds, strict=True)):
        for y, (bound, least) in enumerate(zip(row, wanted, strict=True)):
            if bound > least and (not one.holes or one.at_most(x, y, int(least))[1] is not None):
                return False
    return all(one.equal(x, y, d)[0] is None for x, y, d in other.holes)


def projected(system: Differences, slots: Sequence[Slot]) -> DifferenceFacts:
    """What a system says of slots alone: each a variable and what is added to it."""
    cells = ((0, 0), *slots)
    bounds = tuple(tuple([system.bounds[x][y] + a - b for y, b in cells]) for x, a in cells)
    live = list(dict.fromkeys(x for x, _ in cells))
    place: dict[int, Slot] = {}
    for at, (x, added) in enumerate(cells):
        place.setdefault(x, (at, -added))  # x is the cell at that place, less what is added there
    holes: set[Hole] = set()
    is_exact = True
    for x, y, d in system.holes:
        one, other = _moved(system, x, live, place), _moved(system, y, live, place)
        if one is None or other is None:
            is_exact = is_exact and _is_avoidable(system, x, y, live)
            continue
        (a, more), (b, less) = one, other
        shifted = d - more + less
        if a != b:
            holes.add((a, b, shifted) if a < b else (b, a, -shifted))
    return DifferenceFacts(system.space.system(bounds, tuple(sorted(holes))), is_exact)


def _moved(system: Differences, x: int, live: Sequence[int], place: dict[int, Slot]) -> Slot | None:
    """A place, and what is to be added there to give the variable; None where no live one is equal but for that."""
    if x in place:
        return place[x]
    bounds = system.bounds
    for y in live:
        if bounds[x][y] == -bounds[y][x]:
            at, added = place[y]
            return at, added + int(bounds[x][y])
    return None


def _is_avoidable(system: Differences, x: int, y: int, live: Sequence[int]) -> bool:
    """Whether x - y is unbounded above or below even when all live variables are fixed."""
    return _is_unbounded(system, x, y, live) or _is_unbounded(system, y, x, live)


def _is_unbounded(system: Differences, x: int, y: int, live: Sequence[int]) -> bool:
    bounds = system.bounds
    if bounds[x][y] < INFINITE:
        return False
    return all(bounds[x][z] == INFINITE for z in live) or all(bounds[z][y] == INFINITE for z in live)
