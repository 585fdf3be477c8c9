"""Whether a program could change objects unseen: by other ways than assigning their fields."""

from __future__ import annotations

import dis
from functools import cache
from types import CodeType, ModuleType
from typing import Any

_MEDDLING = frozenset({"__dict__", "__class__"})
"""What a program that assigns it changes unseen: what an object holds is looked at in the dict that it had."""
_SETTERS = frozenset({"setattr", "__setattr__", "delattr", "__delattr__"})
"""By which a program assigns what it names by a string."""


class NotCompilable(Exception):
    """States hold what no function is compiled for; says what."""


def check_module(module: ModuleType | None) -> None:
    """Refuses a program that could change objects unseen.

    Raises:
        NotCompilable: it names what could.
    """
    for value in list(vars(module).values()) if module is not None else []:
        if isinstance(value, type):
            check_class(value)
        else:
            check_function(value)


def check_class(cls: type) -> None:
    """As `check_module`, of what stands in a class, and in the classes within it."""
    for value in list(vars(cls).values()):
        for part in (value, getattr(value, "fget", None), getattr(value, "fset", None)):
            check_function(getattr(part, "__func__", part))
        if isinstance(value, type) and value.__qualname__ == f"{cls.__qualname__}.{value.__name__}":
            check_class(value)


def check_function(value: Any) -> None:
    """As `check_module`, of one function; of other values nothing."""
    code = getattr(value, "__code__", None)
    if isinstance(code, CodeType):
        found = _assigned(code)
        if found:
            raise NotCompilable(f"{code.co_qualname} assigns {found}")


@cache
def _assigned(code: CodeType) -> str | None:
    """The first of what is not to be assigned that a function assigns, or one within it."""
    if _SETTERS.intersection(code.co_names):
        named = _MEDDLING.intersection(constant for constant in code.co_consts if isinstance(constant, str))
        if named:
            return min(named)
    if _MEDDLING.intersection(code.co_names):
        for instruction in dis.get_instructions(code):
            if instruction.opname == "STORE_ATTR" and instruction.argval in _MEDDLING:
                return str(instruction.argval)
    within = (_assigned(constant) for constant in code.co_consts if isinstance(constant, CodeType))
    return next((found for found in within if found), None)
