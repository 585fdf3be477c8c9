"""Finds the observers of a class in its public API: attributes, calls without arguments, and calls with one value."""

from __future__ import annotations

import inspect
import operator
from collections.abc import Callable, ItemsView, Iterator, KeysView, ValuesView
from dataclasses import dataclass, field
from types import FunctionType, MemberDescriptorType
from typing import Any

from harness.kernel.objects.reading import held_dict, held_fields

_CONTAINERS = (list, dict, set, tuple, frozenset)


@dataclass(frozen=True)
class Observer:
    """An expression about an object, and what it gives; two are equal where their expressions are.

    Attributes:
        template: the expression, with `{object}`, and `{value}` where it asks about a value.
        read: called with the object, and with the value where it asks about one.
        last: whether it is told only where nothing else tells the same.
        always: whether it is told even where it is the same in all tests, as a part of a call's result.
    """

    template: str
    read: Callable[..., Any] = field(compare=False)
    last: bool = field(default=False, compare=False)
    always: bool = field(default=False, compare=False)

    @property
    def takes_value(self) -> bool:
        """Whether it is a question about a value."""
        return "{value}" in self.template


ITEMS = Observer("list({object})", list)
"""The items of an iteration."""

PAIRS = Observer("list({object}.items())", lambda held: list(held.items()))
"""The observer of the pairs of a map."""


def observers_of(held: Any, module: str) -> list[Observer]:
    """Return the observers of an object that need no knowledge of its implementation; none for a foreign class.

    It is not known yet whether an observer changes the object.

    Args:
        module: the name of the module whose classes count as its own.
    """
    cls = type(held)
    if cls in _CONTAINERS:
        return [Observer("{object}", lambda one: one)]
    if cls.__module__ != module:
        return []
    observers = _as_container(held, cls, module)
    observers += [Observer(f"{{object}}.{name}", operator.attrgetter(name)) for name in _attributes(held, cls, module)]
    methods = {name: _most_and_least(method) for name, method in _methods(cls, module).items()}
    for name, (least, _) in methods.items():
        if least == 0:
            observers += [Observer(f"{{object}}.{name}()", operator.methodcaller(name)), _items(name)]
    observers += [
        Observer(f"{{object}}.{name}({{value}})", _call_with_value(name))
        for name, (least, most) in methods.items()
        if least <= 1 <= most and least > 0
    ]
    if _own(cls, "__repr__", module):
        observers.append(Observer("repr({object})", repr, last=True))
    return observers


def _as_container(held: Any, cls: type, module: str) -> list[Observer]:
    observers = []
    if isinstance(held, dict):
        observers.append(PAIRS)
    elif isinstance(held, (list, set)) or _own(cls, "__iter__", module):
        observers.append(ITEMS)
    if _own(cls, "__len__", module):
        observers.append(Observer("len({object})", len))
    if _own(cls, "__contains__", module):
        observers.append(Observer("{value} in {object}", operator.contains))
    return observers


def _own(cls: type, name: str, module: str) -> bool:
    """Return whether a class of the module defines the method."""
    return any(name in vars(base) for base in cls.__mro__ if base.__module__ == module)


def _attributes(held: Any, cls: type, module: str) -> list[str]:
    """Return the public names of an object's attributes and of the properties of its class."""
    names = dict.fromkeys(held_dict(held) or {})
    for base in cls.__mro__:
        if base.__module__ == module:
            kinds = (MemberDescriptorType, property)
            names |= dict.fromkeys(name for name, member in vars(base).items() if isinstance(member, kinds))
    names |= dict.fromkeys(held_fields(held) or {})  # slots in classes of other modules as well
    return [name for name in names if isinstance(name, str) and not name.startswith("_")]


def _methods(cls: type, module: str) -> dict[str, FunctionType]:
    """Return the public methods of the object's own classes, by name, in the order of their definition."""
    methods: dict[str, FunctionType] = {}
    for base in reversed(cls.__mro__):
        if base.__module__ == module:
            for name, member in vars(base).items():
                methods.pop(name, None)
                if isinstance(member, FunctionType) and not name.startswith("_"):
                    methods[name] = member
    return methods


def _most_and_least(method: FunctionType) -> tuple[int, float]:
    """Return the least and the greatest number of positional arguments that a method takes, without the object."""
    parameters = list(inspect.signature(method).parameters.values())[1:]
    positional = [one for one in parameters if one.kind in (one.POSITIONAL_ONLY, one.POSITIONAL_OR_KEYWORD)]
    by_name = [one for one in parameters if one.kind is one.KEYWORD_ONLY and one.default is one.empty]
    if by_name or inspect.iscoroutinefunction(method):
        return 99, 99
    return sum(one.default is one.empty for one in positional), len(positional)


def _items(name: str) -> Observer:
    """Return an observer of the items of a method's result; it reads only the class of a result that has none."""
    call = operator.methodcaller(name)

    def read(held: Any) -> Any:
        result = call(held)
        return list(result) if isinstance(result, (Iterator, KeysView, ValuesView, ItemsView)) else result.__class__

    return Observer(f"list({{object}}.{name}())", read)


def _call_with_value(name: str) -> Callable[[Any, Any], Any]:
    def ask(held: Any, value: Any) -> Any:
        return getattr(held, name)(value)

    return ask
