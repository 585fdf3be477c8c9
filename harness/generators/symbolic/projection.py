"""Projects the bounds and holes of a closed matrix onto some of its variables.

Bounds are projected by leaving out the rows of dead variables, because the bounds that followed through them are in the
other cells. A hole of a dead variable moves to a live one that is equal to it but for a constant. Every other hole of a
dead variable can be avoided for all live values if the difference is unbounded on one side when the live variables are
fixed. If some difference is not, the projection is too weak, and is marked as not exact.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from harness.generators.symbolic.terms import INFINITE, Hole, Row, Slot


class Projection(NamedTuple):
    """Bounds and sorted holes of slots: variable k is slot number k, counted from 1.

    It is exact if its solutions are just those that the projected system allows for the slots.
    """

    bounds: tuple[Row, ...]
    holes: tuple[Hole, ...]
    is_exact: bool


def projected(bounds: tuple[Row, ...], holes: Sequence[Hole], slots: Sequence[Slot]) -> Projection:
    """Project a closed matrix and its holes onto slots, each of which is a variable and an added constant."""
    cells = ((0, 0), *slots)
    rows = tuple(tuple([bounds[x][y] + a - b for y, b in cells]) for x, a in cells)
    live = list(dict.fromkeys(x for x, _ in cells))
    place: dict[int, Slot] = {}
    for at, (x, added) in enumerate(cells):
        place.setdefault(x, (at, -added))  # x is the cell at that place, less what is added there
    moved: set[Hole] = set()
    is_exact = True
    for x, y, d in holes:
        one, other = _moved(bounds, x, live, place), _moved(bounds, y, live, place)
        if one is None or other is None:
            is_exact = is_exact and _is_avoidable(bounds, x, y, live)
            continue
        (a, more), (b, less) = one, other
        shifted = d - more + less
        if a != b:
            moved.add((a, b, shifted) if a < b else (b, a, -shifted))
    return Projection(rows, tuple(sorted(moved)), is_exact)


def _moved(bounds: tuple[Row, ...], x: int, live: Sequence[int], place: dict[int, Slot]) -> Slot | None:
    """Return the slot of a live variable that differs from x only by a constant, with that constant, or None."""
    if x in place:
        return place[x]
    for y in live:
        if bounds[x][y] == -bounds[y][x]:
            at, added = place[y]
            return at, added + int(bounds[x][y])
    return None


def _is_avoidable(bounds: tuple[Row, ...], x: int, y: int, live: Sequence[int]) -> bool:
    """Return whether x - y is unbounded above or below even when all live variables are fixed."""
    return _is_unbounded(bounds, x, y, live) or _is_unbounded(bounds, y, x, live)


def _is_unbounded(bounds: tuple[Row, ...], x: int, y: int, live: Sequence[int]) -> bool:
    if bounds[x][y] < INFINITE:
        return False
    return all(bounds[x][z] == INFINITE for z in live) or all(bounds[z][y] == INFINITE for z in live)
