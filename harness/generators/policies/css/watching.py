"""Functions that a watched program calls to report accesses to its fields, elements and containers, and their record.

jtestcraft2010, section 4.4.1: a call influences a later one if it makes an object that the later call takes. It also
does if it defines a field or an element that the later call uses, unless a call in between has defined it again.
"""

from __future__ import annotations

import sys
from collections import defaultdict, deque
from collections.abc import Hashable, Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property
from types import BuiltinFunctionType, CellType, FunctionType, MethodType, MethodWrapperType, ModuleType
from typing import Any

from harness.generators.policies.css.access_instrumentation import (
    CONSUMED,
    GIVEN_AWAY,
    IN_PLACE,
    IS_A,
    LOAD,
    NUMBER,
    OWNER,
    PASSED,
)
from harness.generators.policies.css.references import ObjectReference, is_a, resolved, same
from harness.generators.symbolic.rewriting import ARRAY, SAME, Access, array, place_of
from harness.generators.symbolic.values import Symbolic, concrete, isinstance_of
from harness.kernel.objects.reading import ATOMS, CONTAINERS, contents, stored_fields
from harness.kernel.program.builtin_effects import METHODS, CallEffects, named

Pair = tuple[int, int]
"""Positions of two calls, the earlier one first."""


class _Places:
    """The calls that defined and used the places of one object: fields by name, elements by index.

    Attributes:
        last: by place, the call that defined it last, and the number of changes of the whole object before.
        changes: the calls that changed an unknown place of the object, in order; earlier definitions may still hold.
        users: the calls that used a place, by place.
        whole_users: the calls that used the whole object.
    """

    __slots__ = ("changes", "last", "users", "whole_users")

    def __init__(self, maker: int) -> None:
        self.last: dict[Hashable, tuple[int, int]] = {}
        self.changes = [maker]
        self.users: defaultdict[Hashable, set[int]] = defaultdict(set)
        self.whole_users: set[int] = set()


class Accesses:
    """The places that the calls of one execution define and use.

    A place of an object is a field or an element. `use` and `define` record one place; `use_all` and `change` record
    unknown places of an object, so a change hides no definition before it. The call that sees an object first counts
    as its maker, which is a change.

    Attributes:
        at: the position of the call that is being executed.
        influences: pairs of an earlier call and a later one that it influenced.
    """

    def __init__(self) -> None:
        self.at = 0
        self.influences: set[Pair] = set()
        self._orders: set[Pair] = set()
        self._objects: dict[int, _Places] = {}
        self._owners: list[object] = []

    def define(self, owner: object, place: Hashable) -> None:
        """Record that the current call writes a place."""
        places = self._places(owner)
        users = places.users.get(place)
        if users or places.whole_users:
            self._order((users or set()) | places.whole_users)
            places.users[place] = set()
        if place in places.last:
            self._order((places.last[place][0],))
        places.last[place] = (self.at, len(places.changes))

    def use(self, owner: object, place: Hashable) -> None:
        """Record that the current call reads a place."""
        places = self._places(owner)
        definer, since = places.last.get(place, (self.at, 0))
        self._influence((definer, *places.changes[since:]))
        places.users[place].add(self.at)

    def change(self, owner: object) -> None:
        """Record that the current call writes unknown places of an object."""
        places = self._places(owner)
        self._order(places.whole_users.union(*places.users.values()))
        self._order(definer for definer, _ in places.last.values())
        self._order(places.changes)
        if places.changes[-1] != self.at:
            places.changes.append(self.at)

    def use_all(self, owner: object) -> None:
        """Record that the current call reads unknown places of an object."""
        places = self._places(owner)
        self._influence((*(definer for definer, _ in places.last.values()), *places.changes))
        places.whole_users.add(self.at)

    def see(self, value: object) -> None:
        """Record the current call as the maker of an object that was not seen before."""
        self._places(value)

    def passed(self, position: int) -> None:
        """Record that the current call takes the result of the call at a position."""
        self._influence((position,))

    def are_ordered(self, earlier: int, later: int) -> bool:
        """Return whether two calls would behave differently in the other order.

        One influenced the other, or defined what the other used or defined before.
        """
        return (earlier, later) in self.influences or (earlier, later) in self._orders

    def lasting(self) -> set[int]:
        """Return the calls with definitions that still hold, which may influence later calls."""
        definers_and_changers: set[int] = set()
        for places in self._objects.values():
            definers_and_changers.update(definer for definer, _ in places.last.values())
            definers_and_changers.update(places.changes)
        return definers_and_changers

    def _places(self, owner: object) -> _Places:
        places = self._objects.get(id(owner))
        if places is None:
            places = self._objects[id(owner)] = _Places(self.at)
            self._owners.append(owner)  # so that no id is used twice
        return places

    def _influence(self, definers: Iterable[int]) -> None:
        self.influences.update((definer, self.at) for definer in definers if definer != self.at)

    def _order(self, earlier_calls: Iterable[int]) -> None:
        self._orders.update((other, self.at) for other in earlier_calls if other != self.at)


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


