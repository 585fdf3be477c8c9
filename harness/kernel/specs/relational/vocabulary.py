"""The names that an invariant may use: classes and fields of a finitization."""

from __future__ import annotations

from dataclasses import dataclass, field

from harness.did_you_mean import suggestion
from harness.errors import SpecError
from harness.kernel.specs.relational.terms import Kinds, Operator, Sort, Term, Trees
from harness.model.finitization import Absence, DomainKind, Finitization, Reference

_ATOM_KINDS = frozenset({DomainKind.OBJECT, DomainKind.TOKEN})


@dataclass(frozen=True)
class Vocabulary:
    """Fields by `Class.name` with the kinds of their two columns, names of classes, and the root's class."""

    root: str
    classes: tuple[str, ...]
    fields: dict[str, tuple[Kinds, Kinds]]
    trees: Trees = field(default_factory=Trees)

    def field(self, name: str) -> Term:
        """Return the relation of the field that is called `Class.name`.

        Raises:
            SpecError: there is no such field.
        """
        if name not in self.fields:
            raise SpecError(f"there is no field {name!r} in the finitization; {suggestion(name, self.fields)}")
        return self.trees.make(Operator.FIELD, Sort.RELATION, datum=name, columns=self.fields[name])

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
            term = self.trees.make(Operator.UNION, Sort.RELATION, (term, other), columns=columns)
        return term

    def named(self, name: str) -> Term:
        """Return the term of `heap[name]`: all objects of a class, or a field by its name or its full one.

        Raises:
            SpecError: there is no such class or field, or several classes have the field.
        """
        if name in self.classes:
            return self.trees.make(Operator.CLASS, Sort.RELATION, datum=name, columns=(frozenset({name}),))
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
