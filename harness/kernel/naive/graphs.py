"""Encodes object graphs, such as inputs and post-states, as plain data for a process with other classes.

A graph is a list of nodes with the numbers of its roots. A node is a plain value as JSON has it, or a list that starts
with its kind; all else in it are names and numbers of nodes.

    ["int" | "float" | "complex" | "bytes", HEX]   what JSON cannot say
    ["token", DOMAIN, INDEX]
    ["class", OWN, MODULE, NAME]                   OWN: of the module under test, wherever it is told
    ["function", NAME]                             a function of the module under test
    ["enum", CLASS, NAME]
    ["list" | "tuple" | "set" | "frozenset" | "dict", CLASS or null, [NAME, NODE, ...], NODE, ...]
    ["plain", CLASS, [NAME, NODE, ...], NODE]      of a subclass of int, str...; NODE: the value without its class
    ["object", CLASS, [NAME, NODE, ...]]
    ["reduced", CLASS, NODE, NODE, NODE, NODE, NODE]   pickle's parts: constructor, arguments, state, items, pairs
    ["method", NAME, NODE]                         bound to NODE, in whose classes it has that name
    ["weak", PROXY, NODE]                          a weak reference to NODE, or a proxy of it
    ["lock", NAME]                                 one that nobody holds
    ["opaque", CLASS]                              nothing is known but its class

An object that occurs again has its number again. No function here is recursive, and no length is too long.
"""

from __future__ import annotations

import struct
import threading
import weakref
from collections import OrderedDict, defaultdict, deque
from collections.abc import Callable, Sequence
from enum import Enum
from types import BuiltinFunctionType, FunctionType, MethodType, MethodWrapperType, ModuleType
from typing import Any

from harness.kernel.naive.equality import attributes, looked_up, reduction
from harness.kernel.naive.places import Places
from harness.kernel.specs.tokens import Token

Graph = dict[str, list[Any]]

CONTAINERS: tuple[type, ...] = (list, tuple, dict, set, frozenset)
_PLAIN_ITERATION: dict[type, Any] = {container: vars(container)["__iter__"] for container in CONTAINERS}
PLAIN: tuple[type, ...] = (int, float, complex, str, bytes)
METHODS: tuple[type, ...] = (MethodType, BuiltinFunctionType, MethodWrapperType)
PROXIES: tuple[type, ...] = (weakref.ProxyType, weakref.CallableProxyType)
LOCKS: dict[str, Callable[[], Any]] = {"lock": threading.Lock, "RLock": threading.RLock}
_NAMES_OF_LOCKS = {type(make()): name for name, make in LOCKS.items()}
_PLACED = ("list", "set", "dict", "object")
_OF_A_PLACE = (ModuleType, MethodType, BuiltinFunctionType)
_REFILLED = (object, deque, bytearray)
"""Kinds of nodes, and types, of objects whose contents are set after they are made."""
MOST_NODES = 1 << 21
_LARGEST = 1 << 62


class GraphTooLarge(Exception):
    """Raised for a graph that has more than MOST_NODES nodes."""


def graph_of(roots: Sequence[Any], module: str) -> Graph:
    """Encode the graph below `roots`; classes and functions of the module named `module` are marked as its own.

    Raises:
        GraphTooLarge: it has too many nodes.
    """
    return _Teller(module).graph(roots)


def graph_with_places(roots: Sequence[Any], module: ModuleType) -> Graph:
    """Encode like `graph_of`, with `places` as well: `[node, own, module, name]` for each object with a place in the
    program.

    A module becomes `["module", NAME]`, a bound function `["bound", NODE, NAME]`, the factory of a defaultdict an
    attribute.

    Raises:
        GraphTooLarge: it has too many nodes.
    """
    teller = _Teller(module.__name__, Places(module))
    return teller.graph(roots) | {"places": teller.places}


