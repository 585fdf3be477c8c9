"""Detects programs that could change objects unseen, in other ways than by assigning their fields."""

from __future__ import annotations

from functools import cache
from types import CodeType, ModuleType
from typing import Any

from harness.kernel.program.builtin_effects import REFLECTIVE, CallEffects, named
from harness.kernel.program.code_reading import codes_of, stored_attributes

_MEDDLING = frozenset({"__dict__", "__class__"})
"""Attributes that change an object unseen when they are assigned, since changes are sought in its earlier dict."""
_SETTERS = named(REFLECTIVE, has=CallEffects.TAKES_FIELD_NAME, lacks=CallEffects.READS_FIELDS)
"""Functions by which a program assigns an attribute that it names by a string."""


class NotCompilable(Exception):
    """States hold an object for which no function is compiled; the message describes it."""


def check_module(module: ModuleType | None) -> None:
    """Refuse a program that could change objects unseen.

    Raises:
        NotCompilable: the program has such code, which the message names.
    """
    for value in list(vars(module).values()) if module is not None else []:
        if isinstance(value, type):
            check_class(value)
        else:
            check_function(value)


def check_class(cls: type) -> None:
    """Check the members of a class, and of the classes within it, like `check_module`."""
    for value in list(vars(cls).values()):
        for part in (value, getattr(value, "fget", None), getattr(value, "fset", None)):
            check_function(getattr(part, "__func__", part))
        if isinstance(value, type) and value.__qualname__ == f"{cls.__qualname__}.{value.__name__}":
            check_class(value)


def check_function(value: Any) -> None:
    """Check one function like `check_module`; accept other values."""
    code = getattr(value, "__code__", None)
    if isinstance(code, CodeType):
        attribute = _assigned(code)
        if attribute:
            raise NotCompilable(f"{code.co_qualname} assigns {attribute}")


@cache
def _assigned(function: CodeType) -> str | None:
    """Return the first forbidden attribute that a function, or one within it, assigns; None if there is none."""
    for code in codes_of(function):
        if not _SETTERS.isdisjoint(code.co_names):
            named = _MEDDLING.intersection(constant for constant in code.co_consts if isinstance(constant, str))
            if named:
                return min(named)
        if not _MEDDLING.isdisjoint(code.co_names):
            for attribute in stored_attributes(code):
                if attribute in _MEDDLING:
                    return attribute
    return None
