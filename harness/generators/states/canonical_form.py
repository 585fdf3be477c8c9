"""Returns the representative of a candidate's isomorphism class, by the definition."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from harness.generators.states.layout import Layout
from harness.kernel.inputs.state_space import PLAIN, FieldDomain, SpaceObject, StateSpace

Vector = tuple[int, ...]


def canonical_form(
    space: StateSpace,
    vector: Sequence[int],
    arguments: Sequence[tuple[FieldDomain, int]] = (),
    *,
    breadth_first: bool = False,
) -> tuple[Vector, Vector]:
    """Return the representative of a candidate's isomorphism class, and the arguments' indices in it.

    Objects are renamed, within their class domain, in the order of a depth-first walk from the root and then from the
    arguments, or of a breadth-first one. It follows the fields of an object in the order of their declaration. Fields
    of objects that the walk does not reach are 0. Two inputs are isomorphic (exhaustive2003,
    definition 1) exactly if their forms are equal.
    """
    new_numbers: dict[int, int] = {}  # object number -> its number in the canonical form
    count = [0] * len(space.finitization.domains)
    result = [0] * space.width
    waiting: list[int] = []
    follow: Callable[[int], None]

    def visit(number: int) -> int:
        if number not in new_numbers:
            owner = space.objects[number]
            domain = owner.domain
            new_numbers[number] = number - owner.index + count[domain.number]
            count[domain.number] += 1
            follow(number)
        return new_numbers[number]

    def walk(number: int) -> None:
        owner = space.objects[number]
        for field in fields_of(owner, vector):
            place = space.objects[new_numbers[number]].first + field - owner.first
            result[place] = rename(space.fields[field].domain, vector[field], space.fields[place].domain)

    def rename(domain: FieldDomain, index: int, renamed: FieldDomain) -> int:
        other = domain.objects[index]
        if other == PLAIN:
            return index
        if domain.classes[index] == PLAIN:  # an object that only this place can have
            if other not in new_numbers:
                new_numbers[other] = renamed.objects[index]
                follow(other)
            return index
        return domain.objects.index(visit(other))

    follow = waiting.append if breadth_first else walk
    visit(0)
    for number in waiting:  # grows while it is walked
        walk(number)
    indices = tuple(rename(domain, index, domain) for domain, index in arguments)
    return tuple(result), indices


def fields_of(owner: SpaceObject, vector: Sequence[int]) -> range:
    """Return the fields that the object has in this state; a list has its length and that number of elements."""
    fields = range(owner.first, owner.first + len(owner.names))
    return fields[: 1 + owner.domain.lengths[vector[owner.first]]] if owner.is_sequence else fields


def renumbered(space: StateSpace, vector: Sequence[int]) -> Vector:
    """Return the isomorphic state whose objects are numbered, within each class domain, in breadth-first order."""
    return canonical_form(space, vector, breadth_first=True)[0]


def smallest_first(space: StateSpace, vectors: list[Vector]) -> list[Vector]:
    """Return vectors sorted by the number of objects that the root reaches, then by value."""
    layout = Layout(space)
    return sorted(vectors, key=lambda vector: (len(layout.reachable(vector)[1]), vector))
