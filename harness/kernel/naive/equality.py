"""Compares two values by walking both side by side: the naive counterpart of canonical bytes."""

from __future__ import annotations

import struct
import weakref
from collections import OrderedDict, deque
from collections.abc import Callable
from dataclasses import dataclass
from types import GetSetDescriptorType, MemberDescriptorType
from typing import Any

from harness.kernel.specs.tokens import Token

_PLAIN = (type(None), bool, int, str, bytes)
_VALUES = (int, float, complex, str, bytes, tuple, deque)
_LISTED = (tuple, list, dict, set, frozenset)
_Pair = tuple[Any, Any]


UNTOLD: set[type] = set()
"""Types whose instances are always equal; a spec calls such values opaque."""


Omits = Callable[[str], bool]


def nothing_omitted(_name: str) -> bool:
    """Return False, so that every attribute counts."""
    return False


def equal_values(left: Any, right: Any, *, by_identity: bool, omits: Omits = nothing_omitted) -> bool:
    """Return whether `left`, of one program, corresponds to `right`, of another, as a copy corresponds to its model.

    Types agree by name, plain values by type and value. Objects agree if their attributes do and if they are shared
    alike: wherever one occurs again, so does its partner. With `by_identity`, lists, dicts and sets are such objects,
    too; otherwise they agree by their contents alone. Attributes whose names `omits` accepts need not agree.
    """
    return _Pairing(by_identity, omits, {}, {}, []).holds([(left, right)])


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
                pairs = _inner_pairs(left, right, self._omits)
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
                self._by_identity, self._omits, dict(self._partners), dict(self._partnered), self._made_pairs
            )
            if attempt.holds([*work, (_Unordered(members), _Unordered(candidates)), (first, candidate)]):
                return True
        return False


def _inner_pairs(left: Any, right: Any, omits: Omits) -> list[_Pair] | None:
    """Return the pairs that have to agree inside two values of the same type name; None if these cannot agree."""
    if isinstance(left, (set, frozenset)):
        return [(_Unordered(_members(left)), _Unordered(_members(right)))]
    if type(left) in UNTOLD:
        return []
    if isinstance(left, OrderedDict):
        held: list[_Pair] | None = [(list(OrderedDict.items(left)), list(OrderedDict.items(right)))]
    elif isinstance(left, dict):  # not as its class lists them
        held = [(_Unordered(list(dict.items(left))), _Unordered(list(dict.items(right))))]
    elif type(left) is tuple or isinstance(left, list):
        listed_left, listed_right = _members(left), _members(right)
        held = list(zip(listed_left, listed_right, strict=True)) if len(listed_left) == len(listed_right) else None
    else:
        return _inner_of_object(left, right, omits)
    if held is None or type(left) in (tuple, list, dict):
        return held
    own_left, own_right = _compared_attributes(left, omits), _compared_attributes(right, omits)
    if own_left.keys() != own_right.keys():
        return None
    return held + [(own_left[name], own_right[name]) for name in own_left]


def _members(value: Any) -> list[Any]:
    """Return what a set, list or tuple holds, whatever the methods of its class say."""
    base: Any = next(base for base in (set, frozenset, list, tuple) if isinstance(value, base))
    return list(base.__iter__(value))


def _inner_of_object(left: Any, right: Any, omits: Omits) -> list[_Pair] | None:
    inner_left, inner_right = _compared_attributes(left, omits), _compared_attributes(right, omits)
    if inner_left.keys() != inner_right.keys():
        return None
    pairs = [(inner_left[name], inner_right[name]) for name in inner_left]
    if isinstance(left, _VALUES) or not (attributes(left) or looked_up(left, "__dict__")):
        pairs.append((reduction(left), reduction(right)))
    return pairs


def _compared_attributes(value: Any, omits: Omits) -> dict[str, Any]:
    return {name: held for name, held in attributes(value).items() if not omits(name)}


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


def reduction(value: Any) -> Any:
    """Return the five parts of which pickle makes a value such as `1j` or a deque; of a function, only its type."""
    try:
        reduced = value.__reduce_ex__(2)
    except (TypeError, ValueError):
        return type(value)
    if isinstance(reduced, str):
        return type(value)
    constructor, arguments, *optional_parts = reduced
    state, items, pairs = [*optional_parts, None, None, None][:3]
    return constructor, arguments, state, items and list(items), pairs and list(pairs)
