"""Reads an object's fields past the lookup of attributes that its program may define.

A `__getattr__` or `__getattribute__` may change the object, raise anything, or answer for fields that are not there.
"""

from __future__ import annotations

import weakref
from collections.abc import Callable, Iterator
from contextlib import suppress
from types import FunctionType, GetSetDescriptorType, MemberDescriptorType
from typing import Any

ATOMS = frozenset({type(None), bool, int, float, str, bytes})
"""Types whose values never change and are distinguished by value, not identity."""

Omits = Callable[[str], bool]
"""A predicate: whether a field of that name says nothing about a state."""

_COLLECTIONS = (tuple, list, dict, set, frozenset)
_DESCRIPTORS = (MemberDescriptorType, GetSetDescriptorType)


class FieldReader:
    """Reads the fields of the objects of one class, as the class was when the reader was made.

    The fields are the attributes in the object's dict, and the slots that are set. A slot that a mutant has overwritten
    in its class has the value of the class (decision 170).
    """

    __slots__ = ("_look", "slots")

    def __init__(self, cls: type) -> None:
        self._look = _look_up(cls)
        self.slots = [name for base in cls.__mro__ if "__slots__" in base.__dict__ for name in _slot_names(base)]

    def fields(self, value: Any) -> dict[str, Any] | None:
        """Return the fields, not to be changed; None for a value that has neither dict nor slots."""
        fields = held_dict(value, self._look)
        if self.slots:
            fields = {} if fields is None else fields.copy()
            for slot in self.slots:
                with suppress(AttributeError):
                    fields[slot] = self._look(value, slot)
        return fields


_READERS: dict[int, FieldReader] = {}
"""The readers of classes without slots, which the program cannot change in a way that matters."""


def reader_of(cls: type) -> FieldReader:
    """Return a reader for a class, to be used until code of the program is run."""
    reader = _READERS.get(id(cls))
    if reader is None:
        reader = FieldReader(cls)
        if not reader.slots:
            remember(_READERS, cls, reader)
    return reader


def held_fields(value: Any) -> dict[str, Any] | None:
    """Return the fields of one object, as `FieldReader.fields` does."""
    return reader_of(type(value)).fields(value)


def held_dict(value: Any, look: Callable[[Any, str], Any] | None = None) -> dict[str, Any] | None:
    """Return the attributes in the object's dict, not to be changed; None if it has no dict."""
    try:
        held = (look or _look_up(type(value)))(value, "__dict__")
    except AttributeError:
        return None
    return held if type(held) is dict else dict(held)


def remember(facts: dict[int, Any], cls: type, fact: Any) -> None:
    """Remember a fact about a class, by the class's id, as long as the class exists."""
    facts[id(cls)] = fact
    weakref.finalize(cls, facts.pop, id(cls), None).atexit = False


def _slot_names(cls: type) -> Iterator[str]:
    """Yield the names of a class's own slots, also of those that a mutant has overwritten."""
    declared = cls.__dict__["__slots__"]
    # The names in __slots__ themselves do not serve: a private one is stored under another name.
    yield from (name for name, member in cls.__dict__.items() if isinstance(member, MemberDescriptorType))
    if isinstance(declared, str):
        declared = (declared,)
    elif not isinstance(declared, _COLLECTIONS):
        return  # overwritten itself
    for slot in declared:
        if slot[:2] == "__" and slot[-2:] != "__":
            slot = f"_{cls.__name__.lstrip('_')}{slot}"
        if slot in cls.__dict__ and not isinstance(cls.__dict__[slot], _DESCRIPTORS):
            yield slot


def _look_up(cls: type) -> Callable[[Any, str], Any]:
    own = type.__getattribute__(cls, "__getattribute__")
    plain = own is object.__getattribute__ or isinstance(own, FunctionType)
    return object.__getattribute__ if plain else getattr  # modules and proxies of the library look up in C
