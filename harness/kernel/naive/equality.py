"""Compares two values by walking both side by side: the naive counterpart of canonical bytes."""

from __future__ import annotations

import struct
import weakref
from collections import OrderedDict, defaultdict, deque
from collections.abc import Callable, ItemsView, Iterator, KeysView, ValuesView
from copyreg import dispatch_table
from dataclasses import dataclass
from enum import Enum
from gc import get_referents
from io import IOBase
from re import Match, Pattern
from types import (
    AsyncGeneratorType,
    BuiltinFunctionType,
    CellType,
    CodeType,
    CoroutineType,
    FunctionType,
    GeneratorType,
    GetSetDescriptorType,
    MappingProxyType,
    MemberDescriptorType,
    MethodType,
    MethodWrapperType,
    ModuleType,
)
from typing import Any

from harness.kernel.specs.tokens import Token

_PLAIN = (type(None), bool, int, str, bytes)
_VIEWS = ("dict_keys", "dict_values", "dict_items", "odict_keys", "odict_values", "odict_items")
_LISTED = (tuple, list, dict, set, frozenset)
_Pair = tuple[Any, Any]


UNTOLD: set[type] = set()
"""Types whose instances are always equal; a spec calls such values opaque."""


Omits = Callable[[str], bool]


def nothing_omitted(_name: str) -> bool:
    """Return False, so that every attribute counts."""
    return False


def equal_values(
    left: Any, right: Any, *, by_identity: bool, omits: Omits = nothing_omitted, ordered: bool = True
) -> bool:
    """Return whether `left`, of one program, corresponds to `right`, of another, as a copy corresponds to its model.

    Types agree by name, plain values by type and value. Objects agree if their attributes do and if they are shared
    alike: wherever one occurs again, so does its partner. With `by_identity`, lists, dicts and sets are such objects,
    too; otherwise they agree by their contents alone. Attributes whose names `omits` accepts need not agree.
    Dicts agree in the order of their items, if it is `ordered`.
    """
    return _Pairing(by_identity, omits, ordered, {}, {}, []).holds([(left, right)])


@dataclass(frozen=True)
class _Unordered:
    """The members of a set or dict that have no partner yet."""

    members: list[Any]


@dataclass(frozen=True)
class _Pairing:
    """The partners of objects by id, in both directions.

    `_made_pairs` keeps the objects made on the way, as an id must not recur.
    """

    _by_identity: bool
    _omits: Omits
    _ordered: bool
    _partners: dict[int, int]
    _partnered: dict[int, int]
    _made_pairs: list[Any]

    def holds(self, work: list[_Pair]) -> bool:  # noqa: C901 (a case for each kind of value)
        """Return whether all pairs of `work` agree under this pairing, which grows on the way."""
        while work:
            left, right = work.pop()
            if type(left).__qualname__ != type(right).__qualname__:
                return False
            if is_dead(left) or is_dead(right):
                if is_dead(left) and is_dead(right):
                    continue
                return False
            if isinstance(left, _Unordered):
                if not left.members and not right.members:
                    continue
                return len(left.members) == len(right.members) and self._some_partner_holds(left, right, work)
            if type(left) in _PLAIN:
                if left != right:
                    return False
            elif type(left) is float:
                if struct.pack("d", left) != struct.pack("d", right):  # -0.0 is not 0.0, nan is nan
                    return False
            elif isinstance(left, type):
                if left.__qualname__ != right.__qualname__:
                    return False
            elif isinstance(left, Token):
                if (left.domain, left.index) != (right.domain, right.index):
                    return False
            elif self._has_identity(left) and self._is_known_pair(left, right):
                if self._partners.get(id(left)) != id(right) or self._partnered.get(id(right)) != id(left):
                    return False
            else:
                pairs = _inner_pairs(left, right, self._omits, self._ordered)
                if pairs is None:
                    return False
                self._made_pairs.append(pairs)
                work.extend(pairs)
        return True

    def _has_identity(self, value: Any) -> bool:
        if isinstance(value, set):
            return self._by_identity
        return type(value) is not tuple and not isinstance(value, frozenset)

    def _is_known_pair(self, left: Any, right: Any) -> bool:
        """Return whether either was met before; if not, they are partners from now on.

        Lists and dicts compared by contents may have many partners: they are only remembered as
        a pair, so that comparing those that contain themselves ends.
        """
        if isinstance(left, (list, dict)) and not self._by_identity:
            if self._partners.get(id(left)) == id(right) and self._partnered.get(id(right)) == id(left):
                return True
        elif id(left) in self._partners or id(right) in self._partnered:
            return True
        self._partners[id(left)] = id(right)
        self._partnered[id(right)] = id(left)
        return False

    def _some_partner_holds(self, left: _Unordered, right: _Unordered, work: list[_Pair]) -> bool:
        """Try each member of `right` as the partner of the first member of `left`, and then all other pairs."""
        first, *members = left.members
        for position, candidate in enumerate(right.members):
            candidates = right.members[:position] + right.members[position + 1 :]
            attempt = _Pairing(
                self._by_identity,
                self._omits,
                self._ordered,
                dict(self._partners),
                dict(self._partnered),
                self._made_pairs,
            )
            if attempt.holds([*work, (_Unordered(members), _Unordered(candidates)), (first, candidate)]):
                return True
        return False


