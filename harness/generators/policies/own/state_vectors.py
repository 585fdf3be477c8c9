"""Turns the forms of inputs into candidate vectors of the widened state space."""

from __future__ import annotations

from collections.abc import Callable

from harness.generators.policies.own.state_forms import ABSENT_KEY, EncodedObject, FixedObject, InputForm, Symbol
from harness.kernel.inputs.state_space import PLAIN, FieldDomain, StateSpace
from harness.model.domains import ABSENT, Reference
from harness.model.finitization import Copied
from harness.model.literals import literal_of
from harness.model.targets import StateBounds, Structures
from harness.model.widened_bounds import Outside, extended, inside, variants

Vector = tuple[int, ...]
StructureIndex = Callable[[int, Vector], int]
"""A function that takes the position of a `Structures` parameter and a vector, and returns the number of the latter."""


class StateVectors:
    """The state space of one finitization, widened for the forms that go beyond it."""

    def __init__(self, bounds: StateBounds, outside: Outside) -> None:
        self._bounds = bounds
        self._outside = outside
        self.finitization = extended(bounds, outside)
        self.space = StateSpace(self.finitization)
        self._variants = variants(bounds, outside)
        self._tables: dict[int, dict[str | int, int]] = {}
        self._structures: dict[tuple[int, int], StateVectors] = {}

    def input(self, form: InputForm, target: int, structure: StructureIndex) -> tuple[Vector, tuple[int, ...]]:
        """Return the candidate vector of an input, and the indices of its arguments."""
        numbers: dict[int, int] = {}
        vector = self._vector(form, numbers)
        indices: list[int] = []
        parameters = self.finitization.targets[target].parameters
        for position, (parameter, part) in enumerate(zip(parameters, form.arguments, strict=True)):
            if isinstance(part, InputForm):
                inner = self.structures(target, position)
                indices.append(structure(position, inner.state(part)))
            else:
                assert not isinstance(parameter, Structures)
                indices.append(self._index(self.space.field_domain(parameter), part, form, numbers))
        return vector, tuple(indices)

    def state(self, form: InputForm) -> Vector:
        """Return the candidate vector of a state."""
        return self._vector(form, {})

    def structures(self, target: int, position: int) -> StateVectors:
        """Return the state space of the structures of a parameter."""
        key = target, position
        if key not in self._structures:
            parameter = self._bounds.targets[target].parameters[position]
            assert isinstance(parameter, Structures)
            within = inside(self._outside, f"{target}:{position}")
            self._structures[key] = StateVectors(parameter.finitization, within)
        return self._structures[key]

    def _vector(self, form: InputForm, numbers: dict[int, int]) -> Vector:
        """Return the vector of a state, and write the numbers of its objects to `numbers`."""
        vector = [0] * self.space.width
        for at, encoded in enumerate(form.objects):
            domain = self._domain_of(encoded)
            if not self.finitization.domains[domain].own:
                numbers[at] = self.space.object_number(Reference(domain, encoded.at))
        for at, encoded in enumerate(form.objects):
            first = self.space.objects[numbers[at]].first
            for field, symbol in enumerate(encoded.symbols, start=first):
                vector[field] = self._index(self.space.fields[field].domain, symbol, form, numbers)
        return tuple(vector)

    def _index(self, values: FieldDomain, symbol: Symbol, form: InputForm, numbers: dict[int, int]) -> int:
        """Return the index of a symbol in a field domain."""
        table = self._table(values)
        if isinstance(symbol, str):
            return table[symbol]
        if isinstance(symbol, FixedObject):
            return table[self._of_domain(values, symbol.domain, symbol.at)]
        if symbol.number not in numbers:  # an object that only this field can have
            numbers[symbol.number] = self._of_domain(values, self._domain_of(form.objects[symbol.number]), 0)
        return table[numbers[symbol.number]]

    def _domain_of(self, encoded: EncodedObject) -> int:
        return self._variants.get((encoded.domain, encoded.keys), encoded.domain)

    def _of_domain(self, values: FieldDomain, domain: int, index: int) -> int:
        """Return the number of the object of a domain among the values of a field."""
        objects = (self.space.objects[number] for number in values.objects if number != PLAIN)
        return next(
            one.number
            for one in objects
            if one.domain.number == domain and (self.finitization.domains[domain].own or one.index == index)
        )

    def _table(self, values: FieldDomain) -> dict[str | int, int]:
        """Return the indices of a field domain by literals, and by numbers of objects."""
        table = self._tables.get(id(values))
        if table is None:
            table = self._tables[id(values)] = {}
            for index, (plain, number) in enumerate(zip(values.plain, values.objects, strict=True)):
                if number == PLAIN:
                    table[ABSENT_KEY if plain is ABSENT else literal_of(plain)] = index
                    continue
                table[number] = index
                maker = self.space.objects[number].domain
                if maker.number >= len(self._bounds.domains) and isinstance(maker.factory, Copied):
                    table[literal_of(maker.factory.of)] = index
        return table
