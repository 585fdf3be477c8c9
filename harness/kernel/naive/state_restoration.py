"""Restores a state of the original in a program: the input of a sequence's last call, sent by the judge and trusted.

Objects are made without the program's own methods. An object with a place in the program is the one that stands there,
emptied and filled again. A program that cannot have the state is killed.
"""

from __future__ import annotations

import sys
from collections import defaultdict, deque
from types import FunctionType, ModuleType
from typing import Any

from harness.kernel.naive.graphs import Graph
from harness.kernel.naive.places import Place, emptied, standing_at
from harness.kernel.naive.rebuilding import MISSING, Builder, Malformed, is_inert


def objects_of_graph(graph: Graph, module: ModuleType) -> list[Any]:
    """Return the roots of a graph that `graph_with_places` has encoded, made of the classes of `module`.

    Runs `__hash__` and `__eq__` of the program, which may raise.

    Raises:
        Malformed: the program lacks a class or an object of the state, or has an object there that cannot hold the
            state.
    """
    builder = _Putting(graph, module)
    return [builder.value(root) for root in builder.roots]


class _Putting(Builder):
    """A builder of one state."""

    def __init__(self, graph: Graph, module: ModuleType) -> None:
        super().__init__(graph, module)
        self._places: dict[int, Place] = {number: (own, name, dotted) for number, own, name, dotted in graph["places"]}

    def _shell(self, number: int, cls: Any, base: type) -> Any:
        shell_class = base if cls is None else self._class(cls, base)
        if number in self._places:
            return self._standing(number, shell_class)
        try:
            return _new_of_c(shell_class)(shell_class)
        except TypeError as error:
            raise Malformed(str(error)) from None

    def _standing(self, number: int, cls: type) -> Any:
        """Return the program's own object at the place of a node, emptied."""
        try:
            held = standing_at(self._places[number], self._module)
        except LookupError as error:
            raise Malformed(str(error)) from None
        if type(held) is not cls:
            raise Malformed("another kind of object stands where one of the state is")
        return emptied(held)

    def _reduced(self, number: int, cls: int, parts: list[Any]) -> Any:
        if number not in self._places:
            return super()._reduced(number, cls, parts)
        held = self._standing(number, self._class(cls, object))
        _, arguments, _, items, _ = parts
        if type(held) is not object:
            held.extend(items if isinstance(held, deque) else bytearray(*arguments))
        return held

    def _enter(self, number: int) -> list[int]:
        inner = super()._enter(number)
        node = self._nodes[number]
        if isinstance(node, list) and node[0] == "bound":
            inner.append(node[1])
        return inner

    def _finish(self, number: int) -> bool:
        node = self._nodes[number]
        if not isinstance(node, list) or node[0] != "bound":
            return super()._finish(number)
        if self._values[node[1]] is MISSING:
            return False
        self._values[number] = _bound(self._values[node[1]], node[2])
        return True

    def _set_fields(self, instance: Any, fields: dict[str, Any]) -> None:
        if isinstance(instance, defaultdict):
            instance.default_factory = fields.pop("default_factory")
        super()._set_fields(instance, fields)

    def _leaf(self, kind: Any, details: list[Any]) -> Any:
        if kind == "module":
            return sys.modules[details[0]]
        leaf = super()._leaf(kind, details)
        if kind in ("enum", "function") and is_inert(leaf):
            raise Malformed(f"there is no such {kind}")
        return leaf

    def _class(self, number: Any, base: type) -> Any:
        own, module, name = self._nodes[number][1:]
        named_class = self._class_named(own, module, name)
        if issubclass(named_class, base):
            return named_class
        if own:
            raise Malformed(f"class {name} does not derive from {base.__name__}")
        return self._inert_class(name, base)

    def _class_named(self, own: Any, module: Any, name: Any) -> type:
        where: Any = self._module if own else sys.modules.get(module)
        for part in name.split("."):
            where = getattr(where, part, None)
        if isinstance(where, type):
            return where
        if own:
            raise Malformed(f"there is no class {name}")
        return self._inert_class(name, object)


def _bound(owner: Any, name: str) -> Any:
    """Return the function of that name, bound to an object past its own attributes, or of a module or class."""
    if isinstance(owner, (type, ModuleType)):
        function = getattr(owner, name, None)
    else:
        held = next((vars(base)[name] for base in type(owner).__mro__ if name in vars(base)), None)
        function = None if held is None else held.__get__(owner, type(owner))
    if function is None:
        raise Malformed(f"there is no function {name}")
    return function


def _new_of_c(cls: type) -> Any:
    """Return the `__new__` that a class inherits from the first base that does not define one in Python."""
    makers = (vars(base).get("__new__") for base in cls.__mro__)
    return next(make for make in makers if make is not None and not isinstance(_plain(make), FunctionType))


def _plain(make: Any) -> Any:
    return make.__func__ if isinstance(make, staticmethod) else make
