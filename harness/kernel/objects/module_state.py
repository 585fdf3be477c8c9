"""Puts a module back as it was when it was loaded, so that inputs find no trace of earlier ones.

It looks at the places in which a program can keep something: globals, attributes of classes and functions, default
values, closures, caches and counters. All objects that are reached from these are looked at, too.
"""

from __future__ import annotations

import re
import sys
import types
import weakref
from ast import literal_eval
from collections import OrderedDict, defaultdict, namedtuple
from collections.abc import Callable
from functools import cached_property, lru_cache, partial
from itertools import count
from operator import attrgetter, is_, itemgetter, methodcaller
from typing import Any, NamedTuple

from harness.kernel.objects.reading import CONTAINERS, contents, held_fields
from harness.kernel.program.code_reading import assigned_names, codes_of
from harness.kernel.program.loader import names_of_program

MOST_PLACES = 4096
"""The greatest number of places that are put back; a program with more is taken to have lost something."""

_OURS = "__mutascope"
"""The beginning of the names of globals that the harness gives a program."""
_OF_COPYING = "__slotnames__"
_OF_IMPORTS = frozenset({"__builtins__", "__loader__", "__spec__"})
_HEAP_TYPE, _IMMUTABLE = 1 << 9, 1 << 8
"""`Py_TPFLAGS_HEAPTYPE`, which classes of Python have and some of C, and `Py_TPFLAGS_IMMUTABLETYPE`, of C alone."""
_WORD = 8
"""The bytes of a slot."""
_FieldOfTuple = type(vars(namedtuple("_Named", "field"))["field"])
_Cached = type(lru_cache(len))
_STATELESS: frozenset[type] = frozenset(
    {
        *(int, float, complex, str, bytes, bool, range, slice, object),
        *(type(None), type(...), type(NotImplemented), re.Pattern, itemgetter, attrgetter, methodcaller),
        *(types.CodeType, types.GenericAlias, types.UnionType, types.WrapperDescriptorType),
        *(types.MethodDescriptorType, types.ClassMethodDescriptorType),
        *(types.GetSetDescriptorType, types.MemberDescriptorType, _FieldOfTuple),
    }
)
_PLAIN_MODULES = frozenset({"typing", "_abc", "_thread", "datetime", "decimal", "logging"})
"""Modules in C, or that concern no result, whose objects keep nothing of a program."""
_MADE_LATER = frozenset({"_value2member_map_", "_hashable_values_", "_unhashable_values_"})
"""Attributes of an Enum that hold members which it makes when they are first asked for, and then are the only ones."""
_BASES: frozenset[type] = frozenset(
    {object, defaultdict, OrderedDict, *CONTAINERS, int, float, str, bytes, type, BaseException, Exception}
)
"""The types in C that a class may derive from, so that all fields of its instances are seen."""
_ANY_CODE = frozenset({"setattr", "__setattr__", "exec", "eval", "__code__", "__defaults__", "__kwdefaults__"})
"""Names by which a program changes its functions."""
_ANY_NAME = _ANY_CODE | {"delattr", "__delattr__", "globals", "vars", "__dict__", "__globals__"}
"""Names by which code changes attributes and globals that it does not name."""
_ABSENT: Any = object()

_Look = Callable[[], list[Any]]
_Named = tuple[Any, str]
"""A value, and where it is, as text."""


class _Place(NamedTuple):
    """What is in a place, what was there, and how that is put back."""

    name: str
    look: _Look
    then: list[Any]
    put: Callable[[list[Any]], object]


