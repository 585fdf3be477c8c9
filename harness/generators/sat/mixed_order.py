"""Breadth-first numbering of class domains that refer to each other, so that their objects have no fixed order."""

from __future__ import annotations

from itertools import permutations

from harness.generators.sat.circuits import FALSE, TRUE
from harness.generators.sat.fields import Fields


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
