"""The routines that inputs call: the names that mutation, coverage and the control mutants use."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from harness.model.domains import DomainKind
from harness.model.finitization import CallKind, Finitization
from harness.model.routines import RoutineKind
from harness.model.sequence import SequenceScope


@dataclass(frozen=True)
class Called:
    """One thing that is called; `restricted`: it has a precondition of its own."""

    name: str
    kind: RoutineKind
    restricted: bool = False


@dataclass(frozen=True)
class Interface:
    """Everything that the inputs of a subject call: targets of its finitization, or routines of its sequences.

    `root` is the class of the object that they are about ("list" for functions on lists). `has_state` tells whether
    there is such an object with anything in it.
    """

    root: str
    called: tuple[Called, ...]
    has_state: bool = True

    @property
    def methods(self) -> tuple[str, ...]:
        """Names of the methods of the root."""
        return _names(self.called, RoutineKind.METHOD)

    @property
    def functions(self) -> tuple[str, ...]:
        """Names of the functions of the module, dotted where they stand in a class."""
        return _names(self.called, RoutineKind.FUNCTION)

    @property
    def constructors(self) -> tuple[str, ...]:
        """Names of the classes and functions that make an object; of sequences only."""
        return _names(self.called, RoutineKind.CONSTRUCTOR)

    @property
    def unrestricted(self) -> Interface:
        """The interface without what has a precondition of its own; the whole one where nothing would be left."""
        left = tuple(called for called in self.called if not called.restricted)
        return Interface(self.root, left or self.called, self.has_state)

    @classmethod
    def of_finitization(cls, bounds: Finitization) -> Interface:
        """Return the interface of a finitization's targets."""
        root = bounds.domains[0]
        has_fields = max(root.lengths) > 0 if root.kind is DomainKind.LIST else bool(bounds.fields_of(root))
        kinds = {CallKind.METHOD: RoutineKind.METHOD, CallKind.FUNCTION: RoutineKind.FUNCTION}
        called = (Called(target.name, kinds[target.kind], target.requires is not None) for target in bounds.targets)
        return cls(root.class_name, tuple(called), has_fields)

    @classmethod
    def of_sequences(cls, bounds: SequenceScope) -> Interface:
        """Return the interface of the routines of sequences, each constructor once."""
        called = (Called(routine.name, routine.kind, routine.requires is not None) for routine in bounds.routines)
        return cls(bounds.root, tuple(dict.fromkeys(called)))


def _names(called: Iterable[Called], kind: RoutineKind) -> tuple[str, ...]:
    return tuple(one.name for one in called if one.kind is kind)
