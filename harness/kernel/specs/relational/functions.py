"""The words of the relational language: quantifiers, multiplicities, closures, counting."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from harness.errors import SpecError
from harness.kernel.specs.relational.expressions import (
    Expression,
    Formula,
    Number,
    Relation,
    bound,
    formula,
    number,
    relation,
)
from harness.kernel.specs.relational.terms import Operator, Sort


def all_of(*formulas: Formula) -> Formula:
    """Return the formula that all are true; there must be at least one."""
    return _several(Operator.ALL, formulas)


def any_of(*formulas: Formula) -> Formula:
    """Return the formula that at least one is true."""
    return _several(Operator.ANY, formulas)


def for_all(atoms: Relation, body: Callable[[Any], Formula]) -> Formula:
    """Return the formula that `body(n)` is true of each atom n of a set."""
    return _quantified(Operator.FOR_ALL, atoms, body)


def exists(atoms: Relation, body: Callable[[Any], Formula]) -> Formula:
    """Return the formula that `body(n)` is true of an atom n of a set."""
    return _quantified(Operator.EXISTS, atoms, body)


def those(atoms: Relation, body: Callable[[Any], Formula]) -> Relation:
    """Return the set of the atoms n of a set for which `body(n)` is true."""
    over, variable, body_formula = bound(Operator.THOSE, atoms, body)
    parts = (over._term, body_formula._term)
    term = over._words.trees.make(Operator.THOSE, Sort.RELATION, parts, variable.datum, over._term.columns)
    return Relation(term, over._words)


def some(operand: Relation) -> Formula:
    """Return the formula that it is not empty."""
    return _multiplicity(Operator.SOME, operand)


def no(operand: Relation) -> Formula:
    """Return the formula that it is empty."""
    return _multiplicity(Operator.NO, operand)


def lone(operand: Relation) -> Formula:
    """Return the formula that it has at most one element."""
    return _multiplicity(Operator.LONE, operand)


def one(operand: Relation) -> Formula:
    """Return the formula that it has exactly one element."""
    return _multiplicity(Operator.ONE, operand)


def closure(edges: Relation) -> Relation:
    """Return the pairs that one or more steps along `edges` connect."""
    return _closed(Operator.CLOSURE, edges)


def reflexive_closure(edges: Relation) -> Relation:
    """Return the pairs of `closure`, and each atom with itself."""
    return _closed(Operator.REFLEXIVE_CLOSURE, edges)


def count(operand: Relation) -> Number:
    """Return the number of atoms in a set, or of pairs in a relation."""
    counted = relation(operand, "count")
    return Number(counted._words.trees.make(Operator.COUNT, Sort.NUMBER, (counted._term,)), counted._words)


def total(operand: Relation) -> Number:
    """Return the sum of a set's integers; 0 of an empty set."""
    return number(relation(operand, "total"))


def _several(operator: Operator, formulas: tuple[Formula, ...]) -> Formula:
    if not formulas:
        raise SpecError(f"{operator.value}() has no formula to speak of; give at least one")
    checked = [formula(one_of_them, operator.value) for one_of_them in formulas]
    words = checked[0]._words
    return Formula(words.trees.make(operator, Sort.FORMULA, tuple(each._term for each in checked)), words)


def _quantified(operator: Operator, atoms: Relation, body: Callable[[Any], Formula]) -> Formula:
    over, variable, body_formula = bound(operator, atoms, body)
    term = over._words.trees.make(operator, Sort.FORMULA, (over._term, body_formula._term), variable.datum)
    return Formula(term, over._words)


def _multiplicity(operator: Operator, operand: Relation) -> Formula:
    checked: Expression = relation(operand, operator.value)
    return Formula(checked._words.trees.make(operator, Sort.FORMULA, (checked._term,)), checked._words)


def _closed(operator: Operator, edges: Relation) -> Relation:
    checked = relation(edges, operator.value)
    checked._want(2, operator.value, "only a relation of two columns has a closure")
    left, right = checked._term.columns
    both = left | right
    columns = (both, both) if operator is Operator.REFLEXIVE_CLOSURE else (left, right)
    return Relation(
        checked._words.trees.make(operator, Sort.RELATION, (checked._term,), columns=columns), checked._words
    )
