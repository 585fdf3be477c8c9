"""Candidates as small Python-like text, for error messages."""

from __future__ import annotations

from collections.abc import Sequence

from harness.kernel.inputs.state_space import PLAIN, SpaceObject, StateSpace
from harness.model.finitization import CONTAINERS, DomainKind

_LONGEST = 300
_DEEPEST = 12


def describe(space: StateSpace, vector: Sequence[int], read_fields: Sequence[int] | None = None) -> str:
    """Return the candidate as in `SearchTree(root=Node0(left=None, right=?), size=1)`.

    `?` stands for fields that were not read according to `read_fields` (one truth value per field). An object that
    appears again is shown by its name only. Long texts are cut.
    """
    text = _Describer(space, vector, read_fields).object(0, 0)
    return text if len(text) <= _LONGEST else text[: _LONGEST - 3] + "..."


class _Describer:
    def __init__(self, space: StateSpace, vector: Sequence[int], read_fields: Sequence[int] | None) -> None:
        self._space = space
        self._vector = vector
        self._read_fields = read_fields
        self._described_objects: set[int] = set()

    def object(self, number: int, depth: int) -> str:
        owner = self._space.objects[number]
        name = owner.domain.class_name + (str(owner.index) if owner.domain.size > 1 else "")
        if owner.domain.kind is DomainKind.NOTHING:
            return "nothing"
        if owner.domain.kind in (DomainKind.TOKEN, DomainKind.MADE) or number in self._described_objects:
            return name
        if depth > _DEEPEST:
            return f"{name}(...)"
        self._described_objects.add(number)
        fields = range(owner.first, owner.first + len(owner.names))
        if owner.domain.kind in CONTAINERS:
            return self._container(owner, fields, depth)
        fields_text = (f"{label}={self._value(field, depth)}" for label, field in zip(owner.names, fields, strict=True))
        return f"{name}({', '.join(fields_text)})"

    def _container(self, owner: SpaceObject, fields: range, depth: int) -> str:
        if any(map(self._unread, fields[:1])):
            return {DomainKind.LIST: "[...]", DomainKind.DEQUE: "deque([...])"}.get(owner.domain.kind, "{...}")
        if owner.is_sequence:
            length = owner.domain.lengths[self._vector[owner.first]]
            elements = f"[{', '.join(self._value(field, depth) for field in fields[1 : length + 1])}]"
            return elements if owner.domain.kind is DomainKind.LIST else f"deque({elements})"
        # The index of an absent key is 0, in sets as in dicts.
        there = [(name, field) for name, field in zip(owner.names, fields, strict=True) if self._vector[field]]
        if owner.domain.kind is DomainKind.DICT:
            return f"{{{', '.join(f'{key}: {self._value(field, depth)}' for key, field in there)}}}"
        return f"{{{', '.join(member for member, _ in there)}}}" if there else "set()"

    def _unread(self, field: int) -> bool:
        return self._read_fields is not None and not self._read_fields[field]

    def _value(self, field: int, depth: int) -> str:
        if self._unread(field):
            return "?"
        domain = self._space.fields[field].domain
        index = self._vector[field]
        other = domain.objects[index]
        return repr(domain.plain[index]) if other == PLAIN else self.object(other, depth + 1)
