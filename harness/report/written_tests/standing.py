"""How an object stands at some moment of a test: what it holds and how much, for names to speak of."""

from __future__ import annotations

from collections.abc import Callable, Sized
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

from harness.kernel.judging.canon import NotCanonical, Omits, concrete

_COUNTS = ("size", "count", "length")
_COLLECTIONS = (list, tuple, set, frozenset, dict)


@dataclass(frozen=True)
class Standing:
    """Facts of an object, as far as they are known.

    Attributes:
        state: bytes of all that it holds; None where it has no canonical form.
        count: of how many values it says that it holds.
        values: these values; of a map, its keys.
        is_new: whether nothing but its constructor had to do with it.
    """

    state: bytes | None
    count: int | None
    values: tuple[Any, ...] | None
    is_new: bool


def standing_of(held: Any, abstraction: Callable[[Any], Any] | None, omits: Omits | None, *, is_new: bool) -> Standing:
    """The facts of an object, which may not be the same afterwards: it is asked, and so is the spec's abstraction."""
    try:
        state: bytes | None = concrete(held, omits=omits, past_methods=True)
    except (NotCanonical, RecursionError):
        state = None
    told = None
    if abstraction is not None:
        try:
            told = abstraction(held)
        except Exception:  # of a state for which the spec has no words
            told = None
    count = _count(held, told)
    return Standing(state, count, _values(held, told, count), is_new)


def _count(held: Any, told: Any) -> int | None:
    if hasattr(type(held), "__len__"):
        try:
            return len(held)
        except Exception:
            return None
    for name in _COUNTS:
        with suppress(Exception):
            found = getattr(held, name, None)
            found = found() if callable(found) else found
            if type(found) is int:
                return found
    return len(told) if type(told) in _COLLECTIONS and isinstance(told, Sized) else None


def _values(held: Any, told: Any, count: int | None) -> tuple[Any, ...] | None:
    """As many plain values as it says that it holds: its items, those of its abstraction, the first of a list in it."""
    candidates: list[Any] = [told]
    if hasattr(type(held), "__iter__"):
        candidates.insert(0, held)
    candidates += [value for name, value in sorted(getattr(held, "__dict__", {}).items()) if type(value) is list]
    for candidate in candidates:
        found: tuple[Any, ...] | None = None
        with suppress(Exception):  # of what has no items
            found = tuple(candidate)
        if found is None:
            continue
        if type(candidate) is list and count is not None and count >= 0:
            found = found[:count]
        if found and all(type(item) is tuple and len(item) == 2 for item in found):
            found = tuple(key for key, _ in found)
        if (count is None or len(found) == count) and all(type(item) in (int, float, str) for item in found):
            return found
    return None
