"""What an object holds, read past the lookup of attributes that its program may have of its own.

A `__getattr__` or `__getattribute__` may change the object, raise anything, or answer for fields that are not there.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from types import FunctionType, MemberDescriptorType
from typing import Any


def held_fields(value: Any) -> dict[str, Any] | None:
    """Instance attributes, slots that are set included; None for values that have neither dict nor slots."""
    look = _look_up(type(value))
    inside = _dict(value, look)
    found, known = inside or {}, inside is not None
    for cls in type(value).__mro__:
        if "__slots__" not in cls.__dict__:
            continue
        # Not the names in __slots__ themselves: a private one is stored under another name.
        for slot, member in cls.__dict__.items():
            if isinstance(member, MemberDescriptorType):
                known = True
                with suppress(AttributeError):
                    found[slot] = look(value, slot)
    return found if known else None


def held_dict(value: Any) -> dict[str, Any] | None:
    """Those attributes that are in the instance's dict; None, where it has no dict."""
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
