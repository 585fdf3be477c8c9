"""Pairs of objects and values, and the pairs that a state has."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from harness.generators.states.canonical_form import fields_of
from harness.kernel.inputs.state_space import PLAIN, StateSpace


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


def pairs_of(space: StateSpace, names: Sequence[str], vector: Sequence[int]) -> Iterator[Pair]:
    """Yield the pairs of the objects that the state's root reaches; `names` is the result of `field_names`."""
    reached = {0}
    agenda = [0]
    for number in agenda:  # grows during the loop
        owner = space.objects[number]
        for field in fields_of(owner, vector):
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
