"""Instances of a declarative invariant, and what an incremental solver of them offers."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Protocol


@dataclass(frozen=True, order=True)
class Pair:
    """An object and a value of one of its fields.

    Attributes:
        field: as `Node.left`.
        owner: index of the object in its class domain, numbered breadth-first.
        value: index in the field domain.
    """

    field: str
    owner: int
    value: int


@dataclass(frozen=True)
class Instance:
    """A structure that satisfies the invariant: a candidate vector, and the pairs of its reachable objects."""

    vector: tuple[int, ...]
    pairs: frozenset[Pair]


class Instances(Protocol):
    """An incremental solver, loaded with an invariant and symmetry breaking."""

    @property
    def pairs(self) -> tuple[Pair, ...]:
        """All that the finitization allows, in a fixed order."""

    @property
    def variables(self) -> int:
        """Of the formula."""

    @property
    def clauses(self) -> int:
        """Of the formula, those added since among them."""

    def next(self) -> Instance | None:
        """An instance that meets all demands; None where there is none."""

    def demand(self, pairs: Iterable[Pair]) -> None:
        """From now on, at least one of the pairs, on a reachable object."""

    def block(self, instance: Instance) -> None:
        """From now on, another instance than this one."""
