"""Differences of integers: a closed difference-bound matrix with holes, in which a decision reads two cells.

Variables are 1, 2, ...; 0 stands for the number zero. A constraint is x - y <= c, and a hole is x - y != d, which lies
strictly between the bounds of x - y (a hole at a bound tightens it). The matrix is closed: each bound is the shortest
path (Dill 1989), and closing it again after one more bound takes the square of its size (incremental closing).

If no hole is at a bound and each holed difference is unbounded on one side, there is a solution. This is because some
direction leads away from all of these holes at once. Other holes are tight. A search by cases decides about them, or a
solver if the search is too long.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple, TypeAlias

from harness.generators.symbolic.systems import (
    UNKNOWN,
    Defined,
    Pair,
    Ranges,
    RowConstraints,
    Solution,
    System,
    Unknown,
)
from harness.generators.symbolic.terms import INFINITE, Coefficients, Hole, Row, Slot

MOST_CASES = 256
"""The number of cases of tight holes that are searched before a solver is asked."""

Further: TypeAlias = Callable[["Differences"], bool | Unknown]
General: TypeAlias = Callable[["Differences", str, Coefficients, int], Pair]
Defining: TypeAlias = Callable[["Differences", str, tuple[Slot, ...]], Defined]


def _unknown(system: Differences) -> Unknown:
    return UNKNOWN


class Space:
    """All systems of one search, each only once, so that each question to a system is answered once.

    Args:
        further: decides whether a system with tight holes has a solution if the search by cases gives up.
        general: decides constraints that are no differences; None: unknown.
        defining: defines a variable by an operation that is no difference; None: unknown.
        solver_steps: the solver's limit for one question of these three functions; 0: the solver's own limit.
    """

    def __init__(
        self,
        further: Further = _unknown,
        general: General | None = None,
        defining: Defining | None = None,
        solver_steps: int = 0,
    ) -> None:
        self.solver_steps = solver_steps
        self.further = further
        self.general = general
        self.defining = defining
        self._systems: dict[tuple[tuple[Row, ...], tuple[Hole, ...]], Differences] = {}

    def system(self, bounds: tuple[Row, ...], holes: tuple[Hole, ...]) -> Differences:
        """Return the system with that closed matrix and these holes, sorted."""
        key = (bounds, holes)
        system = self._systems.get(key)
        if system is None:
            system = self._systems[key] = Differences(self, bounds, holes)
        return system

    def free(self, size: int) -> Differences:
        """Return the system of that many variables without constraints."""
        count = range(size + 1)
        return self.system(tuple(tuple(0 if x == y else INFINITE for y in count) for x in count), ())


class Differences(System):
    """A system of bounds and holes; immutable, and the only one of its kind in its space.

    Attributes:
        bounds: `bounds[x][y]` is the least c with x - y <= c that follows from the bounds, INFINITE if none does.
        holes: the holes strictly between bounds, sorted.
    """

    __slots__ = ("_at_most", "_bounded", "_checked", "_equal", "_facts", "_order", "_space", "bounds", "holes")

    def __init__(self, space: Space, bounds: tuple[Row, ...], holes: tuple[Hole, ...]) -> None:
        self._space = space
        self.bounds = bounds
        self.holes = holes
        self._at_most: dict[tuple[int, int, int], Pair] = {}
        self._equal: dict[tuple[int, int, int], Pair] = {}
        self._checked: bool | Unknown | None = None if self._has_tight_holes() else True
        self._bounded: dict[Ranges, Differences | None | Unknown] = {}
        self._order: tuple[int, ...] | None = None
        self._facts: dict[tuple[Slot, ...], RowConstraints] = {}

    @property
    def size(self) -> int:
        return len(self.bounds) - 1

    @property
    def space(self) -> Space:
        """The space that has all systems of the search."""
        return self._space

    # -- deciding ----------------------------------------------------------------------------

    def at_most(self, x: int, y: int, c: int) -> Pair:
        pair = self._at_most.get((x, y, c))
        if pair is None:
            if self.bounds[x][y] <= c:
                pair = (self, None)
            elif self.bounds[y][x] < -c:
                pair = (None, self)
            else:
                pair = (_checked(self.bounded(x, y, c)), _checked(self.bounded(y, x, -c - 1)))
            self._at_most[x, y, c] = pair
        return pair

    def equal(self, x: int, y: int, d: int) -> Pair:
        pair = self._equal.get((x, y, d))
        if pair is None:
            high, low = self.bounds[x][y], -self.bounds[y][x]
            if not low <= d <= high or (x, y, d) in self.holes or (y, x, -d) in self.holes:
                pair = (None, self)
            elif low == high:
                pair = (self, None)
            else:
                pair = (_checked(self.fixed(x, y, d)), _checked(self.holed(x, y, d)))
            self._equal[x, y, d] = pair
        return pair

    def linear(self, relation: str, coefficients: Coefficients, constant: int) -> Pair:
        if self._space.general is None:
            return (UNKNOWN, UNKNOWN)
        return self._space.general(self, relation, coefficients, constant)

    def defined(self, operation: str, parts: tuple[Slot, ...]) -> Defined:
        if self._space.defining is None:
            return UNKNOWN
        return self._space.defining(self, operation, parts)

    # -- adding ------------------------------------------------------------------------------

    def extended(self, count: int) -> Differences:
        more = (INFINITE,) * count
        size = len(self.bounds)
        rows = [row + more for row in self.bounds]
        for number in range(count):
            rows.append((INFINITE,) * (size + number) + (0,) + (INFINITE,) * (count - number - 1))
        return self._space.system(tuple(rows), self.holes)

    def bounded(self, x: int, y: int, c: int) -> Differences | None:
        """Return the closed system with x - y <= c, or None if the bounds or a hole exclude it."""
        bounds = _closed(self.bounds, x, y, c)
        return None if bounds is None else self._settled(bounds, self.holes)

    def fixed(self, x: int, y: int, d: int) -> Differences | None:
        """Return the system with x - y = d, or None as `bounded` does."""
        upper = self.bounded(x, y, d)
        return None if upper is None else upper.bounded(y, x, -d)

    def holed(self, x: int, y: int, d: int) -> Differences | None:
        """Return the system with x - y != d, or None as `bounded` does."""
        hole = (x, y, d) if x < y else (y, x, -d)
        return self if hole in self.holes else self._settled(self.bounds, (*self.holes, hole))

    def _settled(self, bounds: tuple[Row, ...], holes: Sequence[Hole]) -> Differences | None:
        """Return the system after tightening bounds until no hole is at a bound, or None if it has no solution."""
        while True:
            left = []
            for x, y, d in holes:
                high, low = bounds[x][y], -bounds[y][x]
                if low < d < high:
                    left.append((x, y, d))
                elif low <= d <= high:
                    if low == high:
                        return None
                    tighter = _closed(bounds, x, y, d - 1) if d == high else _closed(bounds, y, x, -d - 1)
                    if tighter is None:
                        return None
                    bounds = tighter
                    break
            else:
                return self._space.system(bounds, tuple(sorted(left)))

    # -- solving -----------------------------------------------------------------------------

    def is_solvable(self) -> bool | Unknown:
        """Return whether there is a solution. With tight holes, a search by cases or the space's solver decides."""
        if self._checked is None:
            try:
                self._checked = self.without_holes() is not None
            except TooManyCases:
                self._checked = self._space.further(self)
        return self._checked

    def _has_tight_holes(self) -> bool:
        bounds = self.bounds
        return any(bounds[x][y] < INFINITE and bounds[y][x] < INFINITE for x, y, _ in self.holes)

    def without_holes(self, most: int = MOST_CASES) -> Differences | None:
        """Return a system with some of the solutions and without holes, or None if there is no solution.

        Raises:
            TooManyCases: more than `most` cases were searched.
        """
        work: list[Differences] = [self]
        while work:
            system = work.pop()
            if not system.holes:
                return system
            most -= 1
            if most < 0:
                raise TooManyCases
            x, y, d = system.holes[0]
            for case in (system.bounded(y, x, -d - 1), system.bounded(x, y, d - 1)):
                if case is not None:
                    work.append(case)
        return None

    def extremes(self, ranges: Ranges) -> tuple[tuple[int, ...], tuple[int, ...]] | None:
        """Return the least and the greatest solution of a system without holes, if all variables are bounded."""
        within = None if self.holes else self._within(ranges)
        if not isinstance(within, Differences):
            return None
        least, greatest = within.bounds[0][1:], [row[0] for row in within.bounds[1:]]
        if INFINITE in least or INFINITE in greatest:
            return None
        return tuple(int(-bound) for bound in least), tuple(map(int, greatest))

    def solution(self, ranges: Ranges = ()) -> Solution:
        within = self._within(ranges)
        if not isinstance(within, Differences):
            return within
        if INFINITE not in within.bounds[0]:  # of a closed matrix without holes, the least values are a solution
            return tuple(int(-bound) for bound in within.bounds[0][1:])
        for x in range(1, len(within.bounds)):  # and each value within the bounds is one of a solution
            highest, lowest = within.bounds[x][0], -within.bounds[0][x]
            fixed = within.fixed(x, 0, int(lowest if lowest > 0 else min(0, highest)))
            assert fixed is not None
            within = fixed
        return tuple(int(row[0]) for row in within.bounds[1:])

    def _within(self, ranges: Ranges) -> Differences | None | Unknown:
        """Return the closed system without holes of the solutions within the ranges, if there are any."""
        if ranges not in self._bounded:
            self._bounded[ranges] = self._bounded_by(ranges)
        return self._bounded[ranges]

    def _bounded_by(self, ranges: Ranges) -> Differences | None | Unknown:
        within: Differences | None = self
        for x, limits in enumerate(ranges, start=1):
            if limits is not None and within is not None:
                within = within.bounded(0, x, -limits[0])
            if limits is not None and within is not None:
                within = within.bounded(x, 0, limits[1])
        try:
            return None if within is None else within.without_holes()
        except TooManyCases:
            return UNKNOWN

    def projected(self, slots: tuple[Slot, ...]) -> RowConstraints:
        facts = self._facts.get(slots)
        if facts is None:
            bounds, holes, is_exact = projected(self.bounds, self.holes, slots)
            facts = self._facts[slots] = DifferenceFacts(self.space.system(bounds, holes), is_exact)
        return facts

    # -- naming ------------------------------------------------------------------------------

    def order(self) -> tuple[int, ...]:
        """Return the variables in an order that depends only on the bounds, if these distinguish the variables."""
        if self._order is None:
            bounds = self.bounds
            columns = list(zip(*bounds, strict=True))
            numbers = range(1, len(bounds))
            self._order = tuple(sorted(numbers, key=lambda x: (sorted(bounds[x]), sorted(columns[x]))))
        return self._order

    def permuted(self, order: Sequence[int]) -> Differences:
        cells = (0, *order)
        place = {x: at for at, x in enumerate(cells)}
        holes = ((place[x], place[y], d) if place[x] < place[y] else (place[y], place[x], -d) for x, y, d in self.holes)
        bounds = tuple(tuple([self.bounds[x][y] for y in cells]) for x in cells)
        return self._space.system(bounds, tuple(sorted(holes)))


