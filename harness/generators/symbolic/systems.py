"""Constraints on integers: a closed difference-bound matrix with holes, where a decision reads two cells, and others.

Variables are 1, 2, ...; 0 stands for the number zero. A constraint is x - y <= c, and a hole is x - y != d, which lies
strictly between the bounds of x - y (a hole at a bound tightens it). The matrix is closed: each bound is the shortest
path (Dill 1989), and closing it again after one more bound takes the square of its size (incremental closing).

If no hole is at a bound and each holed difference is unbounded on one side, there is a solution. This is because some
direction leads away from all of these holes at once. Other holes are tight. A search by cases decides about them, or z3
if the search is too long. z3 also decides about constraints that are no differences, such as sums and products.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, TypeAlias

from harness.generators.symbolic.formulas import (
    INFINITE,
    MOST_STEPS,
    UNKNOWN,
    Coefficients,
    Constraint,
    Definition,
    Hole,
    Ranges,
    Row,
    Slot,
    Solution,
    SumConstraint,
    Unknown,
    bounds_written,
    ranges_written,
    scaled,
    solved,
    written,
)

MOST_CASES = 256
"""The number of cases of tight holes that are searched before z3 is asked."""


class Space:
    """All systems of one search.

    Each system of differences is there only once, so each question to it is answered once. Those with other constraints
    are made anew: the values that z3 finds depend on all that it was asked before.

    Args:
        solver_steps: the limit of z3 for one question; 0: z3 is never asked, and what it would decide is unknown.
    """

    def __init__(self, solver_steps: int = MOST_STEPS) -> None:
        self.solver_steps = solver_steps
        self._systems: dict[tuple[tuple[Row, ...], tuple[Hole, ...]], System] = {}

    def system(self, bounds: tuple[Row, ...], holes: tuple[Hole, ...], others: tuple[Constraint, ...] = ()) -> System:
        """Return the system with that closed matrix, these holes, sorted, and other constraints."""
        if others:
            return System(self, bounds, holes, others)
        key = (bounds, holes)
        system = self._systems.get(key)
        if system is None:
            system = self._systems[key] = System(self, bounds, holes, ())
        return system

    def free(self, size: int) -> System:
        """Return the system of that many variables without constraints."""
        count = range(size + 1)
        return self.system(tuple(tuple(0 if x == y else INFINITE for y in count) for x in count), ())


class System:
    """Constraints on variables; immutable.

    A decision is a pair: the system if the answer is yes, and the system if it is no. None stands for an answer that no
    solution gives, and UNKNOWN for one about which the solver does not know whether a solution gives it.

    Attributes:
        bounds: `bounds[x][y]` is the least c with x - y <= c that follows from the bounds, INFINITE if none does.
        holes: the holes strictly between bounds, sorted.
        others: the constraints that are no differences.
    """

    __slots__ = (
        *("_at_most", "_bounded", "_checked", "_equal", "_facts", "_linear", "_order", "_solutions", "_space"),
        *("bounds", "holes", "others"),
    )

    def __init__(
        self, space: Space, bounds: tuple[Row, ...], holes: tuple[Hole, ...], others: tuple[Constraint, ...]
    ) -> None:
        self._space = space
        self.bounds = bounds
        self.holes = holes
        self.others = others
        self._at_most: dict[tuple[int, int, int], Pair] = {}
        self._equal: dict[tuple[int, int, int], Pair] = {}
        self._linear: dict[SumConstraint, Pair] = {}
        self._checked: bool | Unknown | None = None if others or self._has_tight_holes() else True
        self._bounded: dict[Ranges, System | None | Unknown] = {}
        self._solutions: dict[Ranges, Solution] = {}
        self._order: tuple[int, ...] | None = None
        self._facts: dict[tuple[Slot, ...], RowConstraints] = {}

    @property
    def size(self) -> int:
        """The number of variables."""
        return len(self.bounds) - 1

    # -- deciding ----------------------------------------------------------------------------

    def at_most(self, x: int, y: int, c: int) -> Pair:
        """Decide whether x - y <= c."""
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
        """Decide whether x - y = d."""
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
        """Decide whether the sum of the products and the constant is (`relation`) "<=" or "==" zero."""
        constraint = SumConstraint(relation, coefficients, constant)
        pair = self._linear.get(constraint)
        if pair is None:
            negation = (
                SumConstraint("<=", scaled(coefficients, -1), 1 - constant)
                if relation == "<="
                else SumConstraint("!=", coefficients, constant)
            )
            pair = (_checked(self._and(constraint)), _checked(self._and(negation)))
            if self.others:
                self._linear[constraint] = pair
        return pair

    # -- adding ------------------------------------------------------------------------------

    def _and(self, constraint: Constraint) -> System:
        return self._space.system(self.bounds, self.holes, (*self.others, constraint))

    def defined(self, operation: str, parts: tuple[Slot, ...]) -> tuple[System, int]:
        """Return the system extended by the result of an operation on parts, and the variable that is this result.

        Args:
            operation: "*", "//" or "%" of two slots; "+" of weighted variables, the constant as the weight of 0.
        """
        for constraint in self.others:
            if isinstance(constraint, Definition) and (constraint.operation, constraint.parts) == (operation, parts):
                return self, constraint.variable
        wider = self.extended(1)
        return wider._and(Definition(wider.size, operation, parts)), wider.size

    def extended(self, count: int) -> System:
        """Return the system with more variables after the others."""
        more = (INFINITE,) * count
        size = len(self.bounds)
        rows = [row + more for row in self.bounds]
        for number in range(count):
            rows.append((INFINITE,) * (size + number) + (0,) + (INFINITE,) * (count - number - 1))
        return self._space.system(tuple(rows), self.holes, self.others)

    def bounded(self, x: int, y: int, c: int) -> System | None:
        """Return the closed system with x - y <= c, or None if the bounds or a hole exclude it."""
        bounds = _closed(self.bounds, x, y, c)
        return None if bounds is None else self._settled(bounds, self.holes)

    def fixed(self, x: int, y: int, d: int) -> System | None:
        """Return the system with x - y = d, or None as `bounded` does."""
        upper = self.bounded(x, y, d)
        return None if upper is None else upper.bounded(y, x, -d)

    def holed(self, x: int, y: int, d: int) -> System | None:
        """Return the system with x - y != d, or None as `bounded` does."""
        hole = (x, y, d) if x < y else (y, x, -d)
        return self if hole in self.holes else self._settled(self.bounds, (*self.holes, hole))

    def _settled(self, bounds: tuple[Row, ...], holes: Sequence[Hole]) -> System | None:
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
                return self._space.system(bounds, tuple(sorted(left)), self.others)

    # -- solving -----------------------------------------------------------------------------

    def is_solvable(self) -> bool | Unknown:
        """Return whether there is a solution. A search by cases decides about tight holes, and z3 about the rest."""
        if self._checked is None:
            self._checked = self._is_solvable()
        return self._checked

    def _is_solvable(self) -> bool | Unknown:
        if self.others:
            has_differences = self._space.system(self.bounds, self.holes).is_solvable()
            if has_differences is not True:
                return has_differences
        else:
            try:
                return self.without_holes() is not None
            except TooManyCases:
                pass
        solution = self._solved(())
        return solution if isinstance(solution, Unknown) else solution is not None

    def _solved(self, ranges: Ranges) -> Solution:
        """Ask z3 for a solution."""

        def formulas(x: Sequence[Any]) -> list[Any]:
            constraints = bounds_written(self.bounds, self.holes, x) + ranges_written(ranges, x)
            return constraints + [formula for one in self.others for formula in written(one, x)]

        if ranges not in self._solutions:
            self._solutions[ranges] = solved(self.size, formulas, self._space.solver_steps)
        return self._solutions[ranges]

    def _has_tight_holes(self) -> bool:
        bounds = self.bounds
        return any(bounds[x][y] < INFINITE and bounds[y][x] < INFINITE for x, y, _ in self.holes)

    def without_holes(self, most: int = MOST_CASES) -> System | None:
        """Return a system with some of the solutions and without holes, or None if there is no solution.

        Raises:
            TooManyCases: more than `most` cases were searched.
        """
        work: list[System] = [self]
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
        """Return the least and the greatest solution of bounds alone, if all variables are bounded."""
        within = None if self.holes or self.others else self._within(ranges)
        if not isinstance(within, System):
            return None
        least, greatest = within.bounds[0][1:], [row[0] for row in within.bounds[1:]]
        if INFINITE in least or INFINITE in greatest:
            return None
        return tuple(int(-bound) for bound in least), tuple(map(int, greatest))

    def solution(self, ranges: Ranges = ()) -> Solution:
        """Return a value for each variable, within its range if it has one, or None if there is no solution."""
        if self.others:
            return self._solved(ranges)
        within = self._within(ranges)
        if not isinstance(within, System):
            return within
        if INFINITE not in within.bounds[0]:  # of a closed matrix without holes, the least values are a solution
            return tuple(int(-bound) for bound in within.bounds[0][1:])
        for x in range(1, len(within.bounds)):  # and each value within the bounds is one of a solution
            highest, lowest = within.bounds[x][0], -within.bounds[0][x]
            fixed = within.fixed(x, 0, int(lowest if lowest > 0 else min(0, highest)))
            assert fixed is not None
            within = fixed
        return tuple(int(row[0]) for row in within.bounds[1:])

    def _within(self, ranges: Ranges) -> System | None | Unknown:
        """Return the closed system without holes of the solutions within the ranges, if there are any."""
        if ranges not in self._bounded:
            self._bounded[ranges] = self._bounded_by(ranges)
        return self._bounded[ranges]

    def _bounded_by(self, ranges: Ranges) -> System | None | Unknown:
        within: System | None = self
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
        """Return the facts on the values of these slots only, each of which is a variable and an added constant.

        Bounds are projected by leaving out the rows of dead variables, because the bounds that followed through them
        are in the other cells. A hole of a dead variable moves to a live one that is equal to it but for a constant.
        Every other hole of a dead variable can be avoided for all live values if the difference is unbounded on one
        side when the live variables are fixed. If some difference is not, or there are other constraints, the
        projection is too weak, and is marked as not exact.
        """
        facts = self._facts.get(slots)
        if facts is None:
            facts = self._facts[slots] = self._projected(slots)
        return facts

    def _projected(self, slots: tuple[Slot, ...]) -> RowConstraints:
        bounds = self.bounds
        cells = ((0, 0), *slots)
        rows = tuple(tuple([bounds[x][y] + a - b for y, b in cells]) for x, a in cells)
        live = list(dict.fromkeys(x for x, _ in cells))
        place: dict[int, Slot] = {}
        for at, (x, added) in enumerate(cells):
            place.setdefault(x, (at, -added))  # x is the cell at that place, less what is added there
        moved: set[Hole] = set()
        is_exact = not self.others
        for x, y, d in self.holes:
            one, other = _moved(bounds, x, live, place), _moved(bounds, y, live, place)
            if one is None or other is None:
                is_exact = is_exact and _is_avoidable(bounds, x, y, live)
                continue
            (a, more), (b, less) = one, other
            shifted = d - more + less
            if a != b:
                moved.add((a, b, shifted) if a < b else (b, a, -shifted))
        return RowConstraints(self._space.system(rows, tuple(sorted(moved))), is_exact)

    # -- naming ------------------------------------------------------------------------------

    def order(self) -> tuple[int, ...]:
        """Return the variables in an order that depends only on the bounds, if these distinguish the variables.

        Systems that differ only in names so become equal. With other constraints, variables keep their names.
        """
        if self.others:
            return tuple(range(1, len(self.bounds)))
        if self._order is None:
            bounds = self.bounds
            columns = list(zip(*bounds, strict=True))
            numbers = range(1, len(bounds))
            self._order = tuple(sorted(numbers, key=lambda x: (sorted(bounds[x]), sorted(columns[x]))))
        return self._order

    def permuted(self, order: Sequence[int]) -> System:
        """Return the system whose first variable is the first of `order`, and so on."""
        assert not self.others
        cells = (0, *order)
        place = {x: at for at, x in enumerate(cells)}
        holes = ((place[x], place[y], d) if place[x] < place[y] else (place[y], place[x], -d) for x, y, d in self.holes)
        bounds = tuple(tuple([self.bounds[x][y] for y in cells]) for x in cells)
        return self._space.system(bounds, tuple(sorted(holes)))


class TooManyCases(Exception):
    """A search by cases was given up."""


class RowConstraints:
    """Constraints on a row of values, as a system in which value number k, from 1, is a variable.

    `is_exact` states that each row that satisfies them is part of a solution.
    """

    __slots__ = ("is_exact", "system")

    def __init__(self, system: System, is_exact: bool) -> None:
        self.system = system
        self.is_exact = is_exact

    def entails(self, other: RowConstraints) -> bool:
        """Return whether these facts imply the others, on as many values (subsumption); False if it is unknown."""
        one, weaker = self.system, other.system
        if one is weaker:
            return True
        for x, (row, other_row) in enumerate(zip(one.bounds, weaker.bounds, strict=True)):
            for y, (bound, least) in enumerate(zip(row, other_row, strict=True)):
                if bound > least and (not one.holes or one.at_most(x, y, int(least))[1] is not None):
                    return False
        return all(one.equal(x, y, d)[0] is None for x, y, d in weaker.holes)


Answer: TypeAlias = System | None | Unknown
Pair: TypeAlias = tuple[Answer, Answer]


def _checked(system: System | None) -> Answer:
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
