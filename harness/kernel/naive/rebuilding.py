"""Rebuilds encoded object graphs with the classes of the module at hand.

A graph may come from a hostile program. No part of it is executed, only classes of the module and a few harmless ones
get instances, and any part that cannot be understood is refused. A class that is unknown here, because a mutant defines
it, becomes an inert object that equals others of the same description.
"""

from __future__ import annotations

import builtins
import collections
import inspect
import struct
import sys
import weakref
from collections import OrderedDict
from collections.abc import Callable
from contextlib import suppress
from enum import Enum
from types import FunctionType, MemberDescriptorType, MethodDescriptorType, ModuleType, WrapperDescriptorType
from typing import Any

from harness.kernel.naive.equality import attributes
from harness.kernel.naive.graphs import CONTAINERS, LOCKS, MOST_NODES, PLAIN, Graph
from harness.kernel.specs.tokens import the_token

_CONTAINERS = {container.__name__: container for container in CONTAINERS}
_PLAIN = {plain.__name__: plain for plain in PLAIN}
_HARMLESS = {
    "builtins": ("bytearray", "range", "slice"),
    "collections": ("Counter", "OrderedDict", "defaultdict", "deque"),
    "decimal": ("Decimal",),
    "fractions": ("Fraction",),
    "threading": ("Condition",),
}
"""Classes of the standard library whose constructors do no harm, whatever their arguments are."""
_BOUND = (FunctionType, MethodDescriptorType, WrapperDescriptorType)
MISSING = object()


class Malformed(ValueError):
    """Raised for data that encodes no graph."""


class Unseen(Malformed):
    """Raised if a mutant must be judged in its own process, because its result cannot be made again here."""


def rebuilt(graph: object, module: ModuleType) -> list[Any]:
    """Return the roots of a graph; classes and functions that it marks as its own are those of `module`.

    Raises:
        Malformed: the data encodes no graph.
    """
    if not isinstance(graph, dict) or graph.keys() != {"roots", "nodes"}:
        raise Malformed("no graph")
    builder = Builder(graph, module)
    return [builder.value(root) for root in builder.roots]


