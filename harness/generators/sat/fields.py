"""The literals of a state, and the laws that leave one state of those that differ in the numbers of their objects.

A literal says that a field of a reachable object has a value, or that an object is reachable. Symmetry breaking is
derived from the finitization (field_exhaustive2016, section 2).

Traverse a state breadth-first from the root, with the fields of each object in declaration order. The traversal must
reach the objects of each class domain in the order of their numbers, and unreached objects have no values. So of all
states that differ only in the numbers of their objects, one is left.

A *slot* is a field of an object that may refer to the class domain in question. Object j is reached in the first slot
that refers to it, and object j + 1 in a later slot. The owner of a slot is reached before objects to which only this
slot refers.
"""

from __future__ import annotations

from collections.abc import Mapping
from itertools import permutations

from harness.generators.sat.circuits import FALSE, TRUE, Circuits
from harness.generators.sat.matrices import Cells, Matrix
from harness.generators.sat.pairs import Pair, field_names
from harness.kernel.inputs.state_space import PLAIN, SpaceField, StateSpace
from harness.kernel.specs.relational.terms import Constant
from harness.model.finitization import Absence, Reference

Bounds = Mapping[int, frozenset[int]]
"""By number of a field, the indices of its possible values."""


class Fields:
    """A literal for each value of each field, true only if its owner is reachable.

    Atoms are numbers: first those of the objects of the state space, then those of the plain values.
    """

    def __init__(self, space: StateSpace, circuits: Circuits, bounds: Bounds) -> None:
        self.space = space
        self.circuits = circuits
        self.reachable: list[int] = [FALSE] * len(space.objects)
        self.reachable[0] = TRUE
        self.values: dict[tuple[int, int], int] = {}
        """The literals by number of a field and index of the value; missing values are impossible."""
        self.constants: dict[Constant, int] = {}
        for field in space.fields:
            allowed = sorted(bounds[field.number])
            is_fixed = field.owner == 0 and len(allowed) == 1
            for index in allowed:
                self.values[field.number, index] = TRUE if is_fixed else circuits.input()
        numbers = [domain.number for domain in space.finitization.domains for _ in range(domain.size)]
        self._objects = {
            Reference(domain, owner.index): owner.number for domain, owner in zip(numbers, space.objects, strict=True)
        }
        self.names = field_names(space)

    def atom(self, value: Reference | Constant) -> int:
        """Return the number of an object or plain value."""
        if isinstance(value, Reference):
            return self._objects[value]
        return self.constants.setdefault(value, len(self.space.objects) + len(self.constants))

    def row(self, number: int) -> dict[int, int]:
        """Return the literals of a field's values, by index."""
        size = len(self.space.fields[number].domain)
        return {index: self.values[number, index] for index in range(size) if (number, index) in self.values}

    def laws(self) -> list[int]:
        """Return laws: each field of a reachable object has exactly one value, fields of other objects have none."""
        for (number, _), literal in self.values.items():
            self.circuits.imply(literal, self.reachable[self.space.fields[number].owner])
        return [law for field in self.space.fields for law in self._laws_of_row(field)]

    def _laws_of_row(self, field: SpaceField) -> list[int]:
        circuits, owner, row = self.circuits, self.reachable[field.owner], self.row(field.number)
        in_order = sorted(row, key=lambda index: self._sorting(field.number, index))
        literals = [row[index] for index in in_order]
        laws = [circuits.either(-literal, owner) for literal in literals]
        laws.append(circuits.any([-owner, *literals]))
        suffixes = circuits.suffixes(literals[1:])
        laws.extend(-circuits.both(each, behind) for each, behind in zip(literals, suffixes, strict=False))
        circuits.name_any(literals, owner)
        circuits.name_any([*literals[:1], suffixes[0]], owner)
        return laws

    def relation(self, name: str) -> Matrix:
        """Return the relation of the fields `Class.name`."""
        cells: Cells = {}
        for field in self.space.fields:
            owner = self.space.objects[field.owner]
            if f"{owner.domain.class_name}.{field.name}" != name:
                continue
            for index, literal in self.row(field.number).items():
                value = self.value(field.number, index)
                if value is not None:
                    cells[owner.number, self.atom(value)] = literal
        return Matrix(2, cells, lone=True)

    def objects_of(self, class_name: str) -> Matrix:
        """Return the reachable objects of a class."""
        cells: Cells = {
            (owner.number,): self.reachable[owner.number]
            for owner in self.space.objects
            if owner.domain.class_name == class_name and self.reachable[owner.number] != FALSE
        }
        return Matrix(1, cells)

    def value(self, number: int, index: int) -> Reference | Constant | None:
        """Return a value of a field; None for None and for an absent field."""
        return value_of(self.space, number, index)

    def pairs(self) -> dict[Pair, int]:
        """Return all pairs with their literals, in the order of the state space."""
        literals = {}
        for (number, index), literal in sorted(self.values.items()):
            owner = self.space.objects[self.space.fields[number].owner]
            literals[Pair(self.names[number], owner.index, index)] = literal
        return literals

    def _sorting(self, number: int, index: int) -> tuple[int, float]:
        """Return a sort key: None and objects first, then integers in their order, as comparisons need them."""
        value = self.value(number, index)
        if isinstance(value, Constant) and value.kind == "int":
            return (1, value.integer)
        return (0, index)


