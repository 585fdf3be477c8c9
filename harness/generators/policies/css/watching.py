"""What a watched program calls, and what that tells of its fields, elements and containers."""

from __future__ import annotations

from collections import deque
from types import CellType, ModuleType
from typing import Any

from harness.generators.policies.css.accesses import Accesses
from harness.generators.policies.css.kinds import Kind, behind, held_below, kind_of
from harness.generators.policies.css.references import Reference, is_a, resolved, same
from harness.generators.policies.css.telling import CONSUMED, GIVEN_AWAY, IN_PLACE, IS_A, LOAD, NUMBER, OWNER, PASSED
from harness.generators.symbolic.arrays import ARRAY, Access, array, place_of
from harness.generators.symbolic.identity import SAME
from harness.generators.symbolic.values import concrete, isinstance_of
from harness.kernel.judging.canon import ATOMS

_WRITING = frozenset({"append", "appendleft", "add", "extend", "extendleft", "clear"})
"""Methods of containers that change them and tell nothing of what they held."""
_CHANGING = frozenset(
    {"insert", "remove", "pop", "popleft", "popitem", "sort", "reverse", "rotate", "discard", "update", "setdefault"}
    | {"difference_update", "intersection_update", "symmetric_difference_update", "move_to_end"}
    | {"__setitem__", "__delitem__", "__iadd__", "__ior__"}
)


class _Owner:
    """An object that is about to be accessed by the name of a field, in the way that cannot be told before."""

    __slots__ = ("_owner", "_watch")

    def __init__(self, owner: Any, watch: Watch) -> None:
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


class _InPlace:
    """The owner of a field or element that is about to be changed in place, where it is a container."""

    __slots__ = ("_owner", "_watch")

    def __init__(self, owner: Any, watch: Watch) -> None:
        object.__setattr__(self, "_owner", owner)
        object.__setattr__(self, "_watch", watch)

    def __getattribute__(self, name: str) -> Any:
        found = getattr(object.__getattribute__(self, "_owner"), name)
        return object.__getattribute__(self, "_watch").passed(found)

    def __setattr__(self, name: str, value: Any) -> None:
        setattr(object.__getattribute__(self, "_owner"), name, value)

    def __getitem__(self, key: Any) -> Any:
        return object.__getattribute__(self, "_watch").passed(object.__getattribute__(self, "_owner")[key])

    def __setitem__(self, key: Any, value: Any) -> None:
        object.__getattribute__(self, "_owner")[key] = value


class _Elements(Access):
    """A list that is about to be accessed."""

    __slots__ = ("_watch",)

    def __init__(self, items: Any, watch: Watch) -> None:
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

    def __init__(self, items: Any, watch: Watch) -> None:
        self._items = items
        self._watch = watch

    def __getitem__(self, key: Any) -> Any:
        self._watch.accesses.use_all(self._items)
        count = len(self._items)
        found = self._items[key]
        if len(self._items) != count:  # a defaultdict puts in what it is asked for
            self._watch.accesses.change(self._items)
        return found

    def __setitem__(self, key: Any, value: Any) -> None:
        self._watch.accesses.change(self._items)
        self._watch.see(value)
        self._items[key] = value

    def __delitem__(self, key: Any) -> None:
        self._watch.accesses.use_all(self._items)
        self._watch.accesses.change(self._items)
        del self._items[key]


