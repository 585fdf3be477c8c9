"""Classifies values by properties that a program's accesses do not show: foreign, used up, or holding others."""

from __future__ import annotations

import sys
from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from types import BuiltinFunctionType, FunctionType, MethodType, MethodWrapperType, ModuleType
from typing import Any

from harness.generators.policies.css.access_instrumentation import LOAD
from harness.generators.policies.css.references import resolved
from harness.generators.symbolic.values import Symbolic
from harness.kernel.objects.reading import ATOMS, CONTAINERS, contents, stored_fields

_CHANGEABLE = (list, dict, set, deque)
_ENCODED_TYPES = (*ATOMS, *CONTAINERS, Symbolic, type, super, range, slice, ModuleType)
_FUNCTIONS = (BuiltinFunctionType, FunctionType, MethodType, MethodWrapperType)


@dataclass(frozen=True, slots=True)
class ObjectKind:
    """The properties that all objects of a class share.

    Attributes:
        is_container: they are lists, dicts, sets or deques, or of a derived class.
        is_foreign: the class is written in C or in an unwatched module, so the text does not show its accesses.
        is_used_up: they are iterators that the program does not define, such as generators: reading one changes it.
        kept_once: the names of its cached properties, which are stored when they are first read.
    """

    is_container: bool
    is_foreign: bool
    is_used_up: bool
    kept_once: frozenset[str]

    @property
    def is_hidden(self) -> bool:
        """Whether the text does not show which operations change an object."""
        return self.is_foreign or self.is_used_up


def kind_of(cls: type) -> ObjectKind:
    """Return the properties of a class."""
    module = sys.modules.get(cls.__module__)
    is_watched = module is None or LOAD in vars(module)
    return ObjectKind(
        issubclass(cls, _CHANGEABLE),
        not (is_watched or issubclass(cls, (*_ENCODED_TYPES, *_FUNCTIONS))),
        issubclass(cls, Iterator) and not hasattr(cls.__next__, "__code__"),
        frozenset(name for base in cls.__mro__ for name, held in vars(base).items() if type(held) is cached_property),
    )


def held_below(value: Any) -> Iterator[Any]:
    """Yield the containers and dataclass objects nested in a value, whose comparison is no code of the text.

    The value itself is included if it is one of these.
    """
    seen: set[int] = set()
    work = [value]
    while work:
        one = resolved(work.pop())
        cls = type(one)
        is_data = hasattr(cls, "__dataclass_fields__")
        if cls in ATOMS or id(one) in seen or not (is_data or issubclass(cls, CONTAINERS)):
            continue
        seen.add(id(one))
        if is_data or issubclass(cls, _CHANGEABLE):
            yield one
        work += contents(one)
        work += stored_fields(one).values() if is_data else ()


def behind(function: Any) -> list[Any]:
    """Return the values that a function works on: the object that it is bound to and its closure cells."""
    cls = type(function)
    bound = [function.__self__] if cls in _FUNCTIONS and cls is not FunctionType else []
    inner = function.__func__ if cls is MethodType else function
    if type(inner) is not FunctionType or not inner.__closure__:
        return bound
    cells = zip(inner.__code__.co_freevars, inner.__closure__, strict=True)
    return [*bound, *(cell for name, cell in cells if name != "__class__")]
