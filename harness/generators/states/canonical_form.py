"""Returns the representative of a candidate's isomorphism class, by the definition.

Tests compare faster implementations with it.
"""

from __future__ import annotations

from collections.abc import Sequence

from harness.kernel.inputs.state_space import PLAIN, FieldDomain, StateSpace

Vector = tuple[int, ...]


def canonical_form(
    space: StateSpace, vector: Sequence[int], arguments: Sequence[tuple[FieldDomain, int]] = ()
) -> tuple[Vector, Vector]:
    """Return the representative of a candidate's isomorphism class, and the arguments' indices in it.

    Objects are renamed, within their class domain, in the order of a depth-first walk from the root and then from the
    arguments. Fields of objects that the walk does not reach are 0. Two inputs are isomorphic (exhaustive2003,
    definition 1) exactly if their forms are equal.
    """
    new_numbers: dict[int, int] = {}  # object number -> its number in the canonical form
    count = [0] * len(space.finitization.domains)
    result = [0] * space.width

    def visit(number: int) -> int:
        if number not in new_numbers:
            owner = space.objects[number]
            domain = owner.domain
            new_numbers[number] = number - owner.index + count[domain.number]
            count[domain.number] += 1
            walk(number)
        return new_numbers[number]

    def walk(number: int) -> None:
        owner = space.objects[number]
        fields = range(owner.first, owner.first + len(owner.names))
        if owner.is_sequence:
            fields = fields[: 1 + owner.domain.lengths[vector[owner.first]]]
        for field in fields:
            place = space.objects[new_numbers[number]].first + field - owner.first
            result[place] = rename(space.fields[field].domain, vector[field], space.fields[place].domain)

    def rename(domain: FieldDomain, index: int, renamed: FieldDomain) -> int:
        other = domain.objects[index]
        if other == PLAIN:
            return index
        if domain.classes[index] == PLAIN:  # an object that only this place can have
            if other not in new_numbers:
                new_numbers[other] = renamed.objects[index]
                walk(other)
            return index
        return domain.objects.index(visit(other))

    visit(0)
    indices = tuple(rename(domain, index, domain) for domain, index in arguments)
    return tuple(result), indices
