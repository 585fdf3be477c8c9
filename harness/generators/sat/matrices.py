"""Sets and relations in circuits, with a literal for each possible atom or pair, and the operators on them."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass

from harness.generators.sat.circuits import FALSE, Circuits
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