class Builder:
    """A builder of one graph: first makes the immutable values and all empty shells, then fills the shells."""

    def __init__(self, graph: Graph, module: ModuleType) -> None:
        self.roots, self._nodes = _list(graph["roots"]), _list(graph["nodes"])
        if len(self._nodes) > MOST_NODES:
            raise Malformed("too many nodes")
        self._module = module
        self._values: list[Any] = [MISSING] * len(self._nodes)
        self._open: set[int] = set()
        self._inner: dict[int, list[int]] = {}
        self._inert: dict[tuple[str, type], type] = {}

    def value(self, root: Any) -> Any:
        """Return the value of a node, made with everything below it."""
        work, later = [(_number(root, self._nodes), False)], []
        while work:
            number, is_left = work.pop()
            if is_left:
                later += [] if self._finish(number) else [number]
            elif self._values[number] is MISSING and number not in self._open:
                work.append((number, True))
                work += [(inner, False) for inner in reversed(self._enter(number))]
        for number in later:
            if not self._finish(number):
                raise Malformed("a plain value contains itself")
        return self._values[root]

    # -- one node ---------------------------------------------------------------------------------

    def _enter(self, number: int) -> list[int]:
        """Begin with a node. Return the numbers of the nodes inside it, attributes last."""
        self._open.add(number)
        node = self._nodes[number]
        if not isinstance(node, list):
            return [] if isinstance(node, (int, str, type(None))) else _refuse("a plain value of another kind")
        kind, *details = node or _refuse("an empty node")
        inner: list[Any] = []
        if kind in _CONTAINERS:
            cls, names, *inner = _least(details, 2)
            inner += self._fields(names).values()
            if kind in ("list", "dict", "set"):
                self._values[number] = self._shell(number, cls, _CONTAINERS[kind])
        elif kind == "object":
            cls, names = _exactly(details, 2)
            inner += self._fields(names).values()
            self._values[number] = self._shell(number, cls, object)
        elif kind == "plain":
            _, names, plain = _exactly(details, 3)
            inner += [plain, *self._fields(names).values()]
        elif kind == "reduced":
            inner += _exactly(details, 6)[1:]
        elif kind in ("method", "weak"):
            inner += _exactly(details, 2)[1:]
        self._inner[number] = [_number(at, self._nodes) for at in inner]
        return self._inner[number]

    def _finish(self, number: int) -> bool:
        """Make the value of a node, or fill its shell, if everything inside it is there."""
        node = self._nodes[number]
        if not isinstance(node, list):
            self._values[number] = node
            return True
        values = [self._values[at] for at in self._inner[number]]
        if any(value is MISSING for value in values):
            return False
        kind, *details = node
        if kind in _CONTAINERS or kind in ("object", "plain"):
            cls, names = details[0], details[1][::2]
            contents = len(values) - len(names)
            self._fill(number, kind, cls, values[:contents])
            self._set_fields(self._values[number], dict(zip(names, values[contents:], strict=True)))
        elif kind == "reduced":
            self._values[number] = self._reduced(number, details[0], values)
        elif kind == "method":
            self._values[number] = _bound(_text(details[0]), *values)
        elif kind == "weak":
            self._values[number] = _weak(details[0], *values)
        else:
            self._values[number] = self._leaf(kind, details)
        return True

    def _set_fields(self, instance: Any, fields: dict[str, Any]) -> None:
        set_fields(instance, fields)

    def _fill(self, number: int, kind: str, cls: Any, values: list[Any]) -> None:
        shell = self._values[number]
        try:
            if kind == "list":
                list.extend(shell, values)
            elif kind == "set":
                set.update(shell, values)
            elif kind == "dict":
                ordered = isinstance(shell, OrderedDict)
                set_item = OrderedDict.__setitem__ if ordered else dict.__setitem__
                for key, value in zip(values[::2], values[1::2], strict=True):
                    set_item(shell, key, value)
            elif kind != "object":
                (value,) = values if kind == "plain" else [values]
                base = type(value) if kind == "plain" else _CONTAINERS[kind]
                if kind == "plain" and base not in PLAIN:
                    raise Malformed("no plain value")
                self._values[number] = base.__new__(base if cls is None else self._class(cls, base), value)
        except (TypeError, ValueError) as error:  # an unhashable key, a key without a value
            raise Malformed(str(error)) from None

    def _leaf(self, kind: Any, details: list[Any]) -> Any:
        if kind in _PLAIN and kind != "str":
            return _of_hex(kind, *_exactly(details, 1))
        if kind == "token":
            domain, index = _exactly(details, 2)
            return the_token(_text(domain), index) if type(index) is int else _refuse("no token")
        if kind == "class":
            return self._class_named(*_exactly(details, 3))
        if kind == "function":
            (name,) = _exactly(details, 1)
            named_class = self._own(_text(name))
            return named_class if isinstance(named_class, FunctionType) else _inert("function", object, {})
        if kind == "enum":
            cls, name = _exactly(details, 2)
            named_class = self._class(cls, object)
            member = named_class.__members__.get(_text(name)) if issubclass(named_class, Enum) else None
            return _inert(named_class.__qualname__, object, {}) if member is None else member
        if kind == "lock":
            (name,) = _exactly(details, 1)
            return LOCKS[name]() if name in tuple(LOCKS) else _refuse("no lock")
        if kind == "opaque":
            (cls,) = _exactly(details, 1)
            return _inert(self._class(cls, object).__qualname__, object, {})
        return _refuse("a node of no kind")

    def _reduced(self, number: int, cls: int, parts: list[Any]) -> Any:
        named_class = self._class(cls, object)
        _, arguments, _, items, _ = parts
        if named_class.__name__ in _HARMLESS.get(named_class.__module__, ()) and isinstance(arguments, tuple):
            with suppress(Exception):  # inert, then
                instance: Any = named_class(*arguments)
                if items is not None:
                    instance.extend(items)
                return instance
        return _inert(named_class.__qualname__, object, {"__reduce_ex__": lambda self, protocol: tuple(parts)})

    # -- classes ----------------------------------------------------------------------------------

    def _shell(self, number: int, cls: Any, base: type) -> Any:
        if cls is None and base is not object:
            return base()
        shell_class = self._class(cls, base)
        collection_class: Any = vars(collections).get(shell_class.__name__)
        if collection_class is shell_class:  # none of the program's, should it be that module
            return shell_class()
        make: Callable[..., Any] = OrderedDict.__new__ if issubclass(shell_class, OrderedDict) else base.__new__
        if base is object and shell_class.__module__ == self._module.__name__:
            make = shell_class.__new__ if _takes_nothing(shell_class) else make
        try:
            return _emptied(make(shell_class))
        except Exception:  # a class that is not made of nothing
            return self._inert_class(shell_class.__qualname__, base)()

    def _class(self, number: Any, base: type) -> Any:
        """Return the class that a node names, if it may have instances and derives from `base`; else an inert one."""
        node = self._nodes[_number(number, self._nodes)]
        if not isinstance(node, list) or node[:1] != ["class"]:
            raise Malformed("no class")
        named_class = self._class_named(*_exactly(node[1:], 3))
        mine = named_class.__module__ == self._module.__name__ and self._own(named_class.__qualname__) is named_class
        mine = mine or self._is_of_package(named_class)
        harmless = named_class.__name__ in _HARMLESS.get(named_class.__module__, ())
        if (mine or harmless) and issubclass(named_class, base):
            return named_class
        return self._inert_class(named_class.__qualname__, base)

    def _is_of_package(self, named_class: type) -> bool:
        """Return whether a class is one of another module of the package that the module lies in."""
        package, dot, _ = self._module.__name__.partition(".")
        other = named_class.__module__
        return bool(dot) and other.startswith(f"{package}.") and other != self._module.__name__

    def _class_named(self, own: Any, module: Any, name: Any) -> type:
        if type(own) is not bool:
            raise Malformed("no class")
        if own:
            named_class = self._own(_text(name))
        else:
            place = builtins if _text(module) == "builtins" else sys.modules.get(module)
            named_class = vars(place).get(_text(name)) if isinstance(place, ModuleType) else None
        return named_class if isinstance(named_class, type) else self._inert_class(name, object)

    def _own(self, dotted: str) -> Any:
        """Return the class or function of that qualified name in the module; None if there is none."""
        member: Any = self._module
        for part in dotted.split("."):
            if not isinstance(member, (type, ModuleType)):
                return None
            member = vars(member).get(part)
        return member if getattr(member, "__module__", None) == self._module.__name__ else None

    def _inert_class(self, name: str, base: type) -> type:
        key = (name, base)
        if key not in self._inert:
            self._inert[key] = type("Inert", (base,), {"__qualname__": name})
        return self._inert[key]

    # -- parts of nodes ---------------------------------------------------------------------------

    def _fields(self, names: Any) -> dict[str, int]:
        """Return the numbers of attributes' nodes by name."""
        flat = _list(names)
        if len(flat) % 2:
            raise Malformed("an attribute without a value")
        return {_text(name): _number(at, self._nodes) for name, at in zip(flat[::2], flat[1::2], strict=True)}


