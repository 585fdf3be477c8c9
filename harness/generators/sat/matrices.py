"""Sets and relations in circuits, with a literal for each possible atom or pair, and the operators on them.

Transitive closures are encoded by squaring, or in the order of a relation without cycles.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable
from dataclasses import dataclass

from harness.generators.sat.circuits import FALSE, TRUE, Circuits
from harness.kernel.specs.relational.terms import Operator

Cells = dict[tuple[int, ...], int]


@dataclass(frozen=True)
class Matrix:
    """A set or relation. `cells` has, by the numbers of atoms, the literal that says whether it contains them.

    It does not contain atoms without a cell. `lone`: a relation has at most one atom of the second column for each one
    of the first; a set has at most one element.
    """

    columns: int
    cells: Cells
    lone: bool = False


def joined(circuits: Circuits, left: Matrix, right: Matrix) -> Matrix:
    """Return the join on the last column of `left` and the first one of `right`."""
    behind: dict[int, list[tuple[tuple[int, ...], int]]] = defaultdict(list)
    for atoms, literal in right.cells.items():
        behind[atoms[0]].append((atoms[1:], literal))
    ways: dict[tuple[int, ...], list[int]] = defaultdict(list)
    for atoms, literal in left.cells.items():
        for suffix, other in behind.get(atoms[-1], ()):
            ways[atoms[:-1] + suffix].append(circuits.both(literal, other))
    preimage = right.columns == 1  # a preimage may have several atoms, though each has one image at most
    return Matrix(left.columns + right.columns - 2, _of(circuits, ways), left.lone and right.lone and not preimage)


def combined(circuits: Circuits, operator: Operator, left: Matrix, right: Matrix) -> Matrix:
    """Return the union, intersection or difference."""
    if operator is Operator.INTERSECTION:
        shared = {
            atoms: circuits.both(literal, right.cells[atoms])
            for atoms, literal in left.cells.items()
            if atoms in right.cells
        }
        return Matrix(left.columns, _possible(shared), left.lone or right.lone)
    if operator is Operator.DIFFERENCE:
        remainder = {
            atoms: circuits.both(literal, -right.cells.get(atoms, FALSE)) for atoms, literal in left.cells.items()
        }
        return Matrix(left.columns, _possible(remainder), left.lone)
    cells = dict(left.cells)
    for atoms, literal in right.cells.items():
        cells[atoms] = circuits.either(cells.get(atoms, FALSE), literal)
    return Matrix(left.columns, cells)


def united(circuits: Circuits, matrices: list[Matrix]) -> Matrix:
    """Return the union of several matrices."""
    literals_of: dict[tuple[int, ...], list[int]] = defaultdict(list)
    for matrix in matrices:
        for atoms, literal in matrix.cells.items():
            literals_of[atoms].append(literal)
    return Matrix(matrices[0].columns, _of(circuits, literals_of))


def transposed(matrix: Matrix) -> Matrix:
    """Return the relation with each pair reversed."""
    return Matrix(2, {(right, left): literal for (left, right), literal in matrix.cells.items()})


def within(circuits: Circuits, left: Matrix, right: Matrix) -> int:
    """Return a literal that is true if `right` contains all of `left`."""
    return circuits.all(
        circuits.either(-literal, right.cells.get(atoms, FALSE)) for atoms, literal in left.cells.items()
    )


def multiple(circuits: Circuits, operator: Operator, matrix: Matrix) -> int:
    """Return a literal that is true if there are some, no, at most one, or exactly one, by the operator."""
    literals = list(matrix.cells.values())
    if operator is Operator.NO:
        return -circuits.any(literals)
    if operator is Operator.SOME:
        return circuits.any(literals)
    is_lone = circuits.at_most_one(literals)
    if matrix.columns == 1 and matrix.lone:
        is_lone = -FALSE
    return is_lone if operator is Operator.LONE else circuits.both(is_lone, circuits.any(literals))


def _of(circuits: Circuits, literals_by_atoms: dict[tuple[int, ...], list[int]]) -> Cells:
    return _possible({atoms: circuits.any(literals) for atoms, literals in literals_by_atoms.items()})


def _possible(cells: Cells) -> Cells:
    return {atoms: literal for atoms, literal in cells.items() if literal != FALSE}


def reached(circuits: Circuits, start: Matrix, edges: Matrix, whole: Callable[[], Matrix]) -> Matrix:
    """Return the atoms that one or more steps along `edges` reach from `start`, a set or a relation's last column.

    `whole` returns the closure, which is needed if there may be cycles.
    """
    order = order_of(edges)
    if order is None:
        return joined(circuits, start, whole())
    if start.columns == 1:
        return in_order(circuits, start, edges, order)
    rows = [(atom, reached(circuits, Matrix(1, row), edges, whole)) for atom, row in _rows(start).items()]
    return Matrix(2, {(atom, *to): literal for atom, row in rows for to, literal in row.cells.items()})


def closed(circuits: Circuits, edges: Matrix, is_relaxed: bool = False) -> Matrix:
    """Return the closure as a relation; relaxed, without paths that lead to lower numbers more than once."""
    order = order_of(edges)
    if order is None:
        return (forward if is_relaxed else by_squaring)(circuits, edges)
    cells = {}
    for atom in _rows(edges):
        start = Matrix(1, {(atom,): TRUE})
        row = in_order(circuits, start, edges, order)
        cells.update({(atom, *to): literal for to, literal in row.cells.items()})
    return Matrix(2, cells)


def by_squaring(circuits: Circuits, edges: Matrix) -> Matrix:
    """Return the closure: paths of up to 2, 4, 8, ... steps, until their length is the number of atoms."""
    atoms = {atom for pair in edges.cells for atom in pair}
    paths, length = edges, 1
    while length < len(atoms):
        paths = united(circuits, [paths, joined(circuits, paths, paths)])
        length *= 2
    return paths


def in_order(circuits: Circuits, start: Matrix, edges: Matrix, order: list[int]) -> Matrix:
    """Return the atoms reached from a set along edges without cycles, in topological order, with n^2 gates."""
    leading = defaultdict(list)
    for (left, right), literal in edges.cells.items():
        leading[right].append((left, literal))
    reached_atoms: dict[int, int] = {}
    for atom in order:
        ways = []
        for left, literal in leading[atom]:
            here = circuits.either(start.cells.get((left,), FALSE), reached_atoms.get(left, FALSE))
            ways.append(circuits.both(here, literal))
        literal = circuits.flat_any(ways)
        if literal != FALSE:
            reached_atoms[atom] = literal
    return Matrix(1, {(atom,): literal for atom, literal in reached_atoms.items()})


def upwards(circuits: Circuits, edges: Matrix) -> Matrix:
    """Return the closure of the steps that lead to higher numbers."""
    up = Matrix(2, {pair: literal for pair, literal in edges.cells.items() if pair[0] < pair[1]})
    return closed(circuits, up)


def first_steps(circuits: Circuits, edges: Matrix, paths: Matrix) -> list[int]:
    """Return laws about `upwards`, whose gates define how a path ends: a path begins with a step and then a path."""
    up = Matrix(2, {pair: literal for pair, literal in edges.cells.items() if pair[0] < pair[1]})
    begun = united(circuits, [up, joined(circuits, up, paths)])
    return [circuits.same(literal, begun.cells[pair]) for pair, literal in paths.cells.items()]


def forward(circuits: Circuits, edges: Matrix) -> Matrix:
    """Return the paths of which at most one step does not lead to an atom of a higher number."""
    up = upwards(circuits, edges)
    behind = united(circuits, [edges, joined(circuits, edges, up)])
    return united(circuits, [behind, joined(circuits, up, behind)])


def order_of(edges: Matrix) -> list[int] | None:
    """Return the atoms of edges in topological order; None if there may be a cycle."""
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