class ModuleState:
    """The objects that a module holds, recursively.

    Args:
        module: the module as it was loaded.

    Attributes:
        has_changed: whether something had to be put back.
        lost: the first place of which nobody knows what it keeps, or that could not be put back; empty if all can be.
    """

    def __init__(self, module: types.ModuleType) -> None:
        self.lost = ""
        self.has_changed = False
        self._own = names_of_program(module)
        self._places: list[_Place] = []
        self._rare: list[_Place] = []
        self._defined: list[_Place] = []
        self._mappings: list[Any] = []
        self._counters: list[tuple[Any, str]] = []
        self._functions: list[types.FunctionType] = []
        self._namespaces: list[Any] = []
        self._seen: dict[int, object] = {}
        companions = self._own - {module.__name__}
        self._later = [name for name in companions if name not in sys.modules]
        waiting: list[_Named] = [(module, ""), *((sys.modules[name], "") for name in companions - {*self._later})]
        while waiting and not self.lost:
            value, name = waiting.pop()
            if type(value) not in _STATELESS and id(value) not in self._seen:
                self._seen[id(value)] = value  # kept, so that no other object has its id
                waiting += self._within(value, name)
                if len(self._places) + len(self._rare) + len(self._defined) > MOST_PLACES:
                    self.lost = f"more than {MOST_PLACES:,} places"
        self._lengths = [*map(len, self._mappings)]
        self._looks = [] if self.lost else self._what_may_change()

    @property
    def is_as_loaded(self) -> bool:
        """Whether all places hold the very objects that they held; False if something cannot be read."""
        return not self.lost and self._is_as_loaded()

    def put_back(self) -> bool:
        """Make all places hold what they held when the module was loaded. Return False if something is lost."""
        if not self.lost and not self._is_as_loaded():
            self.has_changed = True
            for name in self._later:  # a function has imported it
                sys.modules.pop(name, None)
            self._renew_counters()
            for place in (*self._places, *self._rare, *self._defined):
                if not _same(place.look(), place.then):
                    try:
                        place.put(place.then)
                    except Exception:
                        self.lost = place.name
            self._lengths = [*map(len, self._mappings)]
            if not (self.lost or self._is_as_loaded()):
                self.lost = "globals"
        return not self.lost

    def _is_as_loaded(self) -> bool:
        return (
            [*map(len, self._mappings)] == self._lengths
            and not any(name in sys.modules for name in self._later)
            and all(_same(look(), then) for look, then in self._looks)
            and all(repr(counter) == then for counter, then in self._counters)
        )

    def _renew_counters(self) -> None:
        """Put new counters in the places of those that have counted."""
        for at, (counter, then) in enumerate(self._counters):
            if repr(counter) != then:
                fresh = count(*literal_eval(f"({then.removeprefix('count(')[:-1]},)"))
                self._counters[at] = fresh, then
                for held in (
                    *(place.then for place in (*self._places, *self._rare, *self._defined)),
                    *(held for _, held in self._looks),
                ):
                    held[:] = [_instead(value, counter, fresh) for value in held]

    def _what_may_change(self) -> list[tuple[_Look, list[Any]]]:
        """Return what is looked at after each input, beside the sizes of mappings and the counters.

        Attributes of classes and functions, and globals, change only where code assigns them.
        """
        looks = [(place.look, place.then) for place in self._places]
        codes = [code for function in self._functions for code in codes_of(function.__code__)]
        used = set[str]().union(*(code.co_names for code in codes))
        if used & _ANY_CODE:
            looks += [(place.look, place.then) for place in self._defined]
        if used & _ANY_NAME:
            return looks + [(place.look, place.then) for place in self._rare]
        assigned = set[str]().union(*map(assigned_names, codes))
        for names in self._namespaces:
            some = [name for name in names if name in assigned]
            if some:
                look = partial(_some, names, some)
                looks.append((look, look()))
        return looks

    def _within(self, value: Any, name: str) -> list[_Named]:  # noqa: C901 (a case for each kind of object)
        """Return the objects that an object holds, and remember its changeable places, without running the program."""
        kind = type(value)
        if isinstance(value, types.ModuleType):
            if self._is_own(value.__name__):
                return self._namespace(vars(value), value.__name__)
            return [(_chance(), value.__name__)] if value is sys.modules.get("random") else []
        if isinstance(value, type):
            if _is_of_python(value) and self._is_own(type.__getattribute__(value, "__module__")):
                return self._class(value, name)
            return []
        if kind is types.FunctionType:
            return self._function(value, name)
        if kind is types.CellType:
            return self._place(name, partial(_cell, value), partial(_put_in_cell, value))
        if kind in (types.BuiltinFunctionType, types.MethodWrapperType):
            return [(value.__self__, name)]
        if kind is types.MethodType:
            return [(value.__self__, name), (value.__func__, name)]
        if kind is property:
            return [(part, name) for part in (value.fget, value.fset, value.fdel)]
        if kind in (staticmethod, classmethod):
            return [(value.__func__, name)]
        if kind is cached_property:
            return [(value.func, name)]
        if isinstance(value, weakref.ReferenceType):
            return []
        if kind is types.MappingProxyType:
            return [(held, name) for held in _items(value)]
        if kind is partial:
            return [(part, name) for part in (value.func, value.args, value.keywords)]
        if kind is _Cached:
            return self._cache(value, name)
        if kind is count:
            self._counters.append((value, repr(value)))
            return []
        by_state = _BY_STATE.get((kind.__module__, kind.__name__))
        if by_state is not None:
            read, write = by_state
            then = read(value)
            if value is _chance():
                return self._place("the random numbers of the library", partial(_state, read, value, then), _refuse)
            return self._place(name, partial(_state, read, value, then), lambda _: write(value, then))
        return [] if kind.__module__ in _PLAIN_MODULES else self._object(value, name)

    def _namespace(self, names: dict[str, Any], module: str) -> list[_Named]:
        self._mapping(names, module, dict, self._rare)
        self._namespaces.append(names)
        return [
            (value, f"{module}.{name}")
            for name, value in names.items()
            if not (name.startswith(_OURS) or name in _OF_IMPORTS)
        ]

    def _class(self, cls: type, name: str) -> list[_Named]:
        name, names = f"{cls.__module__}.{cls.__qualname__}", vars(cls)
        self._namespaces.append(names)
        self._mappings.append(names)
        then = dict(names)
        self._rare.append(_Place(name, partial(_members, names), _members(then), partial(_put_in_class, cls)))
        held = [(value, f"{name}.{key}") for key, value in then.items() if key not in _MADE_LATER]
        return held + [(base, name) for base in type.mro(cls)]

    def _function(self, function: types.FunctionType, name: str) -> list[_Named]:
        self._functions.append(function)
        then = _parts(function)
        self._defined.append(
            _Place(
                name,
                partial(_parts, function),
                then,
                partial(
                    _put_in_function, function, len(function.__defaults__ or ()), [*(function.__kwdefaults__ or ())]
                ),
            )
        )
        values = [(value, name) for value in (*then[1:], *(function.__closure__ or ()))]
        attributes = vars(function)
        values += self._mapping(attributes, name, dict, self._places if attributes else self._rare)
        names = function.__globals__
        if self._is_own(names.get("__name__")) and id(names) not in self._seen:
            self._seen[id(names)] = names
            values += self._namespace(names, names["__name__"])
        return values

    def _cache(self, cached: Any, name: str) -> list[_Named]:
        if any(cached.cache_info()[:2]):  # of its content on loading, nobody can put anything back
            self.lost = f"{name} (a cache that is filled on loading)"
            return []
        self._place(name, lambda: [*map(bool, cached.cache_info()[:2])], lambda _: cached.cache_clear())
        return [(cached.__wrapped__, name)]

    def _object(self, value: Any, name: str) -> list[_Named]:
        made_by_program = _is_of_python(type(value))
        is_error = isinstance(value, BaseException)
        if not is_error and not {base for base in type.mro(type(value)) if not _is_of_python(base)} <= _BASES:
            self.lost = f"{name} (a {type(value).__name__})"
            return []
        held: list[_Named] = []
        if isinstance(value, dict):
            held += self._mapping(value, name, OrderedDict if isinstance(value, OrderedDict) else dict)
        elif isinstance(value, tuple | frozenset):
            held += [(part, name) for part in contents(value)]
        elif isinstance(value, CONTAINERS):
            held += self._place(name, partial(contents, value), partial(_put_in_container, value))
        if made_by_program or is_error:
            held += self._place(name, partial(_fields, value), partial(_put_in_fields, value))
        return held

    def _mapping(self, mapping: Any, name: str, kind: type, places: list[_Place] | None = None) -> list[_Named]:
        """Return the keys and values of a mapping, which methods of `kind` read and put back."""
        self._mappings.append(mapping)
        look = partial(_items_of, kind, mapping)
        place = _Place(name, look, look(), partial(_put_in_dict, kind, mapping))
        (self._places if places is None else places).append(place)
        return [(value, name) for value in place.then]

    def _place(self, name: str, look: _Look, put: Callable[[list[Any]], object]) -> list[_Named]:
        place = _Place(name, look, look(), put)
        self._places.append(place)
        return [(value, name) for value in place.then]

    def _is_own(self, name: object) -> bool:
        """Return whether a module of this name is the program's; the library's and installed ones keep nothing."""
        return name in self._own or not isinstance(name, str)


