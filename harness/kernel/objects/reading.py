"""Reads objects past the methods that their program may define.

A `__getattr__` or `__getattribute__` may change the object, raise anything, or answer for fields that are not there; an
`items` or `__iter__` may leave out what a container holds.
"""

from __future__ import annotations

import weakref
from collections import OrderedDict, deque
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from types import BuiltinFunctionType, FunctionType, GetSetDescriptorType, MemberDescriptorType
from typing import Any

ATOMS = frozenset({type(None), bool, int, float, str, bytes})
"""Types whose values never change and are distinguished by value, not identity."""

Omits = Callable[[str], bool]
"""A predicate: whether a field of that name says nothing about a state."""

CONTAINERS = (list, tuple, dict, set, frozenset, deque)

_HEAP_TYPE, _IMMUTABLE_TYPE = 1 << 9, 1 << 8
"""The flags of classes made by class statements, and of classes that cannot be changed."""
_COLLECTIONS = (tuple, list, dict, set, frozenset)
_DESCRIPTORS = (MemberDescriptorType, GetSetDescriptorType)


class FieldReader:
    """Reads the fields of the objects of one class, as the class was when the reader was made.

    The fields are the attributes in the object's dict, and the slots that are set.

    Attributes:
        slots: the names of the slots, also of those that a mutant has overwritten in a class.
        members: the slots by the names of attributes, without overwritten ones.
    """

    __slots__ = ("_has_dict", "_look", "members", "slots")

    def __init__(self, cls: type) -> None:
        self._look = _look_up(cls)
        self._has_dict = bool(cls.__dictoffset__)
        self.members: dict[str, Any] = {}
        self.slots: list[str] = []
        for base in cls.__mro__:
            if "__slots__" in base.__dict__:  # the names there do not serve: a private slot has another
                members = {n: member for n, member in base.__dict__.items() if isinstance(member, MemberDescriptorType)}
                self.members = members | self.members
                self.slots += (*members, *_overwritten_slots(base))

    def stored(self, value: Any) -> dict[str, Any]:
        """Return the fields that the object itself stores, whatever its class has for their names."""
        held = object.__getattribute__(value, "__dict__") if self._has_dict else {}
        if not self.members:
            return dict(held)
        stored = {}
        for name, member in self.members.items():
            try:
                stored[name] = member.__get__(value)
            except AttributeError:
                pass  # an empty one
        return stored | held

    def fields(self, value: Any) -> dict[str, Any] | None:
        """Return the fields as the program reads them, not to be changed; None for a value that can have none.

        An overwritten slot has the value of the class. The object of a weak proxy is read.
        """
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


def stored_fields(value: Any, omits: Omits | None = None) -> dict[str, Any]:
    """Return the fields that one object stores, as `FieldReader.stored` does, without those that are omitted."""
    stored = reader_of(type(value)).stored(value)
    return stored if omits is None else {name: held for name, held in stored.items() if not omits(name)}


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


def contents(container: Any) -> list[Any]:
    """Return the elements of a container, of a dict the keys and then the items; nothing of other values."""
    kind = type(container)
    base: Any = kind if kind in CONTAINERS else next((base for base in CONTAINERS if issubclass(kind, base)), None)
    if base is dict:
        return [*dict.keys(container), *dict.values(container)]
    return [] if base is None else list(base.__iter__(container))


def held_contents(container: Any) -> list[Any] | dict[Any, Any] | None:
    """Return the elements of a container as a list, and the items of a dict as a dict; None for other values."""
    kind = type(container)  # `isinstance` would ask the program for `__class__`
    if issubclass(kind, dict):
        return dict(OrderedDict.items(container) if issubclass(kind, OrderedDict) else dict.items(container))
    return contents(container) if issubclass(kind, CONTAINERS) else None


def walked(roots: Iterable[Any], inner: Callable[[Any], Iterable[Any]]) -> Iterator[Any]:
    """Yield roots and all values below them, each object once, depth first from the last one.

    Args:
        inner: returns the values directly below one; it is called after the value was yielded.
    """
    seen: dict[int, Any] = {}  # kept, so that no other object has an id that was seen
    waiting = [*roots]
    while waiting:
        value = waiting.pop()
        if id(value) not in seen:
            seen[id(value)] = value
            yield value
            waiting += inner(value)


def is_of_c(cls: Any) -> bool:
    """Return whether a class was not made by a class statement; object counts as if it were."""
    if cls is object:
        return False
    by_statement = cls.__flags__ & _HEAP_TYPE and not cls.__flags__ & _IMMUTABLE_TYPE
    return not by_statement or isinstance(vars(cls).get("__new__"), BuiltinFunctionType)


def _overwritten_slots(cls: type) -> Iterator[str]:
    declared = cls.__dict__["__slots__"]
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