class _Teller:
    """An encoder of one graph."""

    def __init__(self, module: str, places: Places | None = None) -> None:
        self._module = module
        self._places = places
        self.places: list[list[Any]] = []
        self._nodes: list[Any] = []
        self._atoms: dict[tuple[type, Any], int] = {}
        self._numbers: dict[int, int] = {}
        self._kept_values: list[Any] = []  # lest an id is used twice
        self._left: list[tuple[int, Any]] = []

    def graph(self, roots: Sequence[Any]) -> Graph:
        numbers = [self._number(root) for root in roots]
        while self._left:
            number, value = self._left.pop()
            self._nodes[number] = node = self._node(value)
            has_place = node[0] in _PLACED or type(value) in _REFILLED
            place = self._places.of(value) if self._places and has_place else None
            if place is not None:
                self.places.append([number, *place])
        return {"roots": numbers, "nodes": self._nodes}

    def _number(self, value: Any) -> int:
        """Return the number of the value's node; if there is none yet, reserve it and encode it later."""
        kind = type(value)
        if kind in (type(None), bool, str) or (kind is int and -_LARGEST < value < _LARGEST):
            number = self._atoms.setdefault((kind, value), len(self._nodes))
            if number == len(self._nodes):
                self._nodes.append(value)
            return number
        number = self._numbers.setdefault(id(value), len(self._nodes))
        if number == len(self._nodes):
            if number >= MOST_NODES:
                raise GraphTooLarge
            self._kept_values.append(value)
            self._nodes.append(None)
            self._left.append((number, value))
        return number

    def _node(self, value: Any) -> list[Any]:  # noqa: C901 (a case for each kind of value)
        kind = type(value)
        if self._places is not None and kind in _OF_A_PLACE:
            return self._of_a_place(value)
        if kind in PLAIN:
            return [kind.__name__, _hex(value)]
        if issubclass(kind, Token):
            return ["token", value.domain, value.index]
        if issubclass(kind, type):
            return ["class", value.__module__ == self._module, str(value.__module__), value.__qualname__]
        if kind is FunctionType and value.__module__ == self._module:
            return ["function", value.__qualname__]
        if issubclass(kind, Enum):
            return ["enum", self._number(kind), value.name]
        if kind in METHODS and value.__self__ is not None and not isinstance(value.__self__, ModuleType):
            return ["method", value.__name__, self._number(value.__self__)]
        if kind in PROXIES or kind is weakref.ref:
            return self._weak(value, kind)
        if kind in _NAMES_OF_LOCKS and not _is_held(value):
            return ["lock", _NAMES_OF_LOCKS[kind]]
        for container in CONTAINERS:
            if issubclass(kind, container):
                return self._container(value, container)
        if issubclass(kind, PLAIN):
            return ["plain", self._number(kind), self._attributes(value), self._number(_without_class(value))]
        return self._object(value)

    def _of_a_place(self, value: Any) -> list[Any]:
        """Encode a module, or a function that is bound to an object or a module."""
        if isinstance(value, ModuleType):
            return ["module", value.__name__]
        return ["bound", self._number(value.__self__), value.__name__]

    def _container(self, value: Any, container: type) -> list[Any]:
        exact = type(value) is container
        if issubclass(container, dict):
            items = OrderedDict.items if isinstance(value, OrderedDict) else dict.items  # else not in its own order
            members = [part for item in items(value) for part in item]
        else:
            members = list(_PLAIN_ITERATION[container](value))
        own = [] if exact else self._attributes(value)
        return [container.__name__, None if exact else self._number(type(value)), own, *map(self._number, members)]

    def _weak(self, value: Any, kind: type) -> list[Any]:
        try:
            # A proxy forwards all attributes: its target has this method bound to itself.
            target = value.__reduce_ex__.__self__ if kind in PROXIES else value()
        except ReferenceError:
            target = None
        if target is None:
            return ["opaque", self._number(kind)]
        return ["weak", kind in PROXIES, self._number(target)]

    def _object(self, value: Any) -> list[Any]:
        cls = self._number(type(value))
        fields = self._attributes(value)
        if fields or looked_up(value, "__dict__") or type(value).__module__ == self._module:
            return ["object", cls, fields]
        parts = reduction(value)
        if isinstance(parts, type):
            return ["opaque", cls]
        return ["reduced", cls, *map(self._number, parts)]

    def _attributes(self, value: Any) -> list[Any]:
        content_by_name = attributes(value)
        if self._places is not None and isinstance(value, defaultdict):
            content_by_name["default_factory"] = value.default_factory
        return [part for name, content in content_by_name.items() for part in (name, self._number(content))]


def _is_held(lock: Any) -> bool:
    """Return whether a lock is held: an RLock, by this thread."""
    return bool(lock.locked() if hasattr(lock, "locked") else lock._is_owned())


def _hex(value: Any) -> str:
    if type(value) is int:
        return f"{value:x}"
    if type(value) is float:
        return struct.pack("<d", value).hex()
    if type(value) is complex:
        return struct.pack("<dd", value.real, value.imag).hex()
    plain: bytes = value
    return plain.hex()


def _without_class(value: Any) -> Any:
    """Return the plain value of an instance of a subclass."""
    if isinstance(value, int):
        return int.__pos__(value)
    if isinstance(value, float):
        return float.__pos__(value)
    if isinstance(value, complex):
        return complex.__pos__(value)
    return str.__getitem__(value, slice(None)) if isinstance(value, str) else bytes.__getitem__(value, slice(None))