def value_of(space: StateSpace, number: int, index: int) -> Reference | Constant | None:
    """Return the value with that index of a field; None for None and for an absent field."""
    domain = space.fields[number].domain
    if domain.objects[index] != PLAIN:
        target = space.objects[domain.objects[index]]
        return Reference(target.domain.number, target.index)
    plain = domain.plain[index]
    return None if plain is None or isinstance(plain, Absence) else Constant.of(plain)


class SlotNumbering:
    """The references between class domains, and the order in which their slots are reached."""

    def __init__(self, space: StateSpace) -> None:
        self.space = space
        self.referring: dict[int, set[int]] = {domain.number: set() for domain in space.finitization.domains}
        """By class domain, the class domains whose fields may refer to it, except the root's."""
        for field in space.fields:
            owner = space.objects[field.owner].domain.number
            for number in set(field.domain.classes) - {PLAIN}:
                if owner:
                    self.referring[number].add(owner)

    def is_ordered(self, domain: int) -> bool:
        """Return whether the slots of a class domain have a known order: the root's, then those of one class domain.

        That one is the class domain itself, or an ordered one to which it never refers back.
        """
        other_domains = self.referring[domain] - {domain}
        if not other_domains:
            return True
        if len(other_domains) > 1 or domain in self.referring[domain]:
            return False
        (other,) = other_domains
        return domain not in self._before(other) and self.is_ordered(other)

    def _before(self, domain: int) -> set[int]:
        """Return all class domains from which references lead to one, including itself if they lead back."""
        sources: set[int] = set()
        agenda = [domain]
        while agenda:
            for other in self.referring[agenda.pop()] - sources:
                sources.add(other)
                agenda.append(other)
        return sources

    def sorted(self, domains: list[int]) -> list[int]:
        """Return class domains whose slots have known orders, each after the one that refers to it."""
        return sorted(domains, key=lambda domain: len(self._before(domain)))

    def slots(self, domain: int) -> list[int]:
        """Return the numbers of the fields that may refer to a class domain, in the order of the state space."""
        return [field.number for field in self.space.fields if domain in field.domain.classes]


def first_bounds(space: StateSpace) -> dict[int, frozenset[int]]:
    """Return the values that the numbering allows: slot p refers to no object after p, which needs an earlier slot."""
    numbering = SlotNumbering(space)
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
    return {number: frozenset(indices) for number, indices in bounds.items()}


def without_unreachable(space: StateSpace, bounds: Bounds) -> dict[int, frozenset[int]]:
    """Return the bounds without the values of objects that nothing can refer to."""
    reached, agenda = {0}, [0]
    reachable_bounds: dict[int, frozenset[int]] = {field.number: frozenset() for field in space.fields}
    while agenda:
        owner = space.objects[agenda.pop()]
        for number in range(owner.first, owner.first + len(owner.names)):
            reachable_bounds[number] = bounds[number]
            new = {space.fields[number].domain.objects[index] for index in bounds[number]} - reached - {PLAIN}
            reached |= new
            agenda.extend(new)
    return reachable_bounds


def laws_of_numbering(fields: Fields) -> list[int]:
    """Return laws that define the reachable objects and the order in which they are reached."""
    numbering = SlotNumbering(fields.space)
    domains = [domain.number for domain in fields.space.finitization.domains[1:]]
    if not all(map(numbering.is_ordered, domains)):
        return mixed_laws(fields)
    return [law for domain in numbering.sorted(domains) for law in _in_order(fields, numbering, domain)]


def _in_order(fields: Fields, numbering: SlotNumbering, domain: int) -> list[int]:
    """Return the laws of a class domain whose slots have a known order."""
    circuits, space = fields.circuits, fields.space
    slots = numbering.slots(domain)
    laws: list[int] = []
    referred_before: list[int] | None = None
    for owner in (each for each in space.objects if each.domain.number == domain):
        here = [_refers(fields, slot, owner.number) for slot in slots]
        sooner = [
            literal
            for slot, literal in zip(slots, here, strict=True)
            if _is_met_before(space, slot, domain, owner.index)
        ]
        alive = fields.reachable[owner.number] = circuits.flat_any(sooner)
        for literal in set(here) - set(sooner):
            laws.append(circuits.either(-literal, alive))
        referred = _prefixes(circuits, here)
        if referred_before is not None:
            for literal, before in zip(here, referred_before, strict=True):
                laws.append(circuits.either(-literal, before))
            circuits.imply(alive, fields.reachable[owner.number - 1])
        referred_before = referred
    return laws


