"""Breadth-first symmetry breaking, derived from the finitization (field_exhaustive2016, section 2).

When a state is traversed breadth first from the root, the fields of each object in declaration order, the objects of
each class domain are met in the order of their numbers; what is not met has no values. So of all states that differ in
the numbers of their objects only, one is left.

A *slot* is a field of an object that may refer to the class domain at hand. Object j is met in the first slot that
refers to it; that of j + 1 comes later, and the owner of each slot is met before what only it refers to.
"""

from __future__ import annotations

from harness.generators.sat.circuits import FALSE, Circuits
from harness.generators.sat.fields import Bounds, Fields
from harness.generators.sat.mixed_order import mixed_laws
from harness.kernel.inputs.state_space import PLAIN, StateSpace


class Numbering:
    """Which class domains refer to which, and in which order their slots are met."""

    def __init__(self, space: StateSpace) -> None:
        self.space = space
        self.referring: dict[int, set[int]] = {domain.number: set() for domain in space.finitization.domains}
        """By class domain, those whose fields may refer to it, the root's apart."""
        for field in space.fields:
            owner = space.objects[field.owner].domain.number
            for number in set(field.domain.classes) - {PLAIN}:
                if owner:
                    self.referring[number].add(owner)

    def is_ordered(self, domain: int) -> bool:
        """Whether the slots of a class domain come in a known order: the root's, then those of one class domain.

        That one is the class domain itself, or one that is ordered itself and never refers back to it.
        """
        others = self.referring[domain] - {domain}
        if not others:
            return True
        if len(others) > 1 or domain in self.referring[domain]:
            return False
        (other,) = others
        return domain not in self._before(other) and self.is_ordered(other)

    def _before(self, domain: int) -> set[int]:
        """All class domains from which references lead to one, itself where they lead back."""
        found: set[int] = set()
        agenda = [domain]
        while agenda:
            for other in self.referring[agenda.pop()] - found:
                found.add(other)
                agenda.append(other)
        return found

    def sorted(self, domains: list[int]) -> list[int]:
        """Class domains whose slots come in known orders, each after the one that refers to it."""
        return sorted(domains, key=lambda domain: len(self._before(domain)))

    def slots(self, domain: int) -> list[int]:
        """The numbers of the fields that may refer to a class domain, in the order of the state space."""
        return [field.number for field in self.space.fields if domain in field.domain.classes]


def first_bounds(space: StateSpace) -> dict[int, frozenset[int]]:
    """What the numbering leaves possible: slot p refers to no object after p, as each is met in a slot before."""
    numbering = Numbering(space)
    bounds = {field.number: set(range(len(field.domain))) for field in space.fields}
    for domain in space.finitization.domains[1:]:
        if not numbering.is_ordered(domain.number):
            continue
        for place, number in enumerate(numbering.slots(domain.number)):
            values = space.fields[number].domain
            bounds[number] -= {
                index
                for index, kind in enumerate(values.classes)
                if kind == domain.number and values.indices[index] > place
            }
    return {number: frozenset(found) for number, found in bounds.items()}


def without_unreachable(space: StateSpace, bounds: Bounds) -> dict[int, frozenset[int]]:
    """The bounds without the values of objects that nothing can refer to."""
    known, agenda = {0}, [0]
    found: dict[int, frozenset[int]] = {field.number: frozenset() for field in space.fields}
    while agenda:
        owner = space.objects[agenda.pop()]
        for number in range(owner.first, owner.first + len(owner.names)):
            found[number] = bounds[number]
            new = {space.fields[number].domain.objects[index] for index in bounds[number]} - known - {PLAIN}
            known |= new
            agenda.extend(new)
    return found


def laws_of_numbering(fields: Fields) -> list[int]:
    """Says which objects are reachable, and in which order they are met; to be required."""
    numbering = Numbering(fields.space)
    domains = [domain.number for domain in fields.space.finitization.domains[1:]]
    if not all(map(numbering.is_ordered, domains)):
        return mixed_laws(fields)
    return [law for domain in numbering.sorted(domains) for law in _in_order(fields, numbering, domain)]


def _in_order(fields: Fields, numbering: Numbering, domain: int) -> list[int]:
    """The laws of a class domain whose slots come in a known order."""
    circuits, space = fields.circuits, fields.space
    slots = numbering.slots(domain)
    found: list[int] = []
    met_before: list[int] | None = None
    for owner in (each for each in space.objects if each.domain.number == domain):
        here = [_refers(fields, slot, owner.number) for slot in slots]
        sooner = [
            literal
            for slot, literal in zip(slots, here, strict=True)
            if _is_met_before(space, slot, domain, owner.index)
        ]
        alive = fields.reachable[owner.number] = circuits.flat_any(sooner)
        for literal in set(here) - set(sooner):
            found.append(circuits.either(-literal, alive))
        met = _prefixes(circuits, here)
        if met_before is not None:
            for literal, before in zip(here, met_before, strict=True):
                found.append(circuits.either(-literal, before))
            circuits.imply(alive, fields.reachable[owner.number - 1])
        met_before = met
    return found


def _refers(fields: Fields, slot: int, number: int) -> int:
    """Whether a field refers to an object."""
    values = fields.space.fields[slot].domain.objects
    return fields.values.get((slot, values.index(number)), FALSE) if number in values else FALSE


def _is_met_before(space: StateSpace, slot: int, domain: int, index: int) -> bool:
    owner = space.objects[space.fields[slot].owner]
    return owner.domain.number != domain or owner.index < index


def _prefixes(circuits: Circuits, literals: list[int]) -> list[int]:
    """For each place, the disjunction of the literals before it."""
    before = [FALSE]
    for each in literals[:-1]:
        before.append(circuits.either(before[-1], each))
    return before
