"""What a SAT solver loaded with an invariant is asked for: instances, and that they cover given pairs of fields."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Protocol


@dataclass(frozen=True, order=True)
class Pair:
    """An object and its value in a field (field_exhaustive2016, definition 1).

    `field` is `Class.name`; `owner` the object's index in its class domain, numbered breadth first; `value` the
    index in the field domain. Of several class domains of one class, all but the first are told by `Class#2.name`.
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


class Instances(Protocol):
    """An incremental solver, loaded with an invariant and the symmetry breaking of its finitization."""

    @property
    def pairs(self) -> tuple[Pair, ...]:
        """All pairs that are not known to be impossible, in the order of the state space."""

    @property
    def variables(self) -> int:
        """Variables of the formula that is loaded."""

    @property
    def clauses(self) -> int:
        """Clauses of the formula that is loaded."""

    def next(self) -> Instance | None:
        """An instance that keeps to all demands so far, or None where there is none."""

    def demand(self, pairs: Iterable[Pair]) -> None:
        """From now on, each instance has at least one of these pairs, of a reachable object: one clause."""

    def block(self, instance: Instance) -> None:
        """From now on, no instance is this one."""
