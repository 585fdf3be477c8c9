"""The literals of a state, which say that a field of a reachable object has a value, or an object is reachable."""

from __future__ import annotations

from collections.abc import Mapping

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
