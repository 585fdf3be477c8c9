"""Describes an object at one moment of a test for use in names: which values it holds, and how many."""

from __future__ import annotations

from collections.abc import Callable, Sized
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

from harness.kernel.objects.equality import NotCanonical, concrete
from harness.kernel.objects.reading import Omits, held_fields

_COUNTS = ("size", "count", "length")
_COLLECTIONS = (list, tuple, set, frozenset, dict)


@dataclass(frozen=True)
class ObjectFacts:
    """The known facts of an object.

    Attributes:
        state: the canonical form of the whole object as bytes; None if it has none.
        count: the number of values that the object claims to hold.
        values: these values; of a map, its keys.
    """

    state: bytes | None
    count: int | None
    values: tuple[Any, ...] | None


def facts_of_object(held: Any, abstraction: Callable[[Any], Any] | None, omits: Omits | None) -> ObjectFacts:
    """Return the facts of an object. This calls its methods and the spec's abstraction, which may change it."""
    try:
        state: bytes | None = concrete(held, omits=omits)
    except (NotCanonical, RecursionError):
        state = None
    abstract_value = None
    if abstraction is not None:
        try:
            abstract_value = abstraction(held)
        except Exception:  # the abstraction may not cover this state
            abstract_value = None
    count = _count(held, abstract_value)
    return ObjectFacts(state, count, _values(held, abstract_value, count))


def _count(held: Any, abstract_value: Any) -> int | None:
    if hasattr(type(held), "__len__"):
        try:
            return len(held)
        except Exception:
            return None
    for name in _COUNTS:
        with suppress(Exception):
            size = getattr(held, name, None)
            size = size() if callable(size) else size
            if type(size) is int:
                return size
    return len(abstract_value) if type(abstract_value) in _COLLECTIONS and isinstance(abstract_value, Sized) else None


def _values(held: Any, abstract_value: Any, count: int | None) -> tuple[Any, ...] | None:
    """Return the plain values that the object claims to hold, from its items, its abstraction or a list in it."""
    candidates: list[Any] = [abstract_value]
    if hasattr(type(held), "__iter__"):
        candidates.insert(0, held)
    fields = held_fields(held) or {}
    candidates += [value for name, value in sorted(fields.items()) if type(value) is list]
    for candidate in candidates:
        items: tuple[Any, ...] | None = None
        with suppress(Exception):  # the candidate may not be iterable
            items = tuple(candidate)
        if items is None:
            continue
        if type(candidate) is list and count is not None and count >= 0:
            items = items[:count]
        if items and all(type(item) is tuple and len(item) == 2 for item in items):
            items = tuple(key for key, _ in items)
        if (count is None or len(items) == count) and all(type(item) in (int, float, str) for item in items):
            return items
    return None
