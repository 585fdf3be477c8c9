"""Containers that a search reads as a whole: dicts, sets, deques, and the contents of list and dict subclasses.

A predicate gets a real container, whose reads cannot be observed. So all of its fields are read right after the field
that refers to it. When one of these fields has changed, the later ones have been taken off the stack. They are read
again before the predicate is executed, and so in the same place on the stack.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Sequence
from typing import Any

from harness.generators.states.layout import Layout
from harness.generators.states.reference.observed_list import UNREAD
from harness.generators.states.reference.stack import AccessStack
from harness.kernel.inputs.state_space import SpaceObject
from harness.kernel.objects.object_creation import filler
from harness.model.finitization import ABSENT, CONTAINERS, CONTENTS, ClassDomain, DomainKind


def is_eager(owner: SpaceObject) -> bool:
    """Return whether an object is such a container."""
    return owner.domain.kind in CONTAINERS and (owner.domain.kind is not DomainKind.LIST or owner.domain.own)


def has_contents(owner: SpaceObject) -> bool:
    """Return whether an object is an instance of a list or dict subclass with items of its own."""
    return CONTENTS in owner.names


def empty_container(domain: ClassDomain) -> Any:
    """Return the container, to be filled."""
    if domain.kind is DomainKind.DEQUE:
        return deque(maxlen=domain.maxlen)
    return {DomainKind.LIST: list, DomainKind.SET: set, DomainKind.DICT: dict}[domain.kind]()


class EagerContainers:
    """Reads and fills the containers among `objects`.

    Args:
        cells: the values of each container's fields, by its number; UNREAD if they are not read.
        read: gives an unread field its value.
    """

    def __init__(
        self,
        layout: Layout,
        objects: Sequence[Any],
        cells: dict[int, list[Any]],
        stack: AccessStack,
        read: Callable[[int], bool],
    ) -> None:
        self._layout = layout
        self._objects = objects
        self._cells = cells
        self._stack = stack
        self._read = read
        owners = layout.space.objects
        self._whole = {owner.number for owner in owners if is_eager(owner) or has_contents(owner)}
        self._fillers = {owner.number: filler(type(objects[owner.number])) for owner in owners if has_contents(owner)}
        self._doors = [
            field.number
            for field in layout.space.fields
            if not is_eager(owners[field.owner])
            and field.name != CONTENTS
            and not self._whole.isdisjoint(field.domain.objects)
        ]
        self._is_door = frozenset(self._doors)

    def __bool__(self) -> bool:
        return bool(self._whole)

    def read_field(self, field: int) -> bool:
        """Give a field its value, and read the containers below it, too."""
        is_read = self._read(field)
        if is_read and field in self._is_door:
            self._touch(self._layout.objects[field][self._stack.vector[field]], set())
        return is_read

    def begin(self) -> None:
        """Read and fill the containers below fields that are read, before each execution of the predicate."""
        seen = self.begin_root()
        for field in self._doors:
            if self._stack.on[field]:
                self._touch(self._layout.objects[field][self._stack.vector[field]], seen)

    def begin_root(self) -> set[int]:
        """Read and fill the containers from the root on, if it is one; return the numbers of those read."""
        seen: set[int] = set()
        self._touch(0, seen)
        return seen

    def _touch(self, number: int, visited: set[int]) -> None:
        if number not in self._whole or number in visited:
            return
        visited.add(number)
        owner = self._layout.space.objects[number]
        if has_contents(owner):
            field = owner.first + owner.names.index(CONTENTS)
            self._value(field, self._cells[number], 0, visited)
            self._fillers[number](self._objects[number], self._cells[number][0])
        else:
            self._fill(owner, self._cells[number], visited)

    def _fill(self, owner: SpaceObject, cells: list[Any], visited: set[int]) -> None:
        container = self._objects[owner.number]
        if owner.is_sequence:
            length = self._value(owner.first, cells, 0, visited)
            values = [self._value(owner.first + at, cells, at, visited) for at in range(1, length + 1)]
        else:
            values = [self._value(owner.first + at, cells, at, visited) for at in range(len(cells))]
        container.clear()
        if owner.is_sequence:
            container.extend(values)
        elif owner.domain.kind is DomainKind.SET:
            container.update(key for key, holds in zip(owner.domain.keys, values, strict=True) if holds)
        else:
            items = zip(owner.domain.keys, values, strict=True)
            container.update(item for item in items if item[1] is not ABSENT)

    def _value(self, field: int, cells: list[Any], at: int, visited: set[int]) -> Any:
        if cells[at] is UNREAD:
            self._read(field)
        self._touch(self._layout.objects[field][self._stack.vector[field]], visited)
        return cells[at]
