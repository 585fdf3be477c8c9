"""Encodes an invariant, by translation to circuits over the literals of a state's fields, and its symmetry breaking."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import TypeVar

from harness.generators.sat import matrices, numbers
from harness.generators.sat.circuits import FALSE, TRUE, Circuits, Clauses
from harness.generators.sat.fields import Bounds, Fields, laws_of_numbering
from harness.generators.sat.matrices import Matrix
from harness.generators.sat.numbers import Integers, Unary
from harness.kernel.inputs.state_space import StateSpace
from harness.kernel.specs.relational.terms import Constant, Operator, Term

Values = dict[int, int]
"""The atoms of variables, by the variables' numbers."""
Translated = TypeVar("Translated")


class TermTranslation:
    """Translates terms; a term with the same atoms for its free variables is translated only once."""

    def __init__(self, fields: Fields, is_relaxed: bool = False) -> None:
        self.fields = fields
        self.circuits = fields.circuits
        self._is_relaxed = is_relaxed
        self.closed: list[Matrix] = []
        """The relations whose whole closures have been encoded."""
        self._formulas: dict[tuple[int, ...], int] = {}
        self._numbers: dict[tuple[int, ...], Unary] = {}
        self._relations: dict[tuple[int, ...], Matrix] = {}
        self._closures: dict[tuple[int, ...], Matrix] = {}
        self._terms: list[Term] = []

    def formula(self, term: Term, values: Values | None = None) -> int:
        """Return the literal of a formula."""
        return self._once(self._formulas, self._formula, term, values or {})

    def number(self, term: Term, values: Values) -> Unary:
        """Return an integer in the order encoding."""
        return self._once(self._numbers, self._number, term, values)

    def relation(self, term: Term, values: Values) -> Matrix:
        """Return a set or relation."""
        return self._once(self._relations, self._relation, term, values)

    def _once(
        self,
        translated: dict[tuple[int, ...], Translated],
        translate: Callable[[Term, Values], Translated],
        term: Term,
        values: Values,
    ) -> Translated:
        key = _key(term, values)
        made = translated.get(key)
        if made is None:
            self._terms.append(term)  # its identity is in the key
            made = translated[key] = translate(term, values)
        return made

    def _formula(self, term: Term, values: Values) -> int:
        circuits, parts = self.circuits, term.parts
        match term.operator:
            case Operator.ALL:
                return circuits.all(self._until(FALSE, parts, values))
            case Operator.ANY:
                return circuits.any(self._until(TRUE, parts, values))
            case Operator.NOT:
                return -self.formula(parts[0], values)
            case Operator.FOR_ALL:
                return circuits.all(circuits.either(-guard, said) for guard, said in self._bindings(term, values))
            case Operator.EXISTS:
                return circuits.any(circuits.both(guard, said) for guard, said in self._bindings(term, values))
            case Operator.WITHIN:
                left, right = (self.relation(part, values) for part in parts)
                return matrices.within(circuits, left, right)
            case Operator.EQUAL:
                return self._equal(parts[0], parts[1], values)
            case Operator.LESS | Operator.NOT_MORE:
                one, other = (self._integers(part, values) for part in parts)
                return numbers.ordered(circuits, one, other, strictly=term.operator is Operator.LESS)
        return matrices.multiple(circuits, term.operator, self.relation(parts[0], values))

    def _number(self, term: Term, values: Values) -> Unary:
        circuits, parts = self.circuits, term.parts
        match term.operator:
            case Operator.COUNT:
                return numbers.counted(circuits, list(self.relation(parts[0], values).cells.values()))
            case Operator.TOTAL:
                return numbers.total(circuits, self._set_of_integers(parts[0], values))
            case Operator.SUM:
                one, other = (self.number(part, values) for part in parts)
                return numbers.added(circuits, one, other)
            case Operator.NEGATIVE:
                return numbers.negated(self.number(parts[0], values))
        assert isinstance(term.datum, int)
        if term.operator is Operator.INTEGER:
            return Unary(term.datum)
        return numbers.times(self.number(parts[0], values), term.datum)

    def _relation(self, term: Term, values: Values) -> Matrix:  # noqa: C901 (a case for each operator)
        circuits, parts = self.circuits, term.parts
        match term.operator:
            case Operator.ROOT:
                return Matrix(1, {(0,): TRUE}, lone=True)
            case Operator.CLASS:
                return self.fields.objects_of(str(term.datum))
            case Operator.FIELD:
                return self.fields.relation(str(term.datum))
            case Operator.CONSTANT:
                return Matrix(1, {(self.fields.atom(Constant.of(term.datum)),): TRUE}, lone=True)
            case Operator.VARIABLE:
                assert isinstance(term.datum, int)
                return Matrix(1, {(values[term.datum],): TRUE}, lone=True)
            case Operator.THOSE:
                over = self.relation(parts[0], values)
                bindings = self._bindings(term, values)
                cells = {atom: circuits.both(*each) for atom, each in zip(over.cells, bindings, strict=True)}
                return Matrix(1, {atom: each for atom, each in cells.items() if each != FALSE}, over.lone)
            case Operator.JOIN:
                return self._join(parts[0], parts[1], values)
            case Operator.TRANSPOSE:
                return matrices.transposed(self.relation(parts[0], values))
            case Operator.CLOSURE:
                return self._closed(parts[0], values)
            case Operator.REFLEXIVE_CLOSURE:
                return matrices.combined(circuits, Operator.UNION, self._closed(parts[0], values), self._identity(term))
        left, right = (self.relation(part, values) for part in parts)
        return matrices.combined(circuits, term.operator, left, right)

    def _join(self, left: Term, right: Term, values: Values) -> Matrix:
        """Return a join; one with a closure follows the edges from the left side, often without the whole closure."""
        circuits, start = self.circuits, self.relation(left, values)
        if right.operator not in (Operator.CLOSURE, Operator.REFLEXIVE_CLOSURE):
            return matrices.joined(circuits, start, self.relation(right, values))
        edges = self.relation(right.parts[0], values)
        reached = matrices.reached(circuits, start, edges, lambda: self._closed(right.parts[0], values))
        if right.operator is Operator.CLOSURE:
            return reached
        classes = right.columns[0]
        here = {atoms: each for atoms, each in start.cells.items() if self._class(atoms[-1]) in classes}
        return matrices.combined(circuits, Operator.UNION, Matrix(start.columns, here), reached)

    def _closed(self, edges: Term, values: Values) -> Matrix:
        """Return the closure of a relation, encoded only once."""
        key = _key(edges, values)
        closure = self._closures.get(key)
        if closure is None:
            relation = self.relation(edges, values)
            closure = self._closures[key] = matrices.closed(self.circuits, relation, self._is_relaxed)
            self.closed.append(relation)
        return closure

    def _identity(self, term: Term) -> Matrix:
        objects = [self.fields.objects_of(name).cells for name in sorted(term.columns[0])]
        return Matrix(2, {(*atom, *atom): literal for cells in objects for atom, literal in cells.items()}, lone=True)

    def _class(self, atom: int) -> str:
        objects = self.fields.space.objects
        return objects[atom].domain.class_name if atom < len(objects) else ""

    def _bindings(self, term: Term, values: Values) -> Iterator[tuple[int, int]]:
        """Yield, for each atom of a bound variable's set, the literals of its membership and of the formula for it."""
        assert isinstance(term.datum, int)
        for (atom,), guard in self.relation(term.parts[0], values).cells.items():
            yield guard, self.formula(term.parts[1], {**values, term.datum: atom})

    def _until(self, last: int, parts: tuple[Term, ...], values: Values) -> Iterator[int]:
        """Yield the literals of formulas, up to one that decides."""
        for part in parts:
            literal = self.formula(part, values)
            yield literal
            if literal == last:
                return

    def _equal(self, one: Term, other: Term, values: Values) -> int:
        if one.is_number:
            return numbers.equal(self.circuits, self.number(one, values), self.number(other, values))
        if other.is_number:
            return self._is_set_of(self.relation(one, values), self.number(other, values))
        left, right = self.relation(one, values), self.relation(other, values)
        return self.circuits.both(
            matrices.within(self.circuits, left, right), matrices.within(self.circuits, right, left)
        )

    def _is_set_of(self, matrix: Matrix, number: Unary) -> int:
        held = self._by_integer(matrix)
        integer_atoms = {self.fields.constants[Constant.of(value)] for value in held}
        other_literals = [literal for (atom,), literal in matrix.cells.items() if atom not in integer_atoms]
        return numbers.is_set_of(self.circuits, Integers(held, matrix.lone), other_literals, number)

    def _integers(self, term: Term, values: Values) -> Integers | Unary:
        return self.number(term, values) if term.is_number else self._set_of_integers(term, values)

    def _set_of_integers(self, term: Term, values: Values) -> Integers:
        matrix = self.relation(term, values)
        return Integers(self._by_integer(matrix), matrix.lone)

    def _by_integer(self, matrix: Matrix) -> dict[int, int]:
        """Return the literals of a set's integers, in ascending order."""
        names = {number: constant for constant, number in self.fields.constants.items()}
        integers = {
            names[atom].integer: literal
            for (atom,), literal in matrix.cells.items()
            if atom in names and names[atom].kind == "int"
        }
        return dict(sorted(integers.items()))


def _key(term: Term, values: Values) -> tuple[int, ...]:
    return (id(term), *(values[number] for number in sorted(term.free)))


@dataclass(frozen=True)
class Encoded:
    """The clauses, the fields whose literals they use, and the relations whose whole closures they encode."""

    fields: Fields
    clauses: Clauses
    closed: list[Matrix]


def encoded(space: StateSpace, formulas: list[Term], bounds: Bounds, is_relaxed: bool = False) -> Encoded:
    """Encode the states within `bounds`, numbered breadth-first, for which the formulas are true.

    A relaxation has part of each closure alone, and defines its gates in both directions.
    """
    circuits = Circuits()
    fields = Fields(space, circuits, bounds)
    laws = [*laws_of_numbering(fields), *fields.laws()]
    clauses = Clauses(circuits, defines_both_ways=is_relaxed)
    for literal in fields.values.values():
        clauses.name(literal)
    for law in laws:
        clauses.require(law)
    translation = TermTranslation(fields, is_relaxed)
    for formula in formulas:
        clauses.require(translation.formula(formula))
    return Encoded(fields, clauses, translation.closed)
