"""Restores objects from `snapshots`, with the classes of another module."""

from __future__ import annotations

import _thread
import sys
import weakref
from collections import OrderedDict, defaultdict, deque
from collections.abc import Callable, Iterator
from contextlib import suppress
from types import MethodType, ModuleType
from typing import Any, cast

from harness.errors import SpecError
from harness.kernel.objects.object_creation import native
from harness.kernel.objects.reading import reader_of
from harness.kernel.specs.tokens import the_token

Node = tuple[Any, ...]
Named = tuple[bool, str, str]

KINDS_OF_CONTAINER: tuple[Any, ...] = (list, deque, bytearray, OrderedDict, dict, set)
"""Containers that can be filled after they are made; a class that derives from two of them counts as the first."""

LOCKS: dict[str, Any] = {"lock": _thread.LockType, "RLock": _thread.RLock}
_FROZEN: dict[str, Any] = {
    base.__name__: base for base in (tuple, frozenset, BaseException, int, float, complex, str, bytes)
}
_OPEN, _DONE = 1, 2
_FACTORY: Any = vars(defaultdict)["default_factory"]


class NotRestorable(Exception):
    """Raised if a state's readable content does not suffice to make it again; says which object it is, and where."""


class RestoredState:
    """The roots of a state that `snapshots` has encoded.

    Every object that can be filled later is made empty first. Then each object is filled, and each immutable one is
    made, when the objects that it refers to are complete, because a hash may read them. In a cycle, objects are filled
    last.
    """

    def __init__(self, module: ModuleType, parts: list[Any], nodes: list[Node]) -> None:
        self._module = module
        self._nodes = nodes
        self._made: dict[int, Any] = {
            number: self._empty(node) for number, node in enumerate(nodes) if node[0] in ("object", "container")
        }
        last: list[int] = []
        for number in self._in_post_order():
            if any(type(part) is int and part not in self._made for part in _parts(nodes[number])):
                last.append(number)
            else:
                self._complete(number)
        self._make([number for number in last if number not in self._made])
        for number in last:
            self._complete(number)
        self.roots = [self._value(part) for part in parts]

    def _make(self, waiting: list[int]) -> None:
        """Make the immutable objects in cycles, each after the objects that it consists of; attributes come later.

        Raises:
            NotRestorable: objects consist of each other.
        """
        while waiting:
            ready = [
                number for number in waiting if all(self._is_there(part) for part in _contents(self._nodes[number]))
            ]
            if not ready:
                raise NotRestorable("things that cannot be changed are made of each other")
            for number in ready:
                self._made[number] = _MAKERS[self._nodes[number][0]](self, self._nodes[number])
            waiting = [number for number in waiting if number not in self._made]

    def _is_there(self, part: Any) -> bool:
        return type(part) is not int or part in self._made

    def _in_post_order(self) -> Iterator[int]:
        """Yield all numbers, each after those that it refers to, as far as there is no cycle."""
        progress: dict[int, int] = {}
        for first in range(len(self._nodes)):
            work = [first]
            while work:
                number = work[-1]
                if number not in progress:
                    progress[number] = _OPEN
                    parts = [part for part in _parts(self._nodes[number]) if type(part) is int]
                    work += [part for part in reversed(parts) if part not in progress]
                    continue
                work.pop()
                if progress[number] == _OPEN:
                    progress[number] = _DONE
                    yield number

    def _value(self, part: Any) -> Any:
        return part[0] if type(part) is tuple else self._made[part]

    def _complete(self, number: int) -> None:
        node = self._nodes[number]
        if number not in self._made:
            self._made[number] = _MAKERS[node[0]](self, node)
        if node[0] in ("object", "container", "frozen"):
            self._fill_attributes(self._made[number], node[-1])
        if node[0] == "container":
            self._fill(self._made[number], node)

    def _empty(self, node: Node) -> Any:
        cls, place = self._found(node[1]), node[-2]
        if place is not None:
            return self._emptied(self._found(place), cls, place[2])
        try:
            if node[0] == "container" and node[2] == "deque":
                queue = deque.__new__(cls)
                deque.__init__(queue, (), node[3][0][0])
                return queue
            return native(cls, "__new__")(cls)
        except (TypeError, SpecError) as error:
            raise NotRestorable(f"an object of class {cls.__qualname__} cannot be made empty ({error})") from None

    @staticmethod
    def _emptied(held: Any, cls: type, name: str) -> Any:
        if type(held) is not cls:
            raise NotRestorable(f"{name} is a {type(held).__qualname__}, not a {cls.__qualname__}")
        for base in KINDS_OF_CONTAINER:
            if issubclass(cls, base):
                base.clear(held)
                break
        for member in slots_of(cls).values():
            with suppress(AttributeError):  # an empty one
                member.__delete__(held)
        if cls.__dictoffset__:
            object.__getattribute__(held, "__dict__").clear()
        return held

    def _fill(self, made: Any, node: Node) -> None:
        base = next(base for base in KINDS_OF_CONTAINER if base.__name__ == node[2])
        values = [self._value(part) for part in (node[3][1:] if base is deque else node[3])]
        if base is bytearray:
            bytearray.extend(made, values[0])
        elif base in (list, deque):
            base.extend(made, values)
        elif base is set:
            set.update(made, values)
        else:
            set_item: Callable[[Any, Any, Any], None] = native(type(made), "__setitem__")
            for key, value in zip(values[::2], values[1::2], strict=True):
                set_item(made, key, value)

    def _fill_attributes(self, made: Any, told: tuple[Any, ...]) -> None:
        if not told:
            return
        fields = dict(zip(told[::2], map(self._value, told[1::2]), strict=True))
        slots = slots_of(type(made))
        for name in [name for name in fields if name in slots]:
            slots[name].__set__(made, fields.pop(name))
        if fields:
            try:
                object.__getattribute__(made, "__dict__").update(fields)
            except AttributeError:
                raise NotRestorable(
                    f"objects of class {type(made).__qualname__} have no attribute {next(iter(fields))!r}"
                ) from None

    # -- what cannot be filled later ------------------------------------------------------------

    def _frozen(self, node: Node) -> Any:
        base, values = _FROZEN[node[2]], [self._value(part) for part in node[3]]
        arguments = [values] if base in (tuple, frozenset) else values
        return native(self._found(node[1]), "__new__")(self._found(node[1]), *arguments)

    def _method(self, node: Node) -> Any:
        owner = self._value(node[1])
        for base in (owner if isinstance(owner, type) else type(owner)).__mro__:
            if node[2] in vars(base):
                held = vars(base)[node[2]]
                return MethodType(getattr(held, "__func__", held), owner)
        raise NotRestorable(f"class {type(owner).__qualname__} has no method {node[2]}")

    def _builtin(self, node: Node) -> Any:
        owner, name = self._value(node[1]), node[2]
        if isinstance(owner, type):
            return getattr(owner, name)
        return native(type(owner), name).__get__(owner, type(owner))

    def _weak(self, node: Node) -> Any:
        kind = weakref.ref if node[1] == weakref.ReferenceType.__name__ else weakref.proxy
        return kind(self._value(node[2]))

    def _reduced(self, node: Node) -> Any:
        instance = self._value(node[1])(*map(self._value, node[2]))
        state = self._value(node[3])
        if state is not None and hasattr(instance, "__setstate__"):
            instance.__setstate__(state)
        elif state is not None:
            object.__getattribute__(instance, "__dict__").update(state)
        return instance

    def _found(self, named: Named) -> Any:
        own, module, name = named
        where = self._module if own else sys.modules.get(module)
        value = found(where, name)
        if value is None:
            raise NotRestorable(f"there is no {module}.{name}")
        return value


