"""Pairs of objects and values, and the states that have them."""

from __future__ import annotations

from dataclasses import dataclass


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