_WRITING = named(METHODS, CallEffects.RETURNS_NOTHING)
"""Methods of containers that change them without returning anything about their contents."""
_CHANGING = named(METHODS, CallEffects.CHANGES)


class _Owner:
    """An object with a field that is about to be accessed by name, either read, written or deleted."""

    __slots__ = ("_owner", "_watch")

    def __init__(self, owner: Any, watch: WatchedFunctions) -> None:
        object.__setattr__(self, "_owner", owner)
        object.__setattr__(self, "_watch", watch)

    def __getattribute__(self, name: str) -> Any:
        owner = object.__getattribute__(self, "_owner")
        object.__getattribute__(self, "_watch").accesses.use(owner, name)
        return getattr(owner, name)

    def __setattr__(self, name: str, value: Any) -> None:
        watch = object.__getattribute__(self, "_watch")
        watch.accesses.define(object.__getattribute__(self, "_owner"), name)
        watch.see(value)
        setattr(object.__getattribute__(self, "_owner"), name, value)

    def __delattr__(self, name: str) -> None:
        object.__getattribute__(self, "_watch").accesses.define(object.__getattribute__(self, "_owner"), name)
        delattr(object.__getattribute__(self, "_owner"), name)


class _InPlace(_Owner):
    """The owner of a field or element that is about to be changed in place, where it is a container."""

    __slots__ = ()

    def __getattribute__(self, name: str) -> Any:
        value = getattr(object.__getattribute__(self, "_owner"), name)
        return object.__getattribute__(self, "_watch").passed(value)

    def __setattr__(self, name: str, value: Any) -> None:
        setattr(object.__getattribute__(self, "_owner"), name, value)

    def __getitem__(self, key: Any) -> Any:
        return object.__getattribute__(self, "_watch").passed(object.__getattribute__(self, "_owner")[key])

    def __setitem__(self, key: Any, value: Any) -> None:
        object.__getattribute__(self, "_owner")[key] = value


class _Elements(Access):
    """A list that is about to be accessed."""

    __slots__ = ("_watch",)

    def __init__(self, items: Any, watch: WatchedFunctions) -> None:
        super().__init__(items)
        self._watch = watch

    def __getitem__(self, index: Any) -> Any:
        index = self._resolved(index)
        if type(index) is int:
            self._watch.accesses.use(self._items, self._counted(index))
        else:
            self._watch.accesses.use_all(self._items)
        return self._items[index]

    def __setitem__(self, index: Any, value: Any) -> None:
        index = self._resolved(index)
        if type(index) is int:
            self._watch.accesses.define(self._items, self._counted(index))
        else:
            self._watch.accesses.use_all(self._items)
            self._watch.accesses.change(self._items)
        self._watch.see(value)
        self._items[index] = value

    def __delitem__(self, index: Any) -> None:
        self._watch.accesses.use_all(self._items)
        self._watch.accesses.change(self._items)
        del self._items[self._resolved(index)]

    def _resolved(self, index: Any) -> Any:
        return place_of(self._items, index) if isinstance_of(index) else index

    def _counted(self, index: int) -> int:
        return index if index >= 0 else index + len(self._items)


class _Keys:
    """A dict or deque that is about to be accessed."""

    __slots__ = ("_items", "_watch")

    def __init__(self, items: Any, watch: WatchedFunctions) -> None:
        self._items = items
        self._watch = watch

    def __getitem__(self, key: Any) -> Any:
        self._watch.accesses.use_all(self._items)
        count = len(self._items)
        value = self._items[key]
        if len(self._items) != count:  # a defaultdict adds a missing key
            self._watch.accesses.change(self._items)
        return value

    def __setitem__(self, key: Any, value: Any) -> None:
        self._watch.accesses.change(self._items)
        self._watch.see(value)
        self._items[key] = value

    def __delitem__(self, key: Any) -> None:
        self._watch.accesses.use_all(self._items)
        self._watch.accesses.change(self._items)
        del self._items[key]


