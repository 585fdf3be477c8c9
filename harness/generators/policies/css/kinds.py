"""What a watched program's accesses do not tell of a value: that it is foreign, used up, or holds others."""

from __future__ import annotations

import sys
from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from types import BuiltinFunctionType, FunctionType, MethodType, MethodWrapperType, ModuleType
from typing import Any

from harness.generators.policies.css.references import resolved
from harness.generators.policies.css.telling import LOAD
from harness.generators.sequences.matching import CONTAINERS, attributes, parts
from harness.generators.symbolic.values import Symbolic
from harness.kernel.judging.canon import ATOMS

_CHANGEABLE = (list, dict, set, deque)
_TOLD = (*ATOMS, *CONTAINERS, Symbolic, type, super, range, slice, ModuleType)
_FUNCTIONS = (BuiltinFunctionType, FunctionType, MethodType, MethodWrapperType)


@dataclass(frozen=True, slots=True)
class Kind:
    """What holds of all objects of a class.

    Attributes:
        is_container: a list, dict, set or deque, or of a class derived from one.
        is_foreign: of C or of a module that is not watched, so that its places are not of the program's text.
        is_used_up: an iterator that the program did not write, a generator included: to ask it changes it.
        kept_once: names of its properties that are kept when they are first asked for.
    """

    is_container: bool
    is_foreign: bool
    is_used_up: bool
    kept_once: frozenset[str]

    @property
    def is_hidden(self) -> bool:
        """Whether what changes an object cannot be told from the text."""
        return self.is_foreign or self.is_used_up


def kind_of(cls: type) -> Kind:
    """What holds of a class."""
    module = sys.modules.get(cls.__module__)
    is_watched = module is None or LOAD in vars(module)
    return Kind(
        issubclass(cls, _CHANGEABLE),
        not (is_watched or issubclass(cls, (*_TOLD, *_FUNCTIONS))),
        issubclass(cls, Iterator) and not hasattr(cls.__next__, "__code__"),
        frozenset(name for base in cls.__mro__ for name, held in vars(base).items() if type(held) is cached_property),
    )


def held_below(value: Any) -> Iterator[Any]:
    """Containers, and objects of dataclasses, whose comparison is not of the text, within each other and the value.

    The value itself is one of them, if it is such a one.
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
        work += parts(one)
        work += [held for _, held in attributes(one)] if is_data else []


def behind(function: Any) -> list[Any]:
    """What a function that was found in a field works on: the object that it is bound to, and its variables."""
    cls = type(function)
    bound = [function.__self__] if cls in _FUNCTIONS and cls is not FunctionType else []
    inner = function.__func__ if cls is MethodType else function
    if type(inner) is not FunctionType or not inner.__closure__:
        return bound
    cells = zip(inner.__code__.co_freevars, inner.__closure__, strict=True)
    return [*bound, *(cell for name, cell in cells if name != "__class__")]
