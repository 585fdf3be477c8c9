"""Describes one concrete instance as relations, of which formulas are true or false."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TypeAlias

from harness.kernel.specs.relational.vocabulary import kind_of
from harness.model.finitization import Reference


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


Atom: TypeAlias = Reference | Constant


@dataclass(frozen=True)
class InstanceFacts:
    """The reachable objects of an instance by class, and the relations of their fields by `Class.name`."""

    root: Atom
    classes: dict[str, frozenset[Atom]]
    fields: dict[str, frozenset[tuple[Atom, Atom]]]