class WatchedFunctions:
    """The functions that a watched program calls; `accesses` records those of the current execution."""

    def __init__(self) -> None:
        self.accesses = Accesses()
        self._kinds: dict[type, ObjectKind] = {}

    def presets(self) -> dict[str, object]:
        """Return the names that the text of a watched program uses in addition to those of a decidable program."""
        return {
            ARRAY: self.array,
            LOAD: self.load,
            OWNER: self.owner,
            IN_PLACE: self.in_place,
            CONSUMED: self.consumed,
            PASSED: self.passed,
            GIVEN_AWAY: self.hand_over,
            SAME: same,
            IS_A: is_a,
            NUMBER: number_of,
        }

    def array(self, owner: Any) -> Any:
        """Return the object on which an access by index or key is made."""
        owner = resolved(owner)
        kind = type(owner)
        if kind is list:
            return _Elements(owner, self)
        owner_kind = self._kind(kind)
        if owner_kind.is_container:
            return _Keys(owner, self)
        if owner_kind.is_foreign:
            self.hand_over(owner)
        return array(owner)

    def load(self, owner: Any, name: str) -> Any:
        """Return a field or method of an object, and record the access."""
        owner = resolved(owner)
        kind = type(owner)
        if name in self._kind(kind).kept_once and name not in object.__getattribute__(owner, "__dict__"):
            self.accesses.define(owner, name)
        value = getattr(owner, name)
        if kind is super:
            owner, kind = owner.__self__, type(owner.__self__)
        owner_kind = self._kind(kind)
        if owner_kind.is_container and not hasattr(value, "__code__"):
            self._called(owner, name)
        if name == "__dict__" or owner_kind.is_hidden:
            self.hand_over(owner)
        elif not (kind in ATOMS or kind in (list, dict, set, deque) or isinstance_of(owner) or kind is ModuleType):
            self.accesses.use(owner, name)
            self._work_on(behind(value), owner)
        return value

    def _work_on(self, held: list[Any], owner: Any) -> None:
        """Record as given away the values that a field's function works on, since it may be called anywhere."""
        for one in held:
            kind = self._kind(type(one))
            if one is not owner and (kind.is_container or kind.is_hidden or type(one) is CellType):
                self.hand_over(one)

    def _called(self, container: Any, name: str) -> None:
        """Record that a built-in method of a container is about to be called."""
        if name not in _WRITING:
            self.accesses.use_all(container)
        if name in _CHANGING:
            self.accesses.change(container)

    def owner(self, owner: Any) -> Any:
        """Return the object on which an access by name is made."""
        owner = resolved(owner)
        return owner if type(owner) is super or isinstance_of(owner) else _Owner(owner, self)

    def in_place(self, owner: Any) -> Any:
        """Return the object on which `owner.name += value` or `owner[key] += value` is made."""
        return owner if isinstance_of(owner) else _InPlace(owner, self)

    def consumed(self, value: Any) -> Any:
        """Return a value, and record that it is read as a whole, with all containers within it."""
        value = resolved(value)
        if _is_plain(value):
            return value
        if self._kind(type(value)).is_hidden:
            self.hand_over(value)
        for held in held_below(value):
            self.accesses.use_all(held)
        return value

    def passed(self, value: Any) -> Any:
        """Return an argument of a function that may change the contents of containers, and record this."""
        if type(value) is ObjectReference:
            return value
        kind = self._kind(type(value))
        if kind.is_container or kind.is_hidden:
            self.hand_over(value)
        else:
            self.see(value)
        return value

    def see(self, value: Any) -> None:
        """Record a value that is stored, passed on or returned; if the object is new, the current call made it."""
        if not (_is_plain(value) or type(value) is ObjectReference):
            self.accesses.see(value)

    def hand_over(self, value: Any) -> Any:
        """Return an argument of a function that may read and write fields without a report, and record this."""
        value = resolved(value)
        if not (_is_plain(value) or isinstance(value, type)):
            self._meddle(value)
            for held in held_below(value):
                if held is not value:
                    self._meddle(held)
        return value

    def _meddle(self, value: Any) -> None:
        """Record that unknown places of a value are read and written."""
        self.accesses.use_all(value)
        self.accesses.change(value)

    def _kind(self, cls: type) -> ObjectKind:
        kind = self._kinds.get(cls)
        if kind is None:
            kind = self._kinds[cls] = kind_of(cls)
        return kind


def _is_plain(value: Any) -> bool:
    """Return whether a value has no fields or elements."""
    return type(value) in ATOMS or isinstance_of(value)


def number_of(value: Any, reason: str) -> Any:
    """Return a value in a form that Python accepts as a number."""
    return concrete(value, reason) if isinstance_of(value) else value