class Watch:
    """What a watched program calls; `accesses` are those of the execution that is going on."""

    def __init__(self) -> None:
        self.accesses = Accesses()
        self._kinds: dict[type, Kind] = {}

    def presets(self) -> dict[str, object]:
        """The names that the text of a watched program refers to besides those of a decidable one."""
        return {
            ARRAY: self.array,
            LOAD: self.load,
            OWNER: self.owner,
            IN_PLACE: self.in_place,
            CONSUMED: self.consumed,
            PASSED: self.passed,
            GIVEN_AWAY: self.given_away,
            SAME: same,
            IS_A: is_a,
            NUMBER: number_of,
        }

    def array(self, owner: Any) -> Any:
        """What an access by index or key is made on."""
        owner = resolved(owner)
        kind = type(owner)
        if kind is list:
            return _Elements(owner, self)
        told = self._kind(kind)
        if told.is_container:
            return _Keys(owner, self)
        if told.is_foreign:
            self.given_away(owner)
        return array(owner)

    def load(self, owner: Any, name: str) -> Any:
        """A field or method of an object."""
        owner = resolved(owner)
        kind = type(owner)
        if name in self._kind(kind).kept_once and name not in object.__getattribute__(owner, "__dict__"):
            self.accesses.define(owner, name)
        found = getattr(owner, name)
        if kind is super:
            owner, kind = owner.__self__, type(owner.__self__)
        told = self._kind(kind)
        if told.is_container and not hasattr(found, "__code__"):
            self._called(owner, name)
        if name == "__dict__" or told.is_hidden:
            self.given_away(owner)
        elif not (kind in ATOMS or kind in (list, dict, set, deque) or isinstance_of(owner) or kind is ModuleType):
            self.accesses.use(owner, name)
            self._work_on(behind(found), owner)
        return found

    def _work_on(self, held: list[Any], owner: Any) -> None:
        """What a function of an object's field works on, which may be called anywhere."""
        for one in held:
            kind = self._kind(type(one))
            if one is not owner and (kind.is_container or kind.is_hidden or type(one) is CellType):
                self.given_away(one)

    def _called(self, container: Any, name: str) -> None:
        """A method of a container is about to be called, one that Python has."""
        if name not in _WRITING:
            self.accesses.use_all(container)
        if name in _WRITING or name in _CHANGING:
            self.accesses.change(container)

    def owner(self, owner: Any) -> Any:
        """What an access by name is made on."""
        owner = resolved(owner)
        return owner if type(owner) is super or isinstance_of(owner) else _Owner(owner, self)

    def in_place(self, owner: Any) -> Any:
        """What `owner.name += value` or `owner[key] += value` is made on."""
        return owner if isinstance_of(owner) else _InPlace(owner, self)

    def consumed(self, value: Any) -> Any:
        """A value that is looked at as a whole, with all containers within it."""
        value = resolved(value)
        if _is_plain(value):
            return value
        if self._kind(type(value)).is_hidden:
            self.given_away(value)
        for held in held_below(value):
            self.accesses.use_all(held)
        return value

    def passed(self, value: Any) -> Any:
        """A value that a function is given which may change what a container holds."""
        if type(value) is Reference:
            return value
        kind = self._kind(type(value))
        if kind.is_container or kind.is_hidden:
            self.given_away(value)
        else:
            self.see(value)
        return value

    def see(self, value: Any) -> None:
        """A value that is kept, passed on or returned: if it is an object that is new, the call has made it."""
        if not (_is_plain(value) or type(value) is Reference):
            self.accesses.see(value)

    def given_away(self, value: Any) -> Any:
        """A value that a function is given which may read and write fields unseen."""
        value = resolved(value)
        if not (_is_plain(value) or isinstance(value, type)):
            self._meddle(value)
            for held in held_below(value):
                if held is not value:
                    self._meddle(held)
        return value

    def _meddle(self, value: Any) -> None:
        """A value is read and written, it is not known where."""
        self.accesses.use_all(value)
        self.accesses.change(value)

    def _kind(self, cls: type) -> Kind:
        found = self._kinds.get(cls)
        if found is None:
            found = self._kinds[cls] = kind_of(cls)
        return found


def _is_plain(value: Any) -> bool:
    """Whether a value has no places of its own."""
    return type(value) in ATOMS or isinstance_of(value)


def number_of(value: Any, reason: str) -> Any:
    """A value that Python takes for a number."""
    return concrete(value, reason) if isinstance_of(value) else value
