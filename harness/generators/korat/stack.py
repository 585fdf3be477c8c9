"""The stack of accessed fields and its backtracking, with isomorphism breaking (exhaustive2003, Figure 7)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from harness.kernel.space import PLAIN, FieldDomain, StateSpace


class Narrowed(Protocol):
    """Which values of a field are worth trying."""

    def __call__(self) -> Sequence[int] | None:
        """By index, whether the value is; None for all, which may change while the field is on the stack."""


class AccessStack:
    """The present state and the fields accessed on it, in order of first access.

    `vector` is the state (0 for every field not on the stack), `fields` the stack from its bottom
    and `on[f]` whether field `f` is on it.

    The figure's `m` (the largest class domain index among deeper fields with the same class
    domain) is cached: `_maxima[c]` is the largest index of class domain `c` anywhere on the stack,
    and `_before[k]` what it was before position `k` of the stack had its say. The root counts as
    index 0 of its class domain.
    """

    def __init__(self, space: StateSpace, isomorphism_breaking: bool = True) -> None:
        self.vector = [0] * space.width
        self.fields: list[int] = []
        self.on = bytearray(space.width)
        self.popped: list[int] = []
        """Fields that the last `advance` took off the stack, topmost first."""
        self._breaking = isomorphism_breaking
        self._maxima = [PLAIN] * len(space.finitization.domains)
        self._maxima[0] = 0
        self._before: list[int] = []
        self._classes = [field.domain.classes for field in space.fields]
        self._indices = [field.domain.indices for field in space.fields]
        self._sizes = [len(field.domain) for field in space.fields]
        runs = {id(field.domain): run_ends(field.domain) for field in space.fields}
        self._ends = [runs[id(field.domain)] for field in space.fields]
        self._narrowed: dict[int, Narrowed] = {}

    def push(self, field: int) -> None:
        """Puts a field that is not on the stack there, with its first value."""
        self.fields.append(field)
        self.on[field] = 1
        self._before.append(PLAIN)
        if self._classes[field][0] != PLAIN:
            self._count(field, 0)

    def push_narrowed(self, field: int, narrowed: Narrowed) -> None:
        """As `push`, with the first value worth trying (the very first if none is); others are skipped, too.

        Objects that are not on the stack yet must all be worth trying or none of them: else
        isomorphism breaking would try the wrong one.
        """
        self._narrowed[field] = narrowed
        index = self._next(field, 0)
        self.vector[field] = index = index if index < self._sizes[field] else 0
        self.fields.append(field)
        self.on[field] = 1
        self._before.append(PLAIN)
        if self._classes[field][index] != PLAIN:
            self._count(field, index)

    def advance(self) -> int:
        """Backtracks to the next state; returns the field whose value changed, or -1 at the end of the search."""
        fields, vector, before = self.fields, self.vector, self._before
        self.popped.clear()
        while fields:
            field = fields[-1]
            index = vector[field]
            domain = self._classes[field][index]
            if domain != PLAIN:
                deeper = self._maxima[domain] = before[-1]
                if self._breaking and self._indices[field][index] > deeper:
                    # Another object that is not on the stack yet would give an isomorphic state.
                    index = self._ends[field][index]
            index += 1
            if field in self._narrowed:
                index = self._next(field, index)
            if index < self._sizes[field]:
                vector[field] = index
                if self._classes[field][index] != PLAIN:
                    self._count(field, index)
                return field
            vector[field] = 0
            self.on[field] = 0
            fields.pop()
            before.pop()
            self._narrowed.pop(field, None)
            self.popped.append(field)
        return -1

    def _next(self, field: int, index: int) -> int:
        """The first value from `index` on that is worth trying; the number of values if there is none."""
        worth = self._narrowed[field]()
        while worth is not None and index < self._sizes[field] and not worth[index]:
            index += 1
        return index

    def _count(self, field: int, index: int) -> None:
        """Lets the topmost field's value have its say in the maxima."""
        domain = self._classes[field][index]
        self._before[-1] = self._maxima[domain]
        self._maxima[domain] = max(self._maxima[domain], self._indices[field][index])


def run_ends(domain: FieldDomain) -> tuple[int, ...]:
    """For each value, the last position of the run of its class domain; its own where it is plain."""
    ends = list(range(len(domain)))
    for index in reversed(range(len(domain) - 1)):
        if domain.classes[index] != PLAIN and domain.classes[index] == domain.classes[index + 1]:
            ends[index] = ends[index + 1]
    return tuple(ends)