class TooManyCases(Exception):
    """A search by cases was given up."""


class DifferenceFacts(RowConstraints):
    """Facts on slots as a system in which slot number k, from 1, is a variable."""

    __slots__ = ("is_exact", "system")

    def __init__(self, system: Differences, is_exact: bool) -> None:
        self.system = system
        self.is_exact = is_exact

    def entails(self, other: RowConstraints) -> bool:
        return isinstance(other, DifferenceFacts) and _entails(self.system, other.system)


def _entails(one: Differences, other: Differences) -> bool:
    """Return whether each solution of one system solves the other, which has as many variables (subsumption)."""
    if one is other:
        return True
    for x, (row, other_row) in enumerate(zip(one.bounds, other.bounds, strict=True)):
        for y, (bound, least) in enumerate(zip(row, other_row, strict=True)):
            if bound > least and (not one.holes or one.at_most(x, y, int(least))[1] is not None):
                return False
    return all(one.equal(x, y, d)[0] is None for x, y, d in other.holes)


def _checked(system: Differences | None) -> Differences | None | Unknown:
    """Return the system if it has a solution, None if it has none, and UNKNOWN if that is unknown."""
    if system is None:
        return None
    solvable = system.is_solvable()
    return UNKNOWN if isinstance(solvable, Unknown) else system if solvable else None


