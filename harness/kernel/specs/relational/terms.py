"""Builds trees of the relational language: sets, relations, numbers and formulas, each equal tree made once.

The names in them are those that an invariant may use: classes and fields of a finitization.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import Enum
from typing import TypeAlias

from harness.did_you_mean import suggestion
from harness.errors import SpecError
from harness.model.finitization import Absence, DomainKind, Finitization, Reference

Kinds: TypeAlias = frozenset[str]
"""The possible contents of one column of a relation: names of classes and of types of plain values."""


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


_NUMBERS = frozenset(
    {Operator.INTEGER, Operator.COUNT, Operator.TOTAL, Operator.SUM, Operator.NEGATIVE, Operator.TIMES}
)


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
    parts: tuple[Term, ...] = ()
    datum: object = None
    columns: tuple[Kinds, ...] = ()
    free: frozenset[int] = frozenset()

    @property
    def is_number(self) -> bool:
        """Whether it is a number, no relation or formula."""
        return self.operator in _NUMBERS

    def __str__(self) -> str:
        return written(self)


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


_ATOM_KINDS = frozenset({DomainKind.OBJECT, DomainKind.TOKEN})


@dataclass
class Vocabulary:
    """Fields by `Class.name` with the kinds of their two columns, names of classes, and the root's class.

    It makes terms, too: the same operator, parts and datum give the same term, so that shared parts are known as such.
    """

    root: str
    classes: tuple[str, ...]
    fields: dict[str, tuple[Kinds, Kinds]]
    _terms: dict[object, Term] = field(default_factory=dict)
    _variables: int = 0

    def make(
        self,
        operator: Operator,
        parts: tuple[Term, ...] = (),
        datum: object = None,
        columns: tuple[Kinds, ...] = (),
    ) -> Term:
        """Return the term with these parts."""
        key = (operator, tuple(map(id, parts)), type(datum), repr(datum))
        term = self._terms.get(key)
        if term is None:
            free = frozenset().union(*(part.free for part in parts))
            if operator is Operator.VARIABLE and isinstance(datum, int):
                free = frozenset({datum})
            elif operator in BINDERS:
                free -= {datum}
            term = self._terms[key] = Term(operator, parts, datum, columns, free)
        return term

    def variable(self, kinds: Kinds, name: str) -> Term:
        """Return a new variable over atoms of these kinds."""
        self._variables += 1
        number = VariableNumber(self._variables)
        number.name = name
        return self.make(Operator.VARIABLE, datum=number, columns=(kinds,))

    def field(self, name: str) -> Term:
        """Return the relation of the field that is called `Class.name`.

        Raises:
            SpecError: there is no such field.
        """
        if name not in self.fields:
            raise SpecError(f"there is no field {name!r} in the finitization; {suggestion(name, self.fields)}")
        return self.make(Operator.FIELD, datum=name, columns=self.fields[name])

    def field_of(self, name: str, behind: Term | None = None) -> Term:
        """Return the relation of the fields that are called `name`, of all classes that `behind` may end in.

        Raises:
            SpecError: there is no such field, or several classes of `behind` have one.
        """
        names = [full for full in self.fields if full.rpartition(".")[2] == name]
        if not names:
            where = "" if behind is None else f"{behind}.{name}: "
            raise SpecError(f"{where}there is no field {name!r} in the finitization; {suggestion(name, self.fields)}")
        if behind is None:
            if len(names) > 1:
                raise SpecError(f"several classes have a field {name!r}; write {_or(names)}")
            return self.field(names[0])
        fitting = [full for full in names if self.fields[full][0] & behind.columns[-1]]
        if not fitting:
            kinds = ", ".join(sorted(behind.columns[-1])) or "nothing"
            raise SpecError(
                f"{behind}.{name} is always empty: {behind} holds {kinds}, and {name!r} is a field of "
                f"{', '.join(full.rpartition('.')[0] for full in names)}"
            )
        term = self.field(fitting[0])
        for full in fitting[1:]:
            other = self.field(full)
            columns = tuple(a | b for a, b in zip(term.columns, other.columns, strict=True))
            term = self.make(Operator.UNION, (term, other), columns=columns)
        return term

    def named(self, name: str) -> Term:
        """Return the term of `heap[name]`: all objects of a class, or a field by its name or its full one.

        Raises:
            SpecError: there is no such class or field, or several classes have the field.
        """
        if name in self.classes:
            return self.make(Operator.CLASS, datum=name, columns=(frozenset({name}),))
        if "." in name:
            return self.field(name)
        if not any(full.rpartition(".")[2] == name for full in self.fields):
            hint = suggestion(name, [*self.classes, *self.fields])
            raise SpecError(f"there is no class or field {name!r} in the finitization; {hint}")
        return self.field_of(name)


def vocabulary(finitization: Finitization) -> Vocabulary:
    """Return the vocabulary of a finitization.

    Raises:
        SpecError: it has containers, objects made by functions, or no root: the language knows objects and plain
            values only.
    """
    for domain in finitization.domains:
        if domain.kind not in _ATOM_KINDS:
            raise SpecError(
                f"the relational language knows objects, tokens and plain values, not {domain.kind.value} "
                f"({domain.class_name or 'the finitization has no root'}); korat takes rep_ok instead"
            )
    fields: dict[str, tuple[Kinds, Kinds]] = {}
    for domain in finitization.domains:
        for name, values in finitization.fields_of(domain):
            full = f"{domain.class_name}.{name}"
            kinds = frozenset(
                finitization.domains[value.domain].class_name if isinstance(value, Reference) else kind_of(value)
                for value in values
                if value is not None and not isinstance(value, Absence)
            )
            before = fields.get(full, (frozenset(), frozenset()))
            fields[full] = (before[0] | {domain.class_name}, before[1] | kinds)
    classes = tuple(dict.fromkeys(domain.class_name for domain in finitization.domains))
    return Vocabulary(finitization.domains[0].class_name, classes, fields)


def kind_of(value: object) -> str:
    """Return the type of a plain value: True is no integer, and 1.0 none either."""
    return type(value).__name__


def _or(names: list[str]) -> str:
    return " or ".join(f'heap["{name}"]' for name in names)


@dataclass(frozen=True)
class Constant:
    """A plain value, distinguished by its type and how it is written: True is not 1, and 0.0 not -0.0."""

    kind: str
    text: str
    integer: int = field(default=0, compare=False)
    """The value, of an int."""

    @classmethod
    def of(cls, value: object) -> Constant:
        """Return the constant of a plain value."""
        return cls(kind_of(value), repr(value), value if type(value) is int else 0)
