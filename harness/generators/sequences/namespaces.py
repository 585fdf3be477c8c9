"""Finds what a program's calls can reach whatever the state is, and how they could change objects unseen."""

from __future__ import annotations

import marshal
import os
import sys
from collections.abc import Iterable
from enum import Enum
from functools import cache, lru_cache, partial
from types import CodeType, FunctionType, MethodType, ModuleType
from typing import Any
from weakref import ReferenceType

from harness.kernel.objects.reading import ATOMS, CONTAINERS, contents, is_of_c, stored_fields
from harness.kernel.program.builtin_effects import REFLECTIVE, CallEffects, named
from harness.kernel.program.code_reading import codes_of, stored_attributes
from harness.kernel.specs.tokens import Token

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


MOST_WATCHED = 20_000
"""The largest number of values in all namespaces of a program; beyond it the general path is taken."""
_NO_OBJECTS = (type, ModuleType, tuple, frozenset, Enum, Token)
"""Types that are no objects of a state with compiled functions, though their parts may be."""
_WRAPPERS: dict[Any, tuple[str, ...]] = {
    MethodType: ("__func__", "__self__"),
    staticmethod: ("__func__",),
    classmethod: ("__func__",),
    property: ("fget", "fset", "fdel"),
    partial: ("func", "args", "keywords"),
}
"""The attributes of objects of C that hold other objects."""
_INERT = frozenset({"__future__", "typing", "logging"})
"""Modules whose objects are in many programs, and hold no objects of their states."""
_CACHING: Any = type(lru_cache(lambda: None))
_SMALL = range(-5, 257)
"""Integers that Python represents by one object each."""


class Namespaces:
    """Objects in the global variables of modules, attributes of classes, and defaults and closures of functions.

    A state that refers to one of them cannot be made from bytes. Its copy would be another object than the one that
    the program compares by `is`, or has stored in a namespace.

    Args:
        module: the program's module.
        values: plain values that are arguments of calls.

    Attributes:
        held: the ids of these objects, and of all objects below them.
        plain: strings and numbers of the program by their bytes. There may be other objects that are equal to them.
        small: types whose equal values are the same object, as far as the program contains such values.
    """

    def __init__(self, module: ModuleType, values: Iterable[Any] = ()) -> None:
        self.held: set[int] = set()
        self.plain: dict[bytes, Any] = {}
        self.small: set[type] = {type(None), bool, int}
        self._entries: list[Any] = [*values, module]
        self._module = module
        self._objects: dict[int, Any] = {}
        self._walk()

    def add(self, cls: type) -> None:
        """Add a class whose objects were found in states, with its module.

        Raises:
            NotCompilable: there are too many objects; a function caches objects, or could change them unseen.
        """
        module = sys.modules.get(cls.__module__)
        entries = [cls]
        if module is not None and cls.__module__.partition(".")[0] not in sys.stdlib_module_names:
            entries.append(module)  # type: ignore[arg-type]
        new = [entry for entry in entries if not any(entry is known for known in self._entries)]
        if new:
            self._entries = new + self._entries
            self._walk()

    def _walk(self) -> None:
        seen: dict[int, Any] = {}
        work = list(self._entries)
        while work:
            value = work.pop()
            if type(value) in ATOMS:
                self._note(value)
            elif id(value) not in seen:
                seen[id(value)] = value
                if len(seen) > MOST_WATCHED:
                    raise NotCompilable(f"more than {MOST_WATCHED} values in the namespaces of the program")
                if _is_object(value):
                    self.held.add(id(value))
                work += self._below(value)
        self._objects.update(seen)  # so that no id is used twice

    def _note(self, value: Any) -> None:
        kind = type(value)
        if kind is float or (kind is str and len(value) > 1) or (kind is int and value not in _SMALL):
            self.plain.setdefault(marshal.dumps(value, 2), value)
            self.small.discard(kind)

    def _below(self, value: Any) -> Iterable[Any]:
        cls = type(value)  # a proxy's `__class__` is another one's
        if issubclass(cls, ModuleType):
            return _named(value) if self._is_own(value) else ()
        if issubclass(cls, type):
            return self._of_class(value)
        if cls is FunctionType:
            return _of_function(value)
        if cls is _CACHING:
            raise NotCompilable(f"{value.__qualname__} keeps what it has returned")
        if issubclass(cls, ReferenceType):
            return [value()]
        if cls in _WRAPPERS:
            return [getattr(value, name, None) for name in _WRAPPERS[cls]]
        return _of_object(value)

    def _of_class(self, cls: type) -> Iterable[Any]:
        own = any(cls is entry for entry in self._entries) or cls.__module__ == self._module.__name__
        if own or self._is_own(sys.modules.get(cls.__module__)):
            return _named(cls)
        check_class(cls)
        return ()

    def _is_own(self, module: ModuleType | None) -> bool:
        """Return whether a module is the program's: it was added, or is in the same package or folder."""
        if module is None or any(module is entry for entry in self._entries):
            return module is not None
        package = self._module.__name__.partition(".")[0]
        if module.__name__.partition(".")[0] == package:
            return True
        own, other = getattr(self._module, "__file__", None), getattr(module, "__file__", None)
        return bool(own and other) and os.path.dirname(str(own)) == os.path.dirname(str(other))


def _named(owner: ModuleType | type) -> list[Any]:
    """Return the members of a module or class, except those that Python itself adds."""
    held = list(vars(owner).items())
    return [one for name, one in held if type(one) in (FunctionType, staticmethod, classmethod) or not _is_dunder(name)]


def _is_dunder(name: str) -> bool:
    return name.startswith("__") and name.endswith("__")


def _of_function(function: FunctionType) -> list[Any]:
    check_function(function)
    held = [*(function.__defaults__ or ()), *(function.__kwdefaults__ or {}).values(), *vars(function).values()]
    for cell in function.__closure__ or ():
        try:
            held.append(cell.cell_contents)
        except ValueError:
            pass  # an empty cell
    for code in codes_of(function.__code__):
        held += [constant for constant in code.co_consts if isinstance(constant, (str, int, float, tuple))]
    return held


def _of_object(value: Any) -> list[Any]:
    cls = type(value)
    if cls.__module__ in _INERT:
        return []
    held = contents(value)
    if not is_of_c(cls):
        held += stored_fields(value).values()
    return held


def _is_object(value: Any) -> bool:
    """Return whether a value could be an object of a state with compiled functions."""
    cls = type(value)
    if issubclass(cls, _NO_OBJECTS) or cls.__module__ in _INERT:
        return False
    return issubclass(cls, CONTAINERS) or not is_of_c(cls)