def _takes_nothing(cls: type) -> bool:
    """Return whether, as far as its signature shows, `__new__` needs the class alone."""
    try:
        inspect.signature(cls.__new__).bind(cls)
    except TypeError:
        return False
    except ValueError:
        pass  # one written in C
    return True


def _emptied(instance: Any) -> Any:
    """Delete the attributes that the program's own `__new__` has set, so that only encoded ones remain."""
    for name in attributes(instance):
        object.__delattr__(instance, name)
    return instance


def set_fields(instance: Any, fields: dict[str, Any]) -> None:
    """Set slots where the class has them, and other attributes in the object's dict."""
    slots = {
        name: member
        for cls in type(instance).__mro__
        if fields and "__slots__" in vars(cls)
        for name, member in vars(cls).items()
        if isinstance(member, MemberDescriptorType)
    }
    for name, value in fields.items():
        if name in slots:
            slots[name].__set__(instance, value)
        elif hasattr(instance, "__dict__"):
            instance.__dict__[name] = value
        else:
            raise Malformed("an attribute that the class has no place for")


def _bound(name: str, owner: Any) -> Any:
    """Return the bound method of that name that the object's classes have, without asking it; else an inert one."""
    method = next((vars(cls)[name] for cls in type(owner).__mro__ if name in vars(cls)), None)
    return method.__get__(owner) if isinstance(method, _BOUND) else _inert("method", object, {})


def _weak(is_proxy: Any, referent: Any) -> Any:
    if type(is_proxy) is not bool:
        raise Malformed("no weak reference")
    try:
        return weakref.proxy(referent) if is_proxy else weakref.ref(referent)
    except TypeError:
        return _inert("weakref", object, {})


def _inert(name: str, base: type, members: dict[str, Any]) -> Any:
    """Make an object without attributes and behaviour whose class has that name."""
    return type("Inert", (base,), {"__slots__": (), "__reduce_ex__": _unreducible, "__qualname__": name} | members)()


def is_inert(instance: Any) -> bool:
    """Return whether an object stands for a class, function or member that the program does not have."""
    return type(instance).__name__ == "Inert"


def _unreducible(self: object, protocol: int) -> str:
    return ""


def _of_hex(kind: str, text: Any) -> Any:
    try:
        if kind == "int":
            return int(_text(text), 16)
        data = bytes.fromhex(_text(text))
        if kind == "bytes":
            return data
        numbers = struct.unpack("<d" if kind == "float" else "<dd", data)
    except (ValueError, struct.error):
        raise Malformed("no number") from None
    return numbers[0] if kind == "float" else complex(*numbers)


def _number(number: Any, nodes: list[Any]) -> int:
    if type(number) is not int or not 0 <= number < len(nodes):
        raise Malformed("a number of no node")
    return number


def _list(value: Any) -> list[Any]:
    if not isinstance(value, list):
        raise Malformed("no list")
    return value


def _text(value: Any) -> str:
    if not isinstance(value, str) or "\0" in value:
        raise Malformed("no text")
    return value


def _exactly(parts: list[Any], count: int) -> list[Any]:
    return parts if len(parts) == count else _refuse("a node of the wrong length")


def _least(parts: list[Any], count: int) -> list[Any]:
    return parts if len(parts) >= count else _refuse("a node of the wrong length")


def _refuse(why: str) -> Any:
    raise Malformed(why)