def _inner_pairs(left: Any, right: Any, omits: Omits, ordered: bool) -> list[_Pair] | None:
    """Return the pairs that have to agree inside two values of the same type name; None if these cannot agree."""
    if isinstance(left, (set, frozenset)):
        return [(_Unordered(elements(left)), _Unordered(elements(right)))]
    if type(left) in UNTOLD:
        return []
    if isinstance(left, dict):
        items: Any = OrderedDict.items if isinstance(left, OrderedDict) else dict.items  # not as its class lists them
        held: list[_Pair] | None = [(list(items(left)), list(items(right)))]
        if not (ordered or isinstance(left, OrderedDict)):
            held = [(_Unordered(list(items(left))), _Unordered(list(items(right))))]
    elif type(left) is tuple or isinstance(left, list):
        listed_left, listed_right = elements(left), elements(right)
        held = list(zip(listed_left, listed_right, strict=True)) if len(listed_left) == len(listed_right) else None
    else:
        held = [(content(left), content(right))]
    if held is None or type(left) in (tuple, list, dict):
        return held
    own_left, own_right = _compared_attributes(left, omits), _compared_attributes(right, omits)
    if own_left.keys() != own_right.keys():
        return None
    return held + [(own_left[name], own_right[name]) for name in own_left]


def elements(value: Any) -> list[Any]:
    """Return what a set, list, tuple or deque holds, whatever the methods of its class say."""
    base: Any = next(base for base in (set, frozenset, list, tuple, deque) if isinstance(value, base))
    return list(base.__iter__(value))


def _compared_attributes(value: Any, omits: Omits) -> dict[str, Any]:
    if isinstance(value, (Enum, ModuleType)):
        return {}
    unordered = getattr(omits, "unordered", ())
    factory = {"default_factory": value.default_factory} if isinstance(value, defaultdict) else {}
    return factory | {
        name: _without_order(held) if name in unordered else held
        for name, held in attributes(value).items()
        if not omits(name)
    }


def _without_order(held: Any) -> Any:
    if not isinstance(held, dict):
        return held
    return _Unordered([type(held), *[(key, _without_order(inner)) for key, inner in dict.items(held)]])


def attributes(value: Any) -> dict[str, Any]:
    """Return the attributes by name: the instance's dict, and the slots of all its classes that are set."""
    slots = [name for cls in type(value).__mro__ if "__slots__" in vars(cls) for name in sorted(_slots(cls))]
    inner = [(name, held) for name in slots for held in looked_up(value, name)]
    return dict(*looked_up(value, "__dict__")) | dict(inner)


def _slots(cls: type) -> set[str]:
    """Return the names of the slots of a class, also of those that a mutant has replaced by another attribute."""
    names = vars(cls)["__slots__"]
    declared = [names] if isinstance(names, str) else names if isinstance(names, _LISTED) else []
    private = f"_{cls.__name__.lstrip('_')}"
    inside = [private + name if name.startswith("__") and not name.endswith("__") else name for name in declared]
    slots = {name for name, member in vars(cls).items() if isinstance(member, MemberDescriptorType)}
    return slots | {name for name in inside if not isinstance(vars(cls).get(name), GetSetDescriptorType)}


