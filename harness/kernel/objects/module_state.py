"""Checks whether a module holds the same objects as when it was loaded, so that later runs find no trace of earlier
ones.

It checks the places in which a program can keep something: globals, attributes of classes and functions, default values
and closures. All objects that are reached from these are checked, too.
"""

from __future__ import annotations

import re
import types
from collections import OrderedDict, defaultdict, namedtuple
from collections.abc import Callable, Iterable
from functools import partial
from operator import attrgetter, is_, itemgetter, methodcaller
from typing import Any

from harness.kernel.objects.reading import CONTAINERS, contents, held_fields

MOST_PLACES = 4096
"""The greatest number of places that are checked after each input; a program with more is taken to have changed."""

_OURS = "__mutascope"
"""The beginning of the names of globals that the harness gives a program."""
_OF_IMPORTS = frozenset({"__builtins__", "__loader__", "__spec__"})
_HEAP_TYPE, _IMMUTABLE = 1 << 9, 1 << 8
"""`Py_TPFLAGS_HEAPTYPE`, which classes of Python have and some of C, and `Py_TPFLAGS_IMMUTABLETYPE`, of C alone."""
_WORD = 8
"""The bytes of a slot."""
_FieldOfTuple = type(vars(namedtuple("_Named", "field"))["field"])
_STATELESS: frozenset[type] = frozenset(
    {
        *(int, float, complex, str, bytes, bool, range, slice, object),
        *(type(None), type(...), type(NotImplemented), re.Pattern, itemgetter, attrgetter, methodcaller),
        *(types.CodeType, types.GenericAlias, types.UnionType, types.WrapperDescriptorType),
        *(types.MethodDescriptorType, types.ClassMethodDescriptorType, types.MethodWrapperType),
        *(types.GetSetDescriptorType, types.MemberDescriptorType, _FieldOfTuple),
    }
)
_PLAIN_MODULES = frozenset({"typing", "_abc"})
_BASES: frozenset[type] = frozenset(
    {object, defaultdict, OrderedDict, *CONTAINERS, int, float, str, bytes, type, BaseException, Exception}
)
"""The types in C that a class may derive from, so that all fields of its instances are seen."""

_Look = Callable[[], list[Any]]
_Mapping = tuple[Callable[[], Iterable[Any]], Callable[[], Iterable[Any]], list[Any], list[Any]]
_Function = tuple[types.FunctionType, types.CodeType, Any, Any, int]