_MAKERS: dict[str, Callable[[RestoredState, Node], Any]] = {
    "frozen": RestoredState._frozen,
    "method": RestoredState._method,
    "builtin": RestoredState._builtin,
    "weak": RestoredState._weak,
    "reduced": RestoredState._reduced,
    "token": lambda restored, node: the_token(node[1], node[2]),
    "found": lambda restored, node: restored._found(node[1]),
    "member": lambda restored, node: restored._found(node[1])[node[2]],
    "flag": lambda restored, node: restored._found(node[1])(restored._value(node[2])),
    "module": lambda restored, node: sys.modules[node[1]],
    "lock": lambda restored, node: LOCKS[node[1]]() if node[1] == "RLock" else _thread.allocate_lock(),
}


def _parts(node: Node) -> tuple[Any, ...]:
    """Return the parts of a node, as they are numbered."""
    kind = node[0]
    if kind == "object":
        return cast(tuple[Any, ...], node[-1][1::2])
    if kind in ("frozen", "container"):
        return (*node[3], *node[-1][1::2])
    if kind in ("method", "builtin"):
        return (node[1],)
    if kind in ("weak", "flag"):
        return (node[2],)
    return (node[1], *node[2], node[3]) if kind == "reduced" else ()


def _contents(node: Node) -> tuple[Any, ...]:
    """Return the parts that must exist before a node of an immutable object is made."""
    return cast(tuple[Any, ...], node[3]) if node[0] == "frozen" else _parts(node)


def found(where: Any, dotted: str) -> Any:
    """Return the object with a dotted name below a module; None if there is none."""
    for part in dotted.split("."):
        where = getattr(where, part, None)
    return where


def slots_of(cls: Any) -> dict[str, Any]:
    """Return the slots of a class by attribute name, with the factory of a defaultdict."""
    slots = reader_of(cls).members
    return {**slots, _FACTORY.__name__: _FACTORY} if issubclass(cls, defaultdict) else slots
