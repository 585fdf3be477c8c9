"""The stack of accessed fields and its backtracking, with isomorphism breaking (exhaustive2003, Figure 7)."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Protocol

from harness.kernel.space import PLAIN, FieldDomain, StateSpace


class Narrowed(Protocol):
    """Which values of a field are worth trying."""

    def __call__(self) -> Sequence[int] | None:
        """By index, whether the value is; None for all, which may change while the field is on the stack."""


class AccessStack:
    """The present state and the fields accessed on it, in order of first access.

    `vector` is the state (0 for every field not on the stack), `fields` the stack from its bottom
    and `on[f]` whether field `f` is on it. `rests[k]` are the values still to be tried of the field
    at position `k`: which they are is settled when it is pushed, as it hangs on the fields below.

    The figure's `m` (the largest class domain index among deeper fields with the same class
    domain) is cached: `_maxima[c]` is the largest index of class domain `c` anywhere below the
    top of the stack, and `_before[k]` what it was before position `k` had its say. The root
    counts as index 0 of its class domain.
    """

    def __init__(self, space: StateSpace, isomorphism_breaking: bool = True) -> None:
        self.vector = [0] * space.width
        self.fields: list[int] = []
        self.rests: list[Iterator[int]] = []
        self.on = bytearray(space.width)
        self._maxima = [PLAIN] * len(space.finitization.domains)
        self._maxima[0] = 0
        self._before: list[int] = []
        self._classes = [field.domain.classes for field in space.fields]
        self._indices = [field.domain.indices for field in space.fields]
        made = {id(field.domain): choices(field.domain, isomorphism_breaking) for field in space.fields}
        self._choices = [made[id(field.domain)] for field in space.fields]

    def push(self, field: int) -> None:
        """Puts a field that is not on the stack there, with its first value."""
        rest = iter(self._put(field))
        next(rest)
        self.rests.append(rest)

    def push_narrowed(self, field: int, narrowed: Narrowed) -> None:
        """As `push`, with the first value worth trying (the very first if none is); others are skipped, too.

        Objects that are not on the stack yet must all be worth trying or none of them: else
        isomorphism breaking would try the wrong one.
        """

        def is_worth(index: int) -> bool:
            worth = narrowed()
            return worth is None or bool(worth[index])

        rest = filter(is_worth, self._put(field))
        self.vector[field] = next(rest, 0)
        self.rests.append(rest)

    def step(self) -> bool:
        """Gives the topmost field its next value; False if there is none."""
        for index in self.rests[-1]:
            self.vector[self.fields[-1]] = index
            return True
        return False

    def pop(self) -> int:
        """Takes the topmost field off; returns it."""
        field = self.fields.pop()
        self.rests.pop()
        self.vector[field] = 0
        self.on[field] = 0
        if self._before:
            self._discount(self.fields[-1])
        return field

    def _put(self, field: int) -> Sequence[int]:
        """Puts a field on top; returns the values to be tried."""
        if self.fields:
            self._count(self.fields[-1])
        self.fields.append(field)
        self.on[field] = 1
        return self._choices[field](self._maxima)

    def _count(self, field: int) -> None:
        """Lets a value have its say in the maxima, now that it is not the topmost field's any more."""
        index = self.vector[field]
        domain = self._classes[field][index]
        if domain == PLAIN:
            self._before.append(PLAIN)
        else:
            before = self._maxima[domain]
            self._before.append(before)
            self._maxima[domain] = max(before, self._indices[field][index])

    def _discount(self, field: int) -> None:
        """The opposite of `_count`."""
        before = self._before.pop()
        domain = self._classes[field][self.vector[field]]
        if domain != PLAIN:
            self._maxima[domain] = before


def choices(domain: FieldDomain, isomorphism_breaking: bool) -> Callable[[Sequence[int]], Sequence[int]]:
    """The values of a field to be tried, in order, by the maxima of the class domains below it.

    Of the objects that are not on the stack yet only the first is: another one would give an isomorphic state.
    """
    everything = range(len(domain))
    kinds = sorted({kind for kind in domain.classes if kind != PLAIN})
    if not kinds or not isomorphism_breaking:
        return lambda maxima: everything
    ends = run_ends(domain)
    known: dict[tuple[int, ...], Sequence[int]] = {}

    def chosen(maxima: Sequence[int]) -> Sequence[int]:
        key = tuple([maxima[kind] for kind in kinds])
        found = known.get(key)
        if found is None:
            found = known[key] = []
            index = 0
            while index < len(domain):
                found.append(index)
                kind = domain.classes[index]
                index = 1 + (ends[index] if kind != PLAIN and domain.indices[index] > maxima[kind] else index)
        return found

    return chosen


def run_ends(domain: FieldDomain) -> tuple[int, ...]:
    """For each value, the last position of the run of its class domain; its own where it is plain."""
    ends = list(range(len(domain)))
    for index in reversed(range(len(domain) - 1)):
        if domain.classes[index] != PLAIN and domain.classes[index] == domain.classes[index + 1]:
            ends[index] = ends[index + 1]
    return tuple(ends)
