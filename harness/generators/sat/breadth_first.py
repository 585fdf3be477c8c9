"""The breadth-first numbering of a state's objects, and the pairs that the state then has."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from harness.generators.sat.pairs import Pair
from harness.kernel.inputs.state_space import PLAIN, SpaceObject, StateSpace


def renumbered(space: StateSpace, vector: Sequence[int]) -> tuple[int, ...]:
    """The isomorphic state whose objects are numbered, within each class domain, as they are met breadth-first.

    The walk starts at the root and takes an object's fields in declaration order; fields of objects that it does not
    meet are 0.
    """
    result = [0] * space.width
    met = {0: 0}
    count = [1, *([0] * (len(space.finitization.domains) - 1))]
    agenda = [0]
    for number in agenda:  # grows while it is walked
        owner = space.objects[number]
        for field in _fields(owner, vector):
            place = space.fields[space.objects[met[number]].first + field - owner.first]
            domain, index = space.fields[field].domain, vector[field]
            other = domain.objects[index]
            if other != PLAIN and other not in met:
                agenda.append(other)
                if domain.classes[index] == PLAIN:  # an object that only this place can have
                    met[other] = place.domain.objects[index]
                else:
                    kind = space.objects[other].domain.number
                    met[other] = other - space.objects[other].index + count[kind]
                    count[kind] += 1
            named = other == PLAIN or domain.classes[index] == PLAIN
            result[place.number] = index if named else place.domain.objects.index(met[other])
    return tuple(result)


def pairs_of(space: StateSpace, names: Sequence[str], vector: Sequence[int]) -> Iterator[Pair]:
    """The pairs of the objects that the state's root reaches; `names` are `field_names`."""
    met = {0}
    agenda = [0]
    for number in agenda:  # grows while it is walked
        owner = space.objects[number]
        for field in _fields(owner, vector):
            index = vector[field]
            yield Pair(names[field], owner.index, index)
            other = space.fields[field].domain.objects[index]
            if other != PLAIN and other not in met:
                met.add(other)
                agenda.append(other)


def field_names(space: StateSpace) -> tuple[str, ...]:
    """The fields of the space as pairs name them: `Node.left`; of a class's second class domain `Node#2.left`."""
    times: Counter[str] = Counter()
    kinds: list[str] = []
    for domain in space.finitization.domains:
        times[domain.class_name] += 1
        before = times[domain.class_name]
        kinds.append(domain.class_name if before == 1 else f"{domain.class_name}#{before}")
    return tuple(f"{kinds[space.objects[field.owner].domain.number]}.{field.name}" for field in space.fields)


def _fields(owner: SpaceObject, vector: Sequence[int]) -> range:
    """Those that the object has in this state: of a list, its length and so many elements."""
    fields = range(owner.first, owner.first + len(owner.names))
    return fields[: 1 + owner.domain.lengths[vector[owner.first]]] if owner.is_sequence else fields
