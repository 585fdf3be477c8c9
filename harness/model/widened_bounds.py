"""Widens the parameters of a finitization, for a suite whose calls have other arguments.

The suite's header keeps what is added, as literals by place (`SuiteHeader.outside`): `T:P` are values of parameter P of
target T. A literal of a list, set or dict is a collection of which each call gets a copy of its own
(`Finitization.fixed`).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from harness.model.domains import CONTAINERS, ClassDomain, DomainKind, DomainValue, Reference
from harness.model.finitization import Copied, Finitization
from harness.model.literals import is_collection, value_of
from harness.model.targets import StateBounds, Structures, Target

Outside = Mapping[str, Sequence[str]]


def extended(bounds: StateBounds, outside: Outside) -> Finitization:
    """Return the same bounds with further values of parameters, behind those of the spec.

    So an index within the bounds keeps its meaning.
    """
    if not outside and isinstance(bounds, Finitization):
        return bounds
    domains = list(bounds.domains)

    def added(literal: str) -> DomainValue:
        value = value_of(literal)
        if not is_collection(value):
            plain: DomainValue = value
            return plain
        made = ClassDomain(len(domains), repr(value), 1, DomainKind.MADE, own=True, factory=Copied(value))
        domains.append(made)
        return Reference(made.number, 0)

    def parameters(number: int, target: Target) -> tuple[tuple[DomainValue, ...] | Structures, ...]:
        return tuple(
            values
            if isinstance(values, Structures)
            else (*values, *map(added, outside.get(f"{number}:{position}", ())))
            for position, values in enumerate(target.parameters)
        )

    targets = [replace(target, parameters=parameters(number, target)) for number, target in enumerate(bounds.targets)]
    fields = {
        (domain.number, name): values
        for domain in bounds.domains
        if domain.kind not in CONTAINERS
        for name, values in bounds.fields_of(domain)
    }
    return Finitization.of_parts(domains, fields, targets)
