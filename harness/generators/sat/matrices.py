"""Sets and relations in circuits: a literal for each atom or pair that they may hold; the operators on them."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass

from harness.generators.sat.circuits import FALSE, Circuits
from harness.kernel.specs.relational.terms import Operator

Cells = dict[tuple[int, ...], int]


@dataclass(frozen=True)
class Matrix:
    """`cells`: by atoms (their numbers), the literal that says whether they are in it; those not there are not.

    `lone`: each atom of the first column has at most one in the second; of a set, it has at most one element.
    """

    columns: int
    cells: Cells
    lone: bool = False


def joined(circuits: Circuits, left: Matrix, right: Matrix) -> Matrix:
    """The join on the last column of the one and the first of the other."""
    behind: dict[int, list[tuple[tuple[int, ...], int]]] = defaultdict(list)
    for atoms, literal in right.cells.items():
        behind[atoms[0]].append((atoms[1:], literal))
    found: dict[tuple[int, ...], list[int]] = defaultdict(list)
    for atoms, literal in left.cells.items():
        for rest, other in behind.get(atoms[-1], ()):
            found[atoms[:-1] + rest].append(circuits.both(literal, other))
    preimage = right.columns == 1  # of several atoms, though each has one image at most
    return Matrix(left.columns + right.columns - 2, _of(circuits, found), left.lone and right.lone and not preimage)


def combined(circuits: Circuits, operator: Operator, left: Matrix, right: Matrix) -> Matrix:
    """Union, intersection or difference."""
    if operator is Operator.INTERSECTION:
        shared = {
            atoms: circuits.both(literal, right.cells[atoms])
            for atoms, literal in left.cells.items()
            if atoms in right.cells
        }
        return Matrix(left.columns, _possible(shared), left.lone or right.lone)
    if operator is Operator.DIFFERENCE:
        rest = {atoms: circuits.both(literal, -right.cells.get(atoms, FALSE)) for atoms, literal in left.cells.items()}
        return Matrix(left.columns, _possible(rest), left.lone)
    cells = dict(left.cells)
    for atoms, literal in right.cells.items():
        cells[atoms] = circuits.either(cells.get(atoms, FALSE), literal)
    return Matrix(left.columns, cells)


def united(circuits: Circuits, matrices: list[Matrix]) -> Matrix:
    """The union of several."""
    found: dict[tuple[int, ...], list[int]] = defaultdict(list)
    for matrix in matrices:
        for atoms, literal in matrix.cells.items():
            found[atoms].append(literal)
    return Matrix(matrices[0].columns, _of(circuits, found))


def transposed(matrix: Matrix) -> Matrix:
    """Each pair the other way round."""
    return Matrix(2, {(right, left): literal for (left, right), literal in matrix.cells.items()})


def within(circuits: Circuits, left: Matrix, right: Matrix) -> int:
    """Whether all of the one is in the other, too."""
    return circuits.all(
        circuits.either(-literal, right.cells.get(atoms, FALSE)) for atoms, literal in left.cells.items()
    )


def multiple(circuits: Circuits, operator: Operator, matrix: Matrix) -> int:
    """Whether there are some, no, at most one, exactly one."""
    literals = list(matrix.cells.values())
    if operator is Operator.NO:
        return -circuits.any(literals)
    if operator is Operator.SOME:
        return circuits.any(literals)
    alone = circuits.at_most_one(literals)
    if matrix.columns == 1 and matrix.lone:
        alone = -FALSE
    return alone if operator is Operator.LONE else circuits.both(alone, circuits.any(literals))


def _of(circuits: Circuits, found: dict[tuple[int, ...], list[int]]) -> Cells:
    return _possible({atoms: circuits.any(literals) for atoms, literals in found.items()})


def _possible(cells: Cells) -> Cells:
    return {atoms: literal for atoms, literal in cells.items() if literal != FALSE}
