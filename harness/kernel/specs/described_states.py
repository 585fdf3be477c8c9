"""Describes a finitization as plain data, which crosses from the process that executes a spec."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Annotated

from harness.codec.kinds import MOST_NUMBER, Bound, Count
from harness.kernel.specs.described import NotHere, name_in_spec
from harness.kernel.specs.described_values import Values, described_values, pair_of, plain_of
from harness.model.finitization import (
    CallKind,
    ClassDomain,
    DomainKind,
    DomainValue,
    Finitization,
    Reference,
    Structures,
    Target,
)
from harness.model.targets import StateBounds


@dataclass(frozen=True)
class DescribedDomain:
    """A class domain; `factory` is the name in spec.py of the function that makes its objects."""

    class_name: str
    size: Count
    kind: DomainKind
    lengths: tuple[Count, ...]
    elements: Values
    keys: Values
    own: bool
    factory: str | None
    compared: bool
    maxlen: int | None

    @classmethod
    def of(cls, domain: ClassDomain) -> DescribedDomain:
        """Describe a class domain."""
        return cls(
            domain.class_name,
            domain.size,
            domain.kind,
            tuple(domain.lengths),
            described_values(domain.elements),
            described_values(domain.keys),
            domain.own,
            None if domain.factory is None else name_in_spec(domain.factory),
            domain.compared,
            domain.maxlen,
        )

    def domain(self, number: int) -> ClassDomain:
        """Return the class domain of this number, without its elements, which may be objects of other domains."""
        return ClassDomain(
            number,
            self.class_name,
            self.size,
            self.kind,
            self.lengths,
            keys=tuple(map(plain_of, self.keys)),
            own=self.own,
            factory=None if self.factory is None else NotHere(self.factory),
            compared=self.compared,
            maxlen=self.maxlen,
        )


@dataclass(frozen=True)
class DescribedField:
    """The field domain of a field of all objects of a class domain, whose number is `domain`."""

    domain: Count
    name: str
    values: Values


@dataclass(frozen=True)
class DescribedValues:
    """The field domain of a parameter."""

    values: Values


@dataclass(frozen=True)
class DescribedStructures:
    """A parameter that takes whole structures."""

    finitization: DescribedFinitization
    rep_ok: str


@dataclass(frozen=True)
class DescribedTarget:
    """A target; `requires` is the name of its precondition in spec.py."""

    name: str
    kind: CallKind
    parameters: tuple[DescribedValues | DescribedStructures, ...]
    requires: str | None
    keywords: tuple[str, ...]

    @classmethod
    def of(cls, target: Target) -> DescribedTarget:
        """Describe a target."""
        return cls(
            target.name,
            target.kind,
            tuple(map(_described_parameter, target.parameters)),
            None if target.requires is None else name_in_spec(target.requires),
            tuple(target.keywords),
        )

    def target(self, domains: Sequence[ClassDomain]) -> Target:
        """Return the target, with `NotHere` instead of functions.

        Raises:
            ValueError: a parameter is no field domain.
        """
        return Target(
            self.name,
            self.kind,
            tuple(_parameter_of(parameter, domains) for parameter in self.parameters),
            None if self.requires is None else NotHere(self.requires),
            self.keywords,
        )


@dataclass(frozen=True)
class DescribedFinitization:
    """A finitization without its functions, of which the names are kept; the first of the domains is the root's."""

    domains: Annotated[tuple[DescribedDomain, ...], Bound(MOST_NUMBER, least=1)]
    fields: tuple[DescribedField, ...]
    targets: tuple[DescribedTarget, ...]

    @classmethod
    def of(cls, bounds: StateBounds) -> DescribedFinitization:
        """Describe a finitization."""
        return cls(
            tuple(map(DescribedDomain.of, bounds.domains)),
            tuple(
                DescribedField(domain.number, name, described_values(values))
                for domain in bounds.domains
                if domain.kind is DomainKind.OBJECT
                for name, values in bounds.fields_of(domain)
            ),
            tuple(map(DescribedTarget.of, bounds.targets)),
        )

    def finitization(self) -> Finitization:
        """Return the finitization, with `NotHere` instead of functions.

        Raises:
            ValueError: a value is none, or an object of no class domain.
        """
        bare = [described.domain(number) for number, described in enumerate(self.domains)]
        domains = [
            replace(domain, elements=_values_of(described.elements, bare))
            for domain, described in zip(bare, self.domains, strict=True)
        ]
        fields: dict[tuple[int, str], tuple[DomainValue, ...]] = {}
        for field in self.fields:
            if field.domain >= len(bare):
                raise ValueError(f"a field of class domain {field.domain}")
            fields[field.domain, field.name] = _values_of(field.values, bare)
        return Finitization.of_parts(domains, fields, [target.target(bare) for target in self.targets])


def _described_parameter(parameter: tuple[DomainValue, ...] | Structures) -> DescribedValues | DescribedStructures:
    if isinstance(parameter, Structures):
        return DescribedStructures(DescribedFinitization.of(parameter.finitization), name_in_spec(parameter.rep_ok))
    return DescribedValues(described_values(parameter))


def _parameter_of(
    described: DescribedValues | DescribedStructures, domains: Sequence[ClassDomain]
) -> tuple[DomainValue, ...] | Structures:
    if isinstance(described, DescribedStructures):
        return Structures(described.finitization.finitization(), NotHere(described.rep_ok))
    return _values_of(described.values, domains)


def _values_of(values: Values, domains: Sequence[ClassDomain]) -> tuple[DomainValue, ...]:
    return tuple(_value_of(value, domains) for value in values)


def _value_of(data: object, domains: Sequence[ClassDomain]) -> DomainValue:
    pair = pair_of(data, "object", int)
    if pair is None:
        return plain_of(data)
    domain, index = pair
    if not (0 <= domain < len(domains) and 0 <= index < domains[domain].size):
        raise ValueError(f"no object {index} of class domain {domain}")
    return Reference(domain, index)
