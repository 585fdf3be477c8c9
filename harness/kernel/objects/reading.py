"""Reads an object's fields past the lookup of attributes that its program may define.

A `__getattr__` or `__getattribute__` may change the object, raise anything, or answer for fields that are not there.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import suppress
from types import FunctionType, GetSetDescriptorType, MemberDescriptorType
from typing import Any

_COLLECTIONS = (tuple, list, dict, set, frozenset)
_DESCRIPTORS = (MemberDescriptorType, GetSetDescriptorType)


def held_fields(value: Any) -> dict[str, Any] | None:
    """Return instance attributes, with the slots that are set; None for values that have neither dict nor slots.

    A slot that a mutant has overwritten in its class has the value of the class (decision 170).
    """
    look = _look_up(type(value))
    inside = _dict(value, look)
    fields, has_fields = inside or {}, inside is not None
    for cls in type(value).__mro__:
        if "__slots__" not in cls.__dict__:
            continue
        # The names in __slots__ themselves do not serve: a private one is stored under another name.
        slots = [name for name, member in cls.__dict__.items() if isinstance(member, MemberDescriptorType)]
        for slot in (*slots, *_overwritten_slots(cls)):
            has_fields = True
            with suppress(AttributeError):
                fields[slot] = look(value, slot)
    return fields if has_fields else None


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


def held_dict(value: Any) -> dict[str, Any] | None:
    """Return the attributes in the instance's dict; None if it has no dict."""
    return _dict(value, _look_up(type(value)))


def _dict(value: Any, look: Callable[[Any, str], Any]) -> dict[str, Any] | None:
    try:
        return dict(look(value, "__dict__"))
    except AttributeError:
        return None


def _look_up(kind: type) -> Callable[[Any, str], Any]:
    own = type.__getattribute__(kind, "__getattribute__")
    plain = own is object.__getattribute__ or isinstance(own, FunctionType)
    return object.__getattribute__ if plain else getattr  # modules and proxies of the library look up in C