_STATES: weakref.WeakKeyDictionary[types.ModuleType, ModuleState] = weakref.WeakKeyDictionary()


def state_of(module: types.ModuleType) -> ModuleState:
    """Return the state of a module, as it was when it was first asked for."""
    state = _STATES.get(module)
    if state is None:
        state = _STATES[module] = ModuleState(module)
    return state


def _same(now: list[Any], then: list[Any]) -> bool:
    return len(now) == len(then) and all(map(is_, now, then))


def _instead(value: Any, counter: Any, fresh: Any) -> Any:
    """Return the value, or what takes its place if it is a counter, or the method of one."""
    if value is counter:
        return fresh
    if type(value) is types.MethodWrapperType and value.__self__ is counter:
        return getattr(fresh, value.__name__)
    return value


def _refuse(_: list[Any]) -> None:
    """Refuse to put back the library's random numbers, which would hide that the program uses chance."""
    raise ValueError("other numbers in each process")


def _chance() -> Any:
    """Return the library's own source of random numbers, whose methods the functions of `random` are, if it is used."""
    return vars(sys.modules["random"]).get("_inst") if "random" in sys.modules else None


def _is_of_python(cls: type) -> bool:
    """Return whether a class statement has made the class, so that its instances hold only attributes."""
    if not cls.__flags__ & _HEAP_TYPE or cls.__flags__ & _IMMUTABLE or cls.__base__ is None:
        return False
    held = sum(type(value) is types.MemberDescriptorType for value in vars(cls).values())
    held += sum(name in vars(cls) for name in ("__dict__", "__weakref__"))
    return cls.__basicsize__ - cls.__base__.__basicsize__ <= held * _WORD