def _closed(bounds: tuple[Row, ...], x: int, y: int, c: int) -> tuple[Row, ...] | None:
    """Return a closed matrix with x - y <= c, or None if there is a cycle below zero."""
    if bounds[y][x] < -c:
        return None
    if bounds[x][y] <= c:
        return bounds
    onward = bounds[y]
    rows = []
    for row in bounds:
        via = row[x] + c
        if via == INFINITE:
            rows.append(row)
        else:
            pairs = zip(row, onward, strict=True)
            rows.append(tuple([old if old <= (new := via + more) else new for old, more in pairs]))
    return tuple(rows)


class Projection(NamedTuple):
    """Bounds and sorted holes of slots: variable k is slot number k, counted from 1.

    It is exact if its solutions are just those that the projected system allows for the slots.
    """

    bounds: tuple[Row, ...]
    holes: tuple[Hole, ...]
    is_exact: bool


def projected(bounds: tuple[Row, ...], holes: Sequence[Hole], slots: Sequence[Slot]) -> Projection:
    """Project a closed matrix and its holes onto slots, each of which is a variable and an added constant.

    Bounds are projected by leaving out the rows of dead variables, because the bounds that followed through them are in
    the other cells. A hole of a dead variable moves to a live one that is equal to it but for a constant. Every other
    hole of a dead variable can be avoided for all live values if the difference is unbounded on one side when the live
    variables are fixed. If some difference is not, the projection is too weak, and is marked as not exact.
    """
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