class ModuleState:
    """The objects that a module holds, recursively.

    Args:
        module: the module as it was loaded.
        own: names of the modules that were loaded with it, for the program alone.
    """

    def __init__(self, module: types.ModuleType, own: Iterable[str] = ()) -> None:
        self._own = {module.__name__, *own}
        self._mappings: list[_Mapping] = []
        self._functions: list[_Function] = []
        self._places: list[tuple[_Look, list[Any]]] = []
        self._seen: dict[int, object] = {}
        self._is_complete = True
        waiting: list[Any] = [module]
        while waiting and self._is_complete:
            value = waiting.pop()
            if type(value) not in _STATELESS and id(value) not in self._seen:
                self._seen[id(value)] = value  # kept, so that no other object has its id
                waiting += self._within(value)
                places = len(self._mappings) + len(self._functions) + len(self._places)
                self._is_complete = self._is_complete and places <= MOST_PLACES

    @property
    def is_as_loaded(self) -> bool:
        """Whether all places hold the very objects that they held; False if something cannot be read."""
        return (
            self._is_complete
            and all(_same([*now()], then) and _same([*keys()], old) for keys, now, old, then in self._mappings)
            and all(map(_is_as_before, self._functions))
            and all(_same(look(), found) for look, found in self._places)
        )

    def _within(self, value: Any) -> list[Any]:  # noqa: C901 (a case for each kind of object)
        """Return the objects that an object holds, and remember its changeable places, without running the program."""
        kind = type(value)
        if isinstance(value, types.ModuleType):
            if self._is_own(value.__name__):
                return self._namespace(vars(value))
            return [_hidden_numbers(value)] if value.__name__ == "random" else []
        if isinstance(value, type):
            if _is_of_python(value) and self._is_own(type.__getattribute__(value, "__module__")):
                return self._mapping(vars(value)) + type.mro(value)
            return []
        if kind is types.FunctionType:
            return self._function(value)
        if kind is types.CellType:
            return self._place(partial(_cell, value))
        if kind is types.BuiltinFunctionType:
            return [value.__self__]
        if kind is types.MethodType:
            return [value.__self__, value.__func__]
        if kind is property:
            return [value.fget, value.fset, value.fdel]
        if kind in (staticmethod, classmethod):
            return [value.__func__]
        if kind is types.MappingProxyType:
            return self._mapping(value)
        if kind is partial:
            return [value.func, value.args, value.keywords]
        if (kind.__module__, kind.__name__) == ("random", "Random"):
            return self._place(partial(_numbers_to_come, value, value.getstate()))
        return [] if kind.__module__ in _PLAIN_MODULES else self._object(value)

    def _namespace(self, names: dict[str, Any]) -> list[Any]:
        self._mapping(names)
        return [value for name, value in names.items() if not (name.startswith(_OURS) or name in _OF_IMPORTS)]

    def _function(self, function: types.FunctionType) -> list[Any]:
        held = [function.__defaults__, function.__kwdefaults__, *(function.__closure__ or ())]
        self._functions.append(
            (function, function.__code__, function.__defaults__, function.__kwdefaults__, len(vars(function)))
        )
        if vars(function):
            held += self._mapping(vars(function))
        names = function.__globals__
        if self._is_own(names.get("__name__")) and id(names) not in self._seen:
            self._seen[id(names)] = names
            held += self._namespace(names)
        return held

    def _object(self, value: Any) -> list[Any]:
        made_by_program = _is_of_python(type(value))
        is_error = isinstance(value, BaseException)
        if not is_error and not {base for base in type.mro(type(value)) if not _is_of_python(base)} <= _BASES:
            self._is_complete = False
            return []
        held: list[Any] = []
        if isinstance(value, dict):
            held += self._mapping(value, dict)
        elif isinstance(value, tuple | frozenset):
            held += contents(value)
        elif isinstance(value, CONTAINERS):
            held += self._place(partial(contents, value))
        if made_by_program or is_error:
            held += self._place(partial(_fields, value))
        return held

    def _mapping(self, mapping: Any, kind: type | None = None) -> list[Any]:
        """Return the keys and values of a dict, as `dict` itself finds them."""
        kind = kind or type(mapping)
        keys, values = partial(kind.keys, mapping), partial(kind.values, mapping)  # type: ignore[attr-defined]
        held = [*keys()], [*values()]
        self._mappings.append((keys, values, *held))
        return held[0] + held[1]

    def _place(self, look: _Look) -> list[Any]:
        contents = look()
        self._places.append((look, contents))
        return contents

    def _is_own(self, name: object) -> bool:
        """Return whether a module of this name is the program's; the library's and installed ones keep nothing."""
        return name in self._own or not isinstance(name, str)


def _same(now: list[Any], then: list[Any]) -> bool:
    return len(now) == len(then) and all(map(is_, now, then))


def _is_as_before(function_state: _Function) -> bool:
    function, code, defaults, named, attributes = function_state
    return (
        function.__code__ is code
        and function.__defaults__ is defaults
        and function.__kwdefaults__ is named
        and len(function.__dict__) == attributes
    )


def _is_of_python(cls: type) -> bool:
    """Return whether a class statement has made the class, so that its instances hold only attributes."""
    if not cls.__flags__ & _HEAP_TYPE or cls.__flags__ & _IMMUTABLE or cls.__base__ is None:
        return False
    held = sum(type(value) is types.MemberDescriptorType for value in vars(cls).values())
    held += sum(name in vars(cls) for name in ("__dict__", "__weakref__"))
    return cls.__basicsize__ - cls.__base__.__basicsize__ <= held * _WORD


def _fields(value: Any) -> list[Any]:
    """Return the class of an object, and its fields."""
    return [type(value), *(part for field in (held_fields(value) or {}).items() for part in field)]


def _cell(cell: types.CellType) -> list[Any]:
    try:
        return [cell.cell_contents]
    except ValueError:  # it is empty
        return []


def _hidden_numbers(library: types.ModuleType) -> Any:
    """Return the library's own source of random numbers, the one object of `random` that later calls can notice."""
    return vars(library).get("_inst")


def _numbers_to_come(source: Any, then: object) -> list[Any]:
    """Return the state of a source of random numbers: `then` itself, if it is equal to that."""
    now = source.getstate()
    return [then if now == then else now]
