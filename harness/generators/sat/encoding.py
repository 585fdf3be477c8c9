"""An invariant and the symmetry breaking of its finitization as clauses."""

from __future__ import annotations

from dataclasses import dataclass

from harness.generators.sat.circuits import Circuits
from harness.generators.sat.closure import Closure
from harness.generators.sat.cnf import Clauses, Gates
from harness.generators.sat.fields import Bounds, Fields
from harness.generators.sat.matrices import Matrix
from harness.generators.sat.symmetry import laws_of_numbering
from harness.generators.sat.translation import Translation
from harness.kernel.inputs.state_space import StateSpace
from harness.kernel.specs.relational.terms import Term


@dataclass(frozen=True)
class Encoding:
    """Choices that change clauses but no instance.

    `tightened`: the shape that the invariant leaves possible is found first, and impossible references are dropped.
    """

    closure: Closure = Closure.SQUARING
    gates: Gates = Gates.NEEDED
    tightened: bool = True


@dataclass(frozen=True)
class Encoded:
    """The clauses, the fields whose literals they speak of, and the relations whose whole closures they have."""

    fields: Fields
    clauses: Clauses
    closed: list[Matrix]


def encoded(space: StateSpace, formulas: list[Term], bounds: Bounds, encoding: Encoding) -> Encoded:
    """States within `bounds`, numbered breadth first, of which the formulas are true."""
    circuits = Circuits()
    fields = Fields(space, circuits, bounds)
    laws = [*laws_of_numbering(fields), *fields.laws()]
    clauses = Clauses(circuits, encoding.gates)
    for literal in fields.values.values():
        clauses.name(literal)
    for law in laws:
        clauses.require(law)
    translation = Translation(fields, encoding.closure)
    for formula in formulas:
        clauses.require(translation.formula(formula))
    return Encoded(fields, clauses, translation.closed)
