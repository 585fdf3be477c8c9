"""Transitive closures in circuits: by squaring, and in the order of a relation without cycles."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable
from enum import Enum

from harness.generators.sat.circuits import FALSE, TRUE, Circuits
from harness.generators.sat.matrices import Matrix, joined, united


class Closure(Enum):
    """How the closure of a relation is encoded whose bounds leave cycles open; without any, `in_order` always is."""

    SQUARING = "squaring"
    """Each round joins the relation with itself: log n rounds of n^3 gates."""
    FORWARD = "forward"
    """Only what is reached by at most one step to a lower number: less than the closure, for relaxations."""


def reached(circuits: Circuits, start: Matrix, edges: Matrix, whole: Callable[[], Matrix]) -> Matrix:
    """What one or more steps along `edges` reach from `start`, a set or the last column of a relation.

    `whole` gives the closure, which is needed if there may be cycles.
    """
    order = order_of(edges)
    if order is None:
        return joined(circuits, start, whole())
    if start.columns == 1:
        return in_order(circuits, start, edges, order)
    found = [(atom, reached(circuits, Matrix(1, row), edges, whole)) for atom, row in _rows(start).items()]
    return Matrix(2, {(atom, *to): literal for atom, row in found for to, literal in row.cells.items()})


def closed(circuits: Circuits, edges: Matrix, kind: Closure) -> Matrix:
    """The closure as a relation."""
    order = order_of(edges)
    if order is None:
        return (by_squaring if kind is Closure.SQUARING else forward)(circuits, edges)
    cells = {}
    for atom in _rows(edges):
        start = Matrix(1, {(atom,): TRUE})
        row = in_order(circuits, start, edges, order)
        cells.update({(atom, *to): literal for to, literal in row.cells.items()})
    return Matrix(2, cells)


def by_squaring(circuits: Circuits, edges: Matrix) -> Matrix:
    """The closure: paths of up to 2, 4, 8, ... steps, until they are as long as there are atoms."""
    atoms = {atom for pair in edges.cells for atom in pair}
    found, length = edges, 1
    while length < len(atoms):
        found = united(circuits, [found, joined(circuits, found, found)])
        length *= 2
    return found


def in_order(circuits: Circuits, start: Matrix, edges: Matrix, order: list[int]) -> Matrix:
    """What is reached from a set along edges without cycles: each atom after all that lead to it; n^2 gates."""
    leading = defaultdict(list)
    for (left, right), literal in edges.cells.items():
        leading[right].append((left, literal))
    found: dict[int, int] = {}
    for atom in order:
        ways = []
        for left, literal in leading[atom]:
            here = circuits.either(start.cells.get((left,), FALSE), found.get(left, FALSE))
            ways.append(circuits.both(here, literal))
        literal = circuits.flat_any(ways)
        if literal != FALSE:
            found[atom] = literal
    return Matrix(1, {(atom,): literal for atom, literal in found.items()})


def upwards(circuits: Circuits, edges: Matrix) -> Matrix:
    """The closure of the steps that lead to higher numbers."""
    up = Matrix(2, {pair: literal for pair, literal in edges.cells.items() if pair[0] < pair[1]})
    return closed(circuits, up, Closure.FORWARD)


def first_steps(circuits: Circuits, edges: Matrix, paths: Matrix) -> list[int]:
    """What is true of `upwards`, whose gates say how a path ends: it begins with a step, followed by a path."""
    up = Matrix(2, {pair: literal for pair, literal in edges.cells.items() if pair[0] < pair[1]})
    begun = united(circuits, [up, joined(circuits, up, paths)])
    return [circuits.same(literal, begun.cells[pair]) for pair, literal in paths.cells.items()]


def forward(circuits: Circuits, edges: Matrix) -> Matrix:
    """Paths of which at most one step leads to an atom of no higher number."""
    up = upwards(circuits, edges)
    behind = united(circuits, [edges, joined(circuits, edges, up)])
    return united(circuits, [behind, joined(circuits, up, behind)])


def order_of(edges: Matrix) -> list[int] | None:
    """The atoms that edges may lead to, each after all that may lead to it; None where there may be a cycle."""
    behind = defaultdict(list)
    waiting: dict[int, int] = defaultdict(int)
    for left, right in edges.cells:
        behind[left].append(right)
        waiting[right] += 1
    order: list[int] = sorted(atom for atom in behind if not waiting[atom])
    for atom in order:
        for right in behind[atom]:
            waiting[right] -= 1
            if not waiting[right]:
                order.append(right)
    return None if any(waiting.values()) else order


def _rows(edges: Matrix) -> dict[int, dict[tuple[int, ...], int]]:
    rows: dict[int, dict[tuple[int, ...], int]] = defaultdict(dict)
    for (left, right), literal in edges.cells.items():
        rows[left][right,] = literal
    return rows
