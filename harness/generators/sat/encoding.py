"""Encodes an invariant and the symmetry breaking of its finitization as clauses."""

from __future__ import annotations

from dataclasses import dataclass

from harness.generators.sat.circuits import Circuits
from harness.generators.sat.closure import Closure
from harness.generators.sat.cnf import Clauses, Gates
from harness.generators.sat.fields import Bounds, Fields
from harness.generators.sat.matrices import Matrix
from harness.generators.sat.symmetry import laws_of_numbering
from harness.generators.sat.translation import TermTranslation
from harness.kernel.inputs.state_space import StateSpace
from harness.kernel.specs.relational.terms import Term


@dataclass(frozen=True)
class Encoding:
    """Options that change clauses but no instance.

    `tightened`: the references that the invariant excludes are found first, and dropped.
    """

    closure: Closure = Closure.SQUARING
    gates: Gates = Gates.NEEDED
    tightened: bool = True


@dataclass(frozen=True)
class Encoded:
    """The clauses, the fields whose literals they use, and the relations whose whole closures they encode."""

    fields: Fields
    clauses: Clauses
    closed: list[Matrix]


def encoded(space: StateSpace, formulas: list[Term], bounds: Bounds, encoding: Encoding) -> Encoded:
    """Encode the states within `bounds`, numbered breadth-first, for which the formulas are true."""
    circuits = Circuits()
    fields = Fields(space, circuits, bounds)
    laws = [*laws_of_numbering(fields), *fields.laws()]
    clauses = Clauses(circuits, encoding.gates)
    for literal in fields.values.values():
        clauses.name(literal)
    for law in laws:
        clauses.require(law)
    translation = TermTranslation(fields, encoding.closure)
    for formula in formulas:
        clauses.require(translation.formula(formula))
    return Encoded(fields, clauses, translation.closed)
