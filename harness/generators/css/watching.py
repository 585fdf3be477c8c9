"""What a watched program calls, and what that tells of its fields, elements and containers."""

from __future__ import annotations

from collections import deque
from types import ModuleType
from typing import Any

from harness.generators.css.accesses import Accesses
from harness.generators.css.references import is_a, resolved, same
from harness.generators.css.telling import CONSUMED, GIVEN_AWAY, IS_A, LOAD, OWNER, PASSED, SAME
from harness.generators.symbolic.arrays import ARRAY, Access, array, place_of
from harness.generators.symbolic.values import isinstance_of
from harness.kernel.judging.canon import ATOMS

_CONTAINERS = frozenset({list, dict, set, deque})
_WRITING = frozenset({"append", "appendleft", "add", "extend", "extendleft", "clear"})
"""Methods of containers that change them and tell nothing of what they held."""
_CHANGING = frozenset(
    {"insert", "remove", "pop", "popleft", "popitem", "sort", "reverse", "rotate", "discard", "update", "setdefault"}
    | {"difference_update", "intersection_update", "symmetric_difference_update", "move_to_end"}
    | {"__setitem__", "__delitem__", "__iadd__", "__ior__"}
)


class _Owner:
    """An object that is about to be accessed by the name of a field, in the way that cannot be told before."""

    __slots__ = ("_accesses", "_owner")

    def __init__(self, owner: Any, accesses: Accesses) -> None:
        object.__setattr__(self, "_owner", owner)
        object.__setattr__(self, "_accesses", accesses)

    def __getattribute__(self, name: str) -> Any:
        owner = object.__getattribute__(self, "_owner")
        object.__getattribute__(self, "_accesses").use(owner, name)
        return getattr(owner, name)

    def __setattr__(self, name: str, value: Any) -> None:
        object.__getattribute__(self, "_accesses").define(object.__getattribute__(self, "_owner"), name)
        setattr(object.__getattribute__(self, "_owner"), name, value)

    def __delattr__(self, name: str) -> None:
        object.__getattribute__(self, "_accesses").define(object.__getattribute__(self, "_owner"), name)
        delattr(object.__getattribute__(self, "_owner"), name)


class _Elements(Access):
    """A list that is about to be accessed."""

    __slots__ = ("_accesses",)

    def __init__(self, items: Any, accesses: Accesses) -> None:
        super().__init__(items)
        self._accesses = accesses

    def __getitem__(self, index: Any) -> Any:
        index = self._resolved(index)
        if type(index) is int:
            self._accesses.use(self._items, self._counted(index))
        else:
            self._accesses.use_all(self._items)
        return self._items[index]

    def __setitem__(self, index: Any, value: Any) -> None:
        index = self._resolved(index)
        if type(index) is int:
            self._accesses.define(self._items, self._counted(index))
        else:
            self._accesses.use_all(self._items)
            self._accesses.change(self._items)
        self._items[index] = value

    def __delitem__(self, index: Any) -> None:
        self._accesses.use_all(self._items)
        self._accesses.change(self._items)
        del self._items[self._resolved(index)]

    def _resolved(self, index: Any) -> Any:
        return place_of(self._items, index) if isinstance_of(index) else index

    def _counted(self, index: int) -> int:
        return index if index >= 0 else index + len(self._items)


class _Keys:
    """A dict or deque that is about to be accessed."""

    __slots__ = ("_accesses", "_items")

    def __init__(self, items: Any, accesses: Accesses) -> None:
        self._items = items
        self._accesses = accesses

    def __getitem__(self, key: Any) -> Any:
        self._accesses.use_all(self._items)
        return self._items[key]

    def __setitem__(self, key: Any, value: Any) -> None:
        self._accesses.change(self._items)
        self._items[key] = value

    def __delitem__(self, key: Any) -> None:
        self._accesses.use_all(self._items)
        self._accesses.change(self._items)
        del self._items[key]


class Watch:
    """What a watched program calls; `accesses` are those of the execution that is going on."""

    def __init__(self) -> None:
        self.accesses = Accesses()

    def presets(self) -> dict[str, object]:
        """The names that the text of a watched program refers to, but that of steps."""
        return {
            ARRAY: self.array,
            LOAD: self.load,
            OWNER: self.owner,
            CONSUMED: self.consumed,
            PASSED: self.passed,
            GIVEN_AWAY: self.given_away,
            SAME: same,
            IS_A: is_a,
        }

    def array(self, owner: Any) -> Any:
        """What an access by index or key is made on."""
        owner = resolved(owner)
        kind = type(owner)
        if kind is list:
            return _Elements(owner, self.accesses)
        return _Keys(owner, self.accesses) if kind in _CONTAINERS else array(owner)

    def load(self, owner: Any, name: str) -> Any:
        """A field or method of an object."""
        owner = resolved(owner)
        kind = type(owner)
        if kind in _CONTAINERS:
            if name not in _WRITING:
                self.accesses.use_all(owner)
            if name in _WRITING or name in _CHANGING:
                self.accesses.change(owner)
        elif name == "__dict__":
            self.given_away(owner)
        elif not (kind in ATOMS or isinstance_of(owner) or kind is ModuleType or kind is super):
            self.accesses.use(owner, name)
        return getattr(owner, name)

    def owner(self, owner: Any) -> Any:
        """What an access by name is made on."""
        owner = resolved(owner)
        return owner if type(owner) is super or isinstance_of(owner) else _Owner(owner, self.accesses)

    def consumed(self, value: Any) -> Any:
        """A value that is looked at as a whole."""
        value = resolved(value)
        if type(value) in _CONTAINERS:
            self.accesses.use_all(value)
        return value

    def passed(self, value: Any) -> Any:
        """A value that a function is given which may change what a container holds."""
        if type(value) in _CONTAINERS:
            self.accesses.use_all(value)
            self.accesses.change(value)
        return value

    def given_away(self, value: Any) -> Any:
        """A value that a function is given which may read and write fields unseen."""
        value = resolved(value)
        kind = type(value)
        if not (kind in ATOMS or isinstance_of(value) or isinstance(value, type)):
            self.accesses.use_all(value)
            self.accesses.change(value)
        return value
