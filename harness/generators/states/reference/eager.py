"""Containers that a search reads as a whole: dicts, sets, deques, and what list and dict subclasses hold.

A predicate gets the real thing, which tells nobody when it is looked at. So all of its fields are read right after the
one that refers to it. After a field among them has changed, those behind it have been taken off the stack; they
are read again before the predicate is executed, and so in the same place on the stack.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Sequence
from typing import Any, Protocol

from harness.generators.states.describe import ByField
from harness.generators.states.layout import Layout
from harness.generators.states.reference.observed_list import UNREAD
from harness.kernel.inputs.making import filler
from harness.kernel.inputs.state_space import SpaceObject
from harness.model.finitization import ABSENT, CONTAINERS, CONTENTS, ClassDomain, DomainKind


class Present(Protocol):
    """The present candidate, as far as it has been read."""

    @property
    def vector(self) -> ByField:
        """The index of a field's value."""

    @property
    def on(self) -> ByField:
        """Whether it has been read."""


def is_eager(owner: SpaceObject) -> bool:
    """Whether an object is such a container."""
    return owner.domain.kind in CONTAINERS and (owner.domain.kind is not DomainKind.LIST or owner.domain.own)


def has_contents(owner: SpaceObject) -> bool:
    """Whether an object is an instance of a class derived from list or dict that holds something as such."""
    return CONTENTS in owner.names


def empty_container(domain: ClassDomain) -> Any:
    """The container, to be filled."""
    if domain.kind is DomainKind.DEQUE:
        return deque(maxlen=domain.maxlen)
    return {DomainKind.LIST: list, DomainKind.SET: set, DomainKind.DICT: dict}[domain.kind]()


class EagerContainers:
    """Reads and fills the containers among `objects`.

    Args:
        cells: by number of a container, where the values of its fields are stored, UNREAD if they are not read.
        read: gives a field that is not read its value.
    """

    def __init__(
        self,
        layout: Layout,
        objects: Sequence[Any],
        cells: dict[int, list[Any]],
        present: Present,
        read: Callable[[int], bool],
    ) -> None:
        self._layout = layout
        self._objects = objects
        self._cells = cells
        self._present = present
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
        """Gives a field its value, and what is behind it, too."""
        found = self._read(field)
        if found and field in self._is_door:
            self._touch(self._layout.objects[field][self._present.vector[field]], set())
        return found

    def begin(self) -> None:
        """Reads and fills what is behind the fields that are read: before each execution of the predicate."""
        met = self.begin_root()
        for field in self._doors:
            if self._present.on[field]:
                self._touch(self._layout.objects[field][self._present.vector[field]], met)

    def begin_root(self) -> set[int]:
        """Reads and fills what is behind the root, where that is a container; the numbers of those read."""
        met: set[int] = set()
        self._touch(0, met)
        return met

    def _touch(self, number: int, met: set[int]) -> None:
        if number not in self._whole or number in met:
            return
        met.add(number)
        owner = self._layout.space.objects[number]
        if has_contents(owner):
            field = owner.first + owner.names.index(CONTENTS)
            self._value(field, self._cells[number], 0, met)
            self._fillers[number](self._objects[number], self._cells[number][0])
        else:
            self._fill(owner, self._cells[number], met)

    def _fill(self, owner: SpaceObject, cells: list[Any], met: set[int]) -> None:
        made = self._objects[owner.number]
        if owner.is_sequence:
            length = self._value(owner.first, cells, 0, met)
            values = [self._value(owner.first + at, cells, at, met) for at in range(1, length + 1)]
        else:
            values = [self._value(owner.first + at, cells, at, met) for at in range(len(cells))]
        made.clear()
        if owner.is_sequence:
            made.extend(values)
        elif owner.domain.kind is DomainKind.SET:
            made.update(key for key, holds in zip(owner.domain.keys, values, strict=True) if holds)
        else:
            items = zip(owner.domain.keys, values, strict=True)
            made.update(item for item in items if item[1] is not ABSENT)

    def _value(self, field: int, cells: list[Any], at: int, met: set[int]) -> Any:
        if cells[at] is UNREAD:
            self._read(field)
        self._touch(self._layout.objects[field][self._present.vector[field]], met)
        return cells[at]
