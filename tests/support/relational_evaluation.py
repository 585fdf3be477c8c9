"""Evaluates the relational language plainly, to compare it with the encoding in clauses: they share only the trees."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TypeAlias

from harness.kernel.specs.relational.terms import Constant, Operator, Term
from harness.model.finitization import Reference

Atom: TypeAlias = Reference | Constant


@dataclass(frozen=True)
class InstanceFacts:
    """The reachable objects of an instance by class, and the relations of their fields by `Class.name`."""

    root: Atom
    classes: dict[str, frozenset[Atom]]
    fields: dict[str, frozenset[tuple[Atom, Atom]]]


Tuples: TypeAlias = frozenset[tuple[Atom, ...]]
Values: TypeAlias = Mapping[int, Atom]
"""The atoms that variables stand for, by number."""


def holds(term: Term, facts: InstanceFacts, values: Values | None = None) -> bool:
    """Return whether a formula is true of an instance."""
    values = values or {}
    parts = term.parts
    match term.operator:
        case Operator.ALL:
            return all(holds(part, facts, values) for part in parts)
        case Operator.ANY:
            return any(holds(part, facts, values) for part in parts)
        case Operator.NOT:
            return not holds(parts[0], facts, values)
        case Operator.FOR_ALL:
            return all(holds(parts[1], facts, each) for each in _bindings(term, facts, values))
        case Operator.EXISTS:
            return any(holds(parts[1], facts, each) for each in _bindings(term, facts, values))
        case Operator.WITHIN:
            return tuples(parts[0], facts, values) <= tuples(parts[1], facts, values)
        case Operator.EQUAL:
            return _equal(parts[0], parts[1], facts, values)
        case Operator.LESS:
            return all(a < b for a in _integers(parts[0], facts, values) for b in _integers(parts[1], facts, values))
        case Operator.NOT_MORE:
            return all(a <= b for a in _integers(parts[0], facts, values) for b in _integers(parts[1], facts, values))
    size = len(tuples(parts[0], facts, values))
    return {
        Operator.SOME: size > 0,
        Operator.NO: size == 0,
        Operator.LONE: size <= 1,
        Operator.ONE: size == 1,
    }[term.operator]


def number(term: Term, facts: InstanceFacts, values: Values) -> int:
    """Return the integer that a number has in an instance."""
    parts = term.parts
    match term.operator:
        case Operator.INTEGER:
            assert isinstance(term.datum, int)
            return term.datum
        case Operator.COUNT:
            return len(tuples(parts[0], facts, values))
        case Operator.TOTAL:
            return sum(_integers(parts[0], facts, values))
        case Operator.SUM:
            return number(parts[0], facts, values) + number(parts[1], facts, values)
        case Operator.NEGATIVE:
            return -number(parts[0], facts, values)
    assert term.operator is Operator.TIMES
    assert isinstance(term.datum, int)
    return number(parts[0], facts, values) * term.datum


def tuples(term: Term, facts: InstanceFacts, values: Values) -> Tuples:
    """Return the atoms (as tuples of one) or pairs that a set or relation has in an instance."""
    if term.operator in _LEAVES:
        return _leaf(term, facts, values)
    if term.operator is Operator.THOSE:
        matches = (each for each in _bindings(term, facts, values) if holds(term.parts[1], facts, each))
        return frozenset((each[_variable(term)],) for each in matches)
    parts = [tuples(part, facts, values) for part in term.parts]
    match term.operator:
        case Operator.JOIN:
            return frozenset(one[:-1] + other[1:] for one in parts[0] for other in parts[1] if one[-1] == other[0])
        case Operator.UNION:
            return parts[0] | parts[1]
        case Operator.INTERSECTION:
            return parts[0] & parts[1]
        case Operator.DIFFERENCE:
            return parts[0] - parts[1]
        case Operator.TRANSPOSE:
            return frozenset((right, left) for left, right in parts[0])
    closed = _closed(parts[0])
    if term.operator is Operator.REFLEXIVE_CLOSURE:
        classes = term.columns[0]
        closed |= {(atom, atom) for name, atoms in facts.classes.items() if name in classes for atom in atoms}
    return closed


_LEAVES = frozenset({Operator.ROOT, Operator.CLASS, Operator.FIELD, Operator.CONSTANT, Operator.VARIABLE})


def _leaf(term: Term, facts: InstanceFacts, values: Values) -> Tuples:
    match term.operator:
        case Operator.ROOT:
            return frozenset({(facts.root,)})
        case Operator.CLASS:
            return frozenset((atom,) for atom in facts.classes.get(str(term.datum), ()))
        case Operator.FIELD:
            return frozenset(facts.fields.get(str(term.datum), ()))
        case Operator.CONSTANT:
            return frozenset({(Constant.of(term.datum),)})
    return frozenset({(values[_variable(term)],)})


def _closed(pairs: Tuples) -> Tuples:
    """Return the transitive closure: add steps until nothing is new."""
    while True:
        further = pairs | {(a, d) for a, b in pairs for c, d in pairs if b == c}
        if further == pairs:
            return pairs
        pairs = further


def _bindings(term: Term, facts: InstanceFacts, values: Values) -> list[dict[int, Atom]]:
    return [{**values, _variable(term): atom} for (atom,) in tuples(term.parts[0], facts, values)]


def _variable(term: Term) -> int:
    assert isinstance(term.datum, int)
    return term.datum


def _integers(term: Term, facts: InstanceFacts, values: Values) -> list[int]:
    """Return a number, or the integers of a set."""
    if term.is_number:
        return [number(term, facts, values)]
    atoms = [atom for (atom,) in tuples(term, facts, values)]
    return [atom.integer for atom in atoms if isinstance(atom, Constant) and atom.kind == "int"]


def _equal(one: Term, other: Term, facts: InstanceFacts, values: Values) -> bool:
    if one.is_number:
        return number(one, facts, values) == number(other, facts, values)
    if other.is_number:
        return tuples(one, facts, values) == {(Constant.of(number(other, facts, values)),)}
    return tuples(one, facts, values) == tuples(other, facts, values)