def _refers(fields: Fields, slot: int, number: int) -> int:
    """Return a literal that is true if a field refers to an object, or FALSE if it cannot."""
    values = fields.space.fields[slot].domain.objects
    return fields.values.get((slot, values.index(number)), FALSE) if number in values else FALSE


def _is_met_before(space: StateSpace, slot: int, domain: int, index: int) -> bool:
    owner = space.objects[space.fields[slot].owner]
    return owner.domain.number != domain or owner.index < index


def _prefixes(circuits: Circuits, literals: list[int]) -> list[int]:
    """Return, for each place, the disjunction of the literals before it."""
    before = [FALSE]
    for each in literals[:-1]:
        before.append(circuits.either(before[-1], each))
    return before


def mixed_laws(fields: Fields) -> list[int]:
    """Return laws that encode the order in which objects are reached, as a total order of all objects.

    The state determines the literals of the order, and of the slot in which an object is reached first. There are
    (objects x slots)^2 clauses, so this is for small scopes.
    """
    return _MixedOrder(fields).laws()


class _MixedOrder:
    def __init__(self, fields: Fields) -> None:
        self.fields, self.circuits = fields, fields.circuits
        space = fields.space
        self.objects = [each.number for each in space.objects[1:]]
        self.slots: dict[int, dict[tuple[int, int], int]] = {}
        """For each object, the literals of the references to it, by owner and field."""
        for number in self.objects:
            self.slots[number] = {
                (field.owner, field.number): literal
                for field in space.fields
                for index, literal in fields.row(field.number).items()
                if field.domain.objects[index] == number
            }
        self._before: dict[tuple[int, int], int] = {}
        self.first = {number: {slot: self.circuits.input() for slot in slots} for number, slots in self.slots.items()}
        for number in self.objects:
            fields.reachable[number] = self.circuits.any(self.first[number].values())

    def before(self, one: int, other: int) -> int:
        """Return a literal that is true if one object is reached before another."""
        if one == other or other == 0:
            return FALSE
        if one == 0:
            return TRUE
        if self._domain(one) == self._domain(other):
            return TRUE if one < other else FALSE
        if one > other:
            return -self.before(other, one)
        if (one, other) not in self._before:
            self._before[one, other] = self.circuits.input()
        return self._before[one, other]

    def laws(self) -> list[int]:
        circuits = self.circuits
        laws = []
        for one, two, three in permutations(self.objects, 3):
            steps = circuits.both(self.before(one, two), self.before(two, three))
            laws.append(circuits.either(-steps, self.before(one, three)))
        for number in self.objects:
            laws += self._first_laws(number)
            for other in self.objects:
                if other != number:
                    laws += self._order_laws(number, other)
        return laws

    def _first_laws(self, number: int) -> list[int]:
        """Return laws: the slot that reaches an object first refers to it, has an earlier owner, and none is sooner."""
        circuits, slots = self.circuits, self.slots[number]
        laws = [circuits.at_most_one(self.first[number].values())]
        for slot, literal in self.first[number].items():
            laws.append(circuits.either(-literal, slots[slot]))
            laws.append(circuits.either(-literal, self.before(slot[0], number)))
            for other, refers in slots.items():
                if other != slot:
                    laws.append(circuits.any([-literal, -refers, self._sooner(slot, other)]))
        for refers in slots.values():
            laws.append(circuits.either(-refers, self.fields.reachable[number]))
        return laws

    def _order_laws(self, one: int, other: int) -> list[int]:
        """Return laws: an object reached in a sooner slot comes before; numbers in a class domain have no gaps."""
        circuits = self.circuits
        laws = [
            circuits.any([-first, -second, -self._sooner(slot, behind), self.before(one, other)])
            for slot, first in self.first[one].items()
            for behind, second in self.first[other].items()
            if slot != behind
        ]
        if self._domain(one) == self._domain(other) and one < other:
            laws.append(circuits.either(-self.fields.reachable[other], self.fields.reachable[one]))
        return laws

    def _sooner(self, one: tuple[int, int], other: tuple[int, int]) -> int:
        """Return a literal that is true if a slot comes before another."""
        if one[0] == other[0]:
            return TRUE if one[1] < other[1] else FALSE
        return self.before(one[0], other[0])

    def _domain(self, number: int) -> int:
        return self.fields.space.objects[number].domain.number
