"""Pairs of objects and values, breadth-first numbering of a state's objects, and the pairs that the state has."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from harness.kernel.inputs.state_space import PLAIN, SpaceObject, StateSpace


@dataclass(frozen=True, order=True)
class Pair:
    """An object and its value in a field (field_exhaustive2016, definition 1).

    `field` is `Class.name`; `owner` is the object's index in its class domain, numbered breadth-first; `value` is the
    index in the field domain. For the second and later class domains of one class, `field` is `Class#2.name` and so on.
    """

    field: str
    owner: int
    value: int


@dataclass(frozen=True)
class Instance:
    """A valid state: a candidate vector of the finitization's state space, and the pairs of its reachable objects.

    Fields of objects that are not reachable are 0 in the vector.
    """

    vector: tuple[int, ...]
    pairs: frozenset[Pair]


def renumbered(space: StateSpace, vector: Sequence[int]) -> tuple[int, ...]:
    """Return the isomorphic state whose objects are numbered, within each class domain, in breadth-first order.

    The walk starts at the root and follows an object's fields in declaration order; fields of objects that it does not
    reach are 0.
    """
    result = [0] * space.width
    new_numbers = {0: 0}
    count = [1, *([0] * (len(space.finitization.domains) - 1))]
    agenda = [0]
    for number in agenda:  # grows during the loop
        owner = space.objects[number]
        for field in _fields(owner, vector):
            place = space.fields[space.objects[new_numbers[number]].first + field - owner.first]
            domain, index = space.fields[field].domain, vector[field]
            other = domain.objects[index]
            if other != PLAIN and other not in new_numbers:
                agenda.append(other)
                if domain.classes[index] == PLAIN:  # an object that only this place can have
                    new_numbers[other] = place.domain.objects[index]
                else:
                    kind = space.objects[other].domain.number
                    new_numbers[other] = other - space.objects[other].index + count[kind]
                    count[kind] += 1
            named = other == PLAIN or domain.classes[index] == PLAIN
            result[place.number] = index if named else place.domain.objects.index(new_numbers[other])
    return tuple(result)


def pairs_of(space: StateSpace, names: Sequence[str], vector: Sequence[int]) -> Iterator[Pair]:
    """Yield the pairs of the objects that the state's root reaches; `names` is the result of `field_names`."""
    reached = {0}
    agenda = [0]
    for number in agenda:  # grows during the loop
        owner = space.objects[number]
        for field in _fields(owner, vector):
            index = vector[field]
            yield Pair(names[field], owner.index, index)
            other = space.fields[field].domain.objects[index]
            if other != PLAIN and other not in reached:
                reached.add(other)
                agenda.append(other)


def field_names(space: StateSpace) -> tuple[str, ...]:
    """Return the names of the space's fields in pairs: `Node.left`, or `Node#2.left` in a second class domain."""
    times: Counter[str] = Counter()
    kinds: list[str] = []
    for domain in space.finitization.domains:
        times[domain.class_name] += 1
        before = times[domain.class_name]
        kinds.append(domain.class_name if before == 1 else f"{domain.class_name}#{before}")
    return tuple(f"{kinds[space.objects[field.owner].domain.number]}.{field.name}" for field in space.fields)


def _fields(owner: SpaceObject, vector: Sequence[int]) -> range:
    """Return the fields that the object has in this state; a list has its length and that number of elements."""
    fields = range(owner.first, owner.first + len(owner.names))
    return fields[: 1 + owner.domain.lengths[vector[owner.first]]] if owner.is_sequence else fields
