"""Which references an invariant leaves possible, found from a part of it before the whole is encoded.

A relaxation of the invariant is solved: of its conjuncts, those that speak of no numbers, with less than the closure
where a closure forbids something. What no state of the relaxation has, no instance has. In trees, lists and the like
the references that are left lead to higher numbers only, so that closures need no rounds (`closure.in_order`).
"""

from __future__ import annotations

from dataclasses import replace

from harness.generators.sat.closure import Closure
from harness.generators.sat.encoding import Encoding, encoded
from harness.generators.sat.fields import Bounds
from harness.generators.sat.solver import Solver
from harness.generators.sat.symmetry import without_unreachable
from harness.kernel.inputs.state_space import PLAIN, StateSpace
from harness.kernel.specs.relational.terms import Operator, Sort, Term

_SOLVER = "minisat22"
_CONFLICTS = 2_000
"""Conflicts after which the search for one reference is given up, and it stays possible."""


def tightened(space: StateSpace, invariant: Term, bounds: Bounds) -> dict[int, frozenset[int]]:
    """The bounds without references that no instance of the invariant has."""
    part = [conjunct for conjunct in conjuncts(invariant) if is_relaxable(conjunct)]
    if not any(_has_closure(conjunct) for conjunct in part):
        return dict(bounds)
    made = encoded(space, part, bounds, Encoding(closure=Closure.FORWARD))
    references = {
        made.clauses.variable(literal): key
        for key, literal in made.fields.values.items()
        if abs(literal) != 1 and space.fields[key[0]].domain.objects[key[1]] != PLAIN
    }
    with Solver(_SOLVER, made.clauses.clauses) as solver:
        lost = {references[variable] for variable in _impossible(solver, sorted(references))}
    left = {number: frozenset(i for i in allowed if (number, i) not in lost) for number, allowed in bounds.items()}
    return without_unreachable(space, left)


def _impossible(solver: Solver, variables: list[int]) -> list[int]:
    """Those that are true in no model, as far as so many conflicts tell; each found makes the next ones easier."""
    found = []
    for variable in variables:
        if solver.refutes(variable):
            found.append(variable)
            solver.add([-variable])
    possible: set[int] = set()
    for variable in variables:
        if variable in possible or variable in found:
            continue
        model = solver.model([variable], _CONFLICTS)
        if model is not None:
            possible |= model
        elif solver.is_decided:
            found.append(variable)
            solver.add([-variable])
    return found


def conjuncts(term: Term) -> list[Term]:
    """The formulas that are all true where a term is: parts of `all_of`, also under `for_all`."""
    if term.operator is Operator.ALL:
        return [conjunct for part in term.parts for conjunct in conjuncts(part)]
    if term.operator is Operator.FOR_ALL:
        return [replace(term, parts=(term.parts[0], part)) for part in conjuncts(term.parts[1])]
    return [term]


def is_relaxable(term: Term, positive: bool = True) -> bool:
    """Whether less than a closure, in its place, makes the term true of more: it is where a closure only forbids.

    `positive`: the term is where more makes the whole true of more.
    """
    parts, operator = term.parts, term.operator
    if term.sort is Sort.NUMBER or operator in (Operator.LESS, Operator.NOT_MORE):
        return False
    if operator in (Operator.CLOSURE, Operator.REFLEXIVE_CLOSURE):
        return not positive and not any(_has_closure(part) for part in parts)
    if operator in (Operator.EQUAL, Operator.ONE):
        return all(is_relaxable(part) and not _has_closure(part) for part in parts)
    if operator in (Operator.NOT, Operator.NO, Operator.LONE):
        return is_relaxable(parts[0], not positive)
    if operator in (Operator.FOR_ALL, Operator.WITHIN):
        return is_relaxable(parts[0], not positive) and is_relaxable(parts[1], positive)
    if operator is Operator.DIFFERENCE:
        return is_relaxable(parts[0], positive) and is_relaxable(parts[1], not positive)
    return all(is_relaxable(part, positive) for part in parts)


def _has_closure(term: Term) -> bool:
    return term.operator in (Operator.CLOSURE, Operator.REFLEXIVE_CLOSURE) or any(map(_has_closure, term.parts))
