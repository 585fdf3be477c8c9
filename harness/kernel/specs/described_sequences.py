"""The bounds of sequences of calls as plain data: what crosses from the process that executes a spec."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from harness.codec.kinds import Count
from harness.kernel.specs.described import NotHere, name_in_spec
from harness.kernel.specs.described_values import Values, described_values, fixed_of, pair_of, plain_of
from harness.model.domains import ClassDomain, DomainKind
from harness.model.routines import ArgumentDomain, Made, Routine, RoutineKind, TokenValue, Value
from harness.model.sequence import SequenceScope


@dataclass(frozen=True)
class DescribedArguments:
    """The domain of a parameter of a routine."""

    values: Values
    earlier: tuple[str, ...]
    apart: bool

    @classmethod
    def of(cls, domain: ArgumentDomain) -> DescribedArguments:
        """Describe the domain of a parameter."""
        return cls(described_values(domain.values), tuple(domain.earlier), domain.apart)

    def domain(self) -> ArgumentDomain:
        """Return the domain of a parameter.

        Raises:
            ValueError: a value is none.
        """
        return ArgumentDomain(tuple(map(_value_of, self.values)), self.earlier, self.apart)


@dataclass(frozen=True)
class DescribedRoutine:
    """A routine; `requires` is the name of its precondition in spec.py."""

    name: str
    kind: RoutineKind
    parameters: tuple[DescribedArguments, ...]
    keywords: tuple[str, ...]
    requires: str | None

    @classmethod
    def of(cls, routine: Routine) -> DescribedRoutine:
        """Describe a routine."""
        return cls(
            routine.name,
            routine.kind,
            tuple(map(DescribedArguments.of, routine.parameters)),
            tuple(routine.keywords),
            None if routine.requires is None else name_in_spec(routine.requires),
        )

    def routine(self) -> Routine:
        """Return the routine, with `NotHere` instead of its precondition.

        Raises:
            ValueError: a value of a domain is none.
        """
        return Routine(
            self.name,
            self.kind,
            tuple(described.domain() for described in self.parameters),
            self.keywords,
            None if self.requires is None else NotHere(self.requires),
        )


@dataclass(frozen=True)
class DescribedSequences:
    """The bounds of sequences without their functions, of which the names are kept."""

    root: str
    routines: tuple[DescribedRoutine, ...]
    objects: Mapping[str, Count]
    most_objects: Count | None
    most_elements: Count | None
    most_calls: Count | None
    most_attempts: Count
    omitted: tuple[str, ...]
    unordered: tuple[str, ...]
    misuses: tuple[str, ...]
    builders: tuple[str, ...] | None
    discards_failures: bool

    @classmethod
    def of(cls, bounds: SequenceScope) -> DescribedSequences:
        """Describe the bounds of sequences."""
        return cls(
            bounds.root,
            tuple(map(DescribedRoutine.of, bounds.declared_routines)),
            dict(bounds.objects_by_class),
            bounds.most_objects,
            bounds.most_elements,
            bounds.most_calls,
            bounds.most_attempts,
            tuple(bounds.omitted),
            tuple(bounds.unordered_fields),
            tuple(bounds.misuses),
            None if bounds.pinned_builders is None else tuple(bounds.pinned_builders),
            bounds.discards_failures,
        )

    def scope(self) -> SequenceScope:
        """Return the bounds of sequences, with `NotHere` instead of functions.

        Raises:
            ValueError: a value of a domain is none.
        """
        return SequenceScope.of_parts(
            [described.routine() for described in self.routines],
            {
                "root": self.root,
                "_objects": dict(self.objects),
                "most_objects": self.most_objects,
                "most_elements": self.most_elements,
                "most_calls": self.most_calls,
                "most_attempts": self.most_attempts,
                "omitted": self.omitted,
                "unordered_fields": self.unordered,
                "misuses": self.misuses,
                "pinned_builders": self.builders,
                "discards_failures": self.discards_failures,
            },
        )


def _value_of(data: object) -> Value:
    if (made := pair_of(data, "made", str)) is not None:
        return Made(ClassDomain(0, made[0], 1, DomainKind.MADE, own=True, factory=NotHere(made[0])))
    pair = pair_of(data, "token", str)
    if pair is None:
        return fixed_of(data) or plain_of(data)
    if pair[1] < 0:
        raise ValueError(f"no token {pair[1]} of {pair[0]}")
    return TokenValue(*pair)