def looked_up(value: Any, name: str) -> list[Any]:
    """Return the attribute in a list, or an empty list; only a proxy is asked, not the program's `__getattr__`."""
    try:
        return [(getattr if type(value) in weakref.ProxyTypes else object.__getattribute__)(value, name)]
    except AttributeError:
        return []


def is_dead(value: Any) -> bool:
    """Return whether a value is a weak proxy of an object that is gone."""
    if type(value) not in weakref.ProxyTypes:
        return False
    try:
        return not hasattr(value, "__class__")
    except ReferenceError:
        return True


def content(value: Any) -> Any:  # noqa: C901 (a case for each kind of value)
    """Return what a value holds besides its attributes, as a tuple; its type if that cannot be read.

    It is nothing for an object of a class of Python alone. A function is its code, defaults and cells. Code is its name
    if it has one in its module. Nothing is run or drawn from.
    """
    kind = type(value)
    try:
        match value:
            case FunctionType():
                return value.__code__, value.__defaults__, value.__kwdefaults__, value.__closure__
            case CodeType():
                return _of_code(value)
            case CellType() | MappingProxyType():
                return tuple(get_referents(value))
            case MethodType():
                return value.__func__, value.__self__
            case BuiltinFunctionType():
                owner = value.__self__
                return value.__name__, owner.__name__ if isinstance(owner, ModuleType) else owner
            case ModuleType():
                return (value.__name__,)
            case Enum():
                return value._name_, value._value_
            case MethodWrapperType():
                return value.__name__, value.__self__
            case staticmethod() | classmethod():
                return (value.__func__,)
            case property():
                return value.fget, value.fset, value.fdel
            case GeneratorType():
                return _of_generator(value)
            case CoroutineType() | AsyncGeneratorType():
                return kind
            case KeysView() | ValuesView() | ItemsView() if kind.__name__ in _VIEWS:
                return tuple(value)
            case memoryview():
                return value.format, value.shape, bytes(value.tobytes())
            case Match():
                return value.re, value.string, value.regs, value.pos, value.endpos
            case Pattern():
                return value.pattern, value.flags
            case weakref.ref():
                return (weakref.ref.__call__(value),)
        has_fields = looked_up(value, "__dict__") or attributes(value)
        by_c = any(isinstance(vars(cls).get("__new__"), BuiltinFunctionType) for cls in kind.__mro__[:-1])
        return () if has_fields and not by_c else _pickled(value)
    except (TypeError, ValueError, NotImplementedError):
        return kind


def _pickled(value: Any) -> Any:
    """Return the five parts of which pickle makes a value such as `1j` or a deque, without its attributes."""
    try:
        reduced = value.__reduce_ex__(2)
    except (TypeError, ValueError):
        if type(value) not in dispatch_table:
            return type(value)
        reduced = dispatch_table[type(value)](value)
    if isinstance(reduced, str):
        return (reduced,)
    constructor, arguments, *optional_parts = reduced
    state, items, pairs = [*optional_parts, None, None, None][:3]
    if isinstance(state, dict) and looked_up(value, "__dict__"):
        state = None
    return constructor, arguments, state, items and list(items), pairs and list(pairs)


def _of_code(code: CodeType) -> Any:
    """Return the name of code that has one in its module; of other code all parts but its lines and file."""
    if "<" not in code.co_qualname:
        return (code.co_qualname,)
    sizes = code.co_flags, code.co_argcount, code.co_posonlyargcount, code.co_kwonlyargcount
    names = code.co_names, code.co_varnames, code.co_freevars, code.co_cellvars
    return code.co_code, code.co_exceptiontable, code.co_consts, sizes, names


def _of_generator(generator: GeneratorType[Any, Any, Any]) -> Any:
    """Return the code, the position and the variables of a generator, with the iterators that its loops hold."""
    if generator.gi_frame is None:
        return ("ended",)
    looping = [held for held in get_referents(generator) if is_lazy(held)]
    frame = generator.gi_frame
    return generator.gi_code, frame.f_lasti < 0, frame.f_lineno, dict(frame.f_locals), looping


def is_lazy(value: Any) -> bool:
    """Return whether a value is an iterator that is no object of a Python class, and no file."""
    by_statement = type(value).__flags__ & 1 << 9 and not type(value).__flags__ & 1 << 8
    return issubclass(type(value), Iterator) and not by_statement and not issubclass(type(value), IOBase)