# -- what is in a place -----------------------------------------------------------------------


def _fields(value: Any) -> list[Any]:
    """Return the class of an object, and its fields."""
    return [type(value), *(part for field in (held_fields(value) or {}).items() for part in field)]


def _items(mapping: Any) -> list[Any]:
    return [*mapping.keys(), *mapping.values()]


def _members(names: Any) -> list[Any]:
    """Return the names and values of a class, without what copying an object puts there."""
    return _items({name: value for name, value in names.items() if name != _OF_COPYING})


def _items_of(kind: Any, mapping: Any) -> list[Any]:
    return [*kind.keys(mapping), *kind.values(mapping)]


def _some(mapping: Any, names: list[str]) -> list[Any]:
    return [mapping.get(name, _ABSENT) for name in names]


def _parts(function: types.FunctionType) -> list[Any]:
    """Return the code of a function and its default values."""
    return [function.__code__, *(function.__defaults__ or ()), *(function.__kwdefaults__ or {}).values()]


def _cell(cell: types.CellType) -> list[Any]:
    try:
        return [cell.cell_contents]
    except ValueError:  # it is empty
        return []


def _state(read: Callable[[Any], Any], value: Any, then: Any) -> list[Any]:
    """Return the state of an object: `then` itself, if it is equal to that."""
    now = read(value)
    return [then if now == then else now]


_BY_STATE: dict[tuple[str, str], tuple[Callable[[Any], Any], Callable[[Any, Any], object]]] = {
    ("random", "Random"): (methodcaller("getstate"), lambda value, then: value.setstate(then)),
    ("builtins", "bytearray"): (bytes, lambda value, then: value.__setitem__(slice(None), then)),
    ("array", "array"): (
        methodcaller("tolist"),
        lambda value, then: value.__setitem__(slice(None), type(value)(value.typecode, then)),
    ),
    **{
        ("_io", name): (methodcaller("__getstate__"), lambda value, then: value.__setstate__(then))
        for name in ("StringIO", "BytesIO")
    },
}
"""How the content of objects of C is read and put back, by the module and the name of their class."""


# -- how it is put back -----------------------------------------------------------------------


def _halves(held: list[Any]) -> dict[Any, Any]:
    half = len(held) // 2
    return dict(zip(held[:half], held[half:], strict=True))


def _put_in_dict(kind: Any, mapping: Any, then: list[Any]) -> None:
    half = len(then) // 2
    kind.clear(mapping)
    for key, value in zip(then[:half], then[half:], strict=True):
        kind.__setitem__(mapping, key, value)


def _put_in_class(cls: type, then: list[Any]) -> None:
    old, now = _halves(then), vars(cls)
    for name in now.keys() - old.keys() - {_OF_COPYING}:
        type.__delattr__(cls, name)
    for name, value in old.items():
        if now.get(name, _ABSENT) is not value:
            type.__setattr__(cls, name, value)


def _put_in_function(function: types.FunctionType, positional: int, names: list[str], then: list[Any]) -> None:
    function.__code__, *defaults = then
    function.__defaults__ = tuple(defaults[:positional]) or None
    function.__kwdefaults__ = dict(zip(names, defaults[positional:], strict=True)) or None


def _put_in_cell(cell: types.CellType, then: list[Any]) -> None:
    if then:
        cell.cell_contents = then[0]
    else:
        del cell.cell_contents


def _put_in_container(container: Any, then: list[Any]) -> None:
    kind: Any = next(base for base in CONTAINERS if isinstance(container, base))
    kind.clear(container)
    (kind.update if kind is set else kind.extend)(container, then)


def _put_in_fields(value: Any, then: list[Any]) -> None:
    if type(value) is not then[0]:
        object.__setattr__(value, "__class__", then[0])
    old, now = dict(zip(then[1::2], then[2::2], strict=True)), dict(held_fields(value) or {})
    for name in now.keys() - old.keys():
        object.__delattr__(value, name)
    for name, held in old.items():
        if now.get(name, _ABSENT) is not held:
            object.__setattr__(value, name, held)
