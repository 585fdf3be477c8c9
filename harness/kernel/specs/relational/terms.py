"""Builds trees of the relational language: sets, relations, numbers and formulas, each equal tree made once."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import Enum
from typing import TypeAlias

Kinds: TypeAlias = frozenset[str]
"""The possible contents of one column of a relation: names of classes and of types of plain values."""


class Sort(Enum):
    """The sort of a term."""

    RELATION = "relation"
    """A set of atoms (one column) or of pairs of atoms (two columns)."""
    NUMBER = "number"
    FORMULA = "formula"


class Operator(Enum):
    """The operators by which a term is made of its parts, as they are written; `datum` is any further value."""

    ROOT = "thiz"
    CLASS = "objects of"
    FIELD = "field"
    CONSTANT = "constant"
    VARIABLE = "variable"
    JOIN = "@"
    UNION = "|"
    INTERSECTION = "&"
    DIFFERENCE = "-"
    TRANSPOSE = "~"
    CLOSURE = "closure"
    REFLEXIVE_CLOSURE = "reflexive_closure"
    THOSE = "those"
    INTEGER = "integer"
    COUNT = "count"
    TOTAL = "total"
    SUM = "+"
    NEGATIVE = "negative"
    TIMES = "*"
    ALL = "all_of"
    ANY = "any_of"
    NOT = "not"
    WITHIN = "within"
    EQUAL = "=="
    LESS = "<"
    NOT_MORE = "<="
    SOME = "some"
    NO = "no"
    LONE = "lone"
    ONE = "one"
    FOR_ALL = "for_all"
    EXISTS = "exists"


class VariableNumber(int):
    """The number of a variable, with the name that its author gave it, for messages."""

    name: str


@dataclass(frozen=True, eq=False)
class Term:
    """A node of a tree. `columns` are those of a relation; `free` the numbers of variables that it does not bind.

    `datum` is a class's or field's name, a constant's value, a factor, or the variable (`VariableNumber`) that it is
    or binds.
    """

    operator: Operator
    sort: Sort
    parts: tuple[Term, ...] = ()
    datum: object = None
    columns: tuple[Kinds, ...] = ()
    free: frozenset[int] = frozenset()

    def __str__(self) -> str:
        return written(self)


@dataclass
class Trees:
    """Makes terms; the same operator, parts and datum give the same term, so that shared parts are known as such."""

    terms: dict[object, Term] = field(default_factory=dict)
    variables: int = 0

    def make(
        self,
        operator: Operator,
        sort: Sort,
        parts: tuple[Term, ...] = (),
        datum: object = None,
        columns: tuple[Kinds, ...] = (),
    ) -> Term:
        """Return the term with these parts."""
        key = (operator, tuple(map(id, parts)), type(datum), repr(datum))
        term = self.terms.get(key)
        if term is None:
            free = frozenset().union(*(part.free for part in parts))
            if operator is Operator.VARIABLE and isinstance(datum, int):
                free = frozenset({datum})
            elif operator in BINDERS:
                free -= {datum}
            term = self.terms[key] = Term(operator, sort, parts, datum, columns, free)
        return term

    def variable(self, kinds: Kinds, name: str) -> Term:
        """Return a new variable over atoms of these kinds."""
        self.variables += 1
        number = VariableNumber(self.variables)
        number.name = name
        return self.make(Operator.VARIABLE, Sort.RELATION, datum=number, columns=(kinds,))


BINDERS = frozenset({Operator.FOR_ALL, Operator.EXISTS, Operator.THOSE})

_LONGEST = 120
"""The greatest number of characters of an expression in a message."""


def written(term: Term) -> str:
    """Return the term as its author could have written it; a long one is shortened in the middle."""
    text = _written(term, 6)
    return text if len(text) <= _LONGEST else f"{text[: _LONGEST // 2]}...{text[-_LONGEST // 2 :]}"


def _written(term: Term, depth: int) -> str:  # noqa: C901 (a case for each operator)
    if depth == 0:
        return "..."
    if term.operator in (Operator.ROOT,):
        return "thiz"
    if term.operator in (Operator.CLASS, Operator.FIELD):
        return f'heap["{term.datum}"]'
    if term.operator in (Operator.CONSTANT, Operator.INTEGER):
        return repr(term.datum)
    name = term.datum.name if isinstance(term.datum, VariableNumber) else ""
    if term.operator is Operator.VARIABLE:
        return name
    parts = [_written(part, depth - 1) for part in term.parts]
    if term.operator in BINDERS:
        return f"{term.operator.value}({parts[0]}, lambda {name}: {parts[1]})"
    if term.operator is Operator.JOIN and term.parts[1].operator is Operator.FIELD:
        return f"{parts[0]}.{str(term.parts[1].datum).rpartition('.')[2]}"
    if term.operator in (Operator.TRANSPOSE, Operator.NOT):
        return f"~{parts[0]}"
    if term.operator is Operator.NEGATIVE:
        return f"-{parts[0]}"
    if term.operator is Operator.TIMES:
        return f"{parts[0]} * {term.datum!r}"
    if term.operator is Operator.WITHIN:
        return f"{parts[0]}.within({parts[1]})"
    if term.operator.value.isidentifier():
        return f"{term.operator.value}({', '.join(parts)})"
    return f"({f' {term.operator.value} '.join(parts)})"
