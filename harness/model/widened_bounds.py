"""Widens the bounds of a finitization, for a suite whose states or arguments go beyond them.

The suite's header keeps what is added, as literals by place (`SuiteHeader.outside`). D is the number of a class domain:

* `T:P`: values of parameter P of target T;
* `D.name`: values of the field of that name of the objects of D;
* `size D`: how many objects D has;
* `lengths D`: lengths of a list or deque;
* `elements D`: elements of a list or deque, or values of a dict;
* `keys D`: tuples of keys, or of members of a set. Each makes a domain like D with these keys in this order;
* `T:P PLACE`: a place in the finitization of `Structures`, which are parameter P of target T.

Values are literals, or `objects D` for all objects of D. A literal of a list, set or
dict is a collection of which each state gets a copy of its own (`Finitization.fixed`).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from harness.model.domains import CONTAINERS, ClassDomain, DomainKind, DomainValue, Reference
from harness.model.finitization import Copied, Finitization
from harness.model.literals import is_collection, value_of
from harness.model.targets import StateBounds, Structures, Target

Outside = Mapping[str, Sequence[str]]
_OBJECTS = "objects "


def objects_of(domain: int) -> str:
    """Return the text that stands for the objects of a domain among further values of a field."""
    return f"{_OBJECTS}{domain}"


def extended(bounds: StateBounds, outside: Outside) -> Finitization:
    """Return the same bounds, widened for a suite.

    Values follow those of the spec, and further objects follow the values. So an index within the bounds keeps its
    meaning.
    """
    if not outside and isinstance(bounds, Finitization):
        return bounds
    return _Extension(bounds, outside).finitization()


def variants(bounds: StateBounds, outside: Outside) -> dict[tuple[int, str], int]:
    """Return the numbers of the domains with other keys, by the number of the original and the literal of the keys."""
    places = [(number, keys) for number in range(len(bounds.domains)) for keys in outside.get(f"keys {number}", ())]
    return {place: len(bounds.domains) + at for at, place in enumerate(places)}


def inside(outside: Outside, place: str) -> dict[str, Sequence[str]]:
    """Return what is beyond the bounds of the structures of a parameter `T:P`."""
    return {key.removeprefix(f"{place} "): held for key, held in outside.items() if key.startswith(f"{place} ")}


@dataclass
class _Extension:
    bounds: StateBounds
    outside: Outside
    new: list[ClassDomain] = field(default_factory=list)
    """Domains behind those of the spec: first those with other keys, then those of fixed collections."""
    more: dict[int, list[Reference]] = field(default_factory=dict)
    """The objects that are added to a domain, its variants included, by the number of the domain."""

    def finitization(self) -> Finitization:
        """Return the widened bounds."""
        for (number, keys), variant in variants(self.bounds, self.outside).items():
            original = self.bounds.domains[number]
            self.new.append(replace(original, number=variant, size=self._size(original), keys=value_of(keys)))
        for domain in self.bounds.domains:
            other_domains = [other for other in self.new if self._is_variant(other, domain)]
            further = range(domain.size, self._size(domain))
            self.more[domain.number] = [
                *(Reference(domain.number, index) for index in further),
                *(reference for other in other_domains for reference in other),
            ]
        fields = {
            (domain.number, name): self._values(values, f"{domain.number}.{name}")
            for domain in self.bounds.domains
            if domain.kind not in CONTAINERS
            for name, values in self.bounds.fields_of(domain)
        }
        targets = [self._target(number, target) for number, target in enumerate(self.bounds.targets)]
        elements = {
            domain.number: self._values(domain.elements, f"elements {domain.number}")
            for domain in self.bounds.domains
            if domain.kind in CONTAINERS
        }
        domains = [self._domain(domain, domain.number, elements) for domain in self.bounds.domains]
        originals = [number for number, _ in variants(self.bounds, self.outside)]
        behind = [
            self._domain(domain, originals[at], elements) if at < len(originals) else domain
            for at, domain in enumerate(self.new)
        ]
        return Finitization.of_parts([*domains, *behind], fields, targets)

    def _is_variant(self, other: ClassDomain, domain: ClassDomain) -> bool:
        return any(
            variant == other.number and number == domain.number
            for (number, _), variant in variants(self.bounds, self.outside).items()
        )

    def _size(self, domain: ClassDomain) -> int:
        return max(domain.size, *map(int, self.outside.get(f"size {domain.number}", ["0"])))

    def _domain(
        self, domain: ClassDomain, original: int, elements: Mapping[int, tuple[DomainValue, ...]]
    ) -> ClassDomain:
        lengths = (*domain.lengths, *map(value_of, self.outside.get(f"lengths {original}", ())))
        held = elements.get(original, domain.elements)
        return replace(domain, size=self._size(domain), lengths=lengths, elements=held)

    def _values(self, values: tuple[DomainValue, ...], place: str) -> tuple[DomainValue, ...]:
        """Return a field domain with the values and objects that are added to it."""
        referred = dict.fromkeys(value.domain for value in values if isinstance(value, Reference))
        objects = [reference for number in referred for reference in self.more[number]]
        further = self.outside.get(place, ())
        for number in (int(text.removeprefix(_OBJECTS)) for text in further if text.startswith(_OBJECTS)):
            objects += [*self.bounds.domains[number], *self.more[number]]
        return (*values, *(self._value(text) for text in further if not text.startswith(_OBJECTS)), *objects)

    def _value(self, literal: str) -> DomainValue:
        value = value_of(literal)
        if not is_collection(value):
            plain: DomainValue = value
            return plain
        number = len(self.bounds.domains) + len(self.new)
        self.new.append(ClassDomain(number, repr(value), 1, DomainKind.MADE, own=True, factory=Copied(value)))
        return Reference(number, 0)

    def _target(self, number: int, target: Target) -> Target:
        return replace(
            target,
            parameters=tuple(
                self._structures(parameter, f"{number}:{position}")
                if isinstance(parameter, Structures)
                else self._values(parameter, f"{number}:{position}")
                for position, parameter in enumerate(target.parameters)
            ),
        )

    def _structures(self, parameter: Structures, place: str) -> Structures:
        within = inside(self.outside, place)
        return replace(parameter, finitization=extended(parameter.finitization, within)) if within else parameter
