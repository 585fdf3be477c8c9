"""Finds observers for the items of a collection that cannot be written as source because it contains objects."""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from typing import Any

from harness.report.written_tests.observers import Observer, observers_of
from harness.report.written_tests.plain import plain_source

FEW = 3
"""The greatest length of a tuple whose items are read one by one."""

_COLLECTIONS = (list, tuple, dict, set, frozenset)
_OF_EACH: Mapping[type, str] = {
    list: "[{asked} for item in {object}]",
    tuple: "[{asked} for item in {object}]",
    set: "{{{asked} for item in {object}}}",
    frozenset: "{{{asked} for item in {object}}}",
    dict: "{{key: {asked} for key, item in {object}.items()}}",
}
"""Templates that read all items of a collection together, by its type; braces are doubled."""


def observers_within(
    held: Any, module: str, is_plain: Callable[[Any], bool], named: Mapping[int, str]
) -> list[Observer]:
    """Return the observers of the items of a list, tuple, dict or set, down to objects of the module's own classes.

    Other values have none. Items of one own class are read together (`[item.title for item in shelf]`), others by their
    place (`pair[1].title`). A plain item is compared with its value, and an object that has a name with that name.
    Items of sets have no place, so if they are of several classes, only their number is read.

    Args:
        module: the name of the module whose classes count as its own.
        is_plain: whether a value can be written as source.
        named: variables of the test, by the identities of their objects.
    """
    kind = type(held)
    if kind not in _COLLECTIONS:
        return _by_place(_fields(held), module, is_plain, named)
    items = list(held.values() if kind is dict else held)
    if (kind is tuple and len(items) <= FEW) or not _are_alike(items, module, named):
        size = Observer("set({object})", set) if kind is dict else Observer("len({object})", len)
        sizes = [] if kind is tuple else [replace(size, always=True)]
        return sizes + _by_place(_places(held), module, is_plain, named)
    return [
        Observer("len({object})", len, last=True),
        *(_of_each(kind, one) for one in _observers_without_value(items[0], module)),
    ]


def nested(outer: Observer, inner: Observer) -> Observer:
    """Return an observer that reads `inner` of the value of `outer`. It is asserted only where it distinguishes
    objects.
    """

    def read(held: Any, *values: Any) -> Any:
        return inner.read(outer.read(held), *values)

    return Observer(inner.template.replace("{object}", outer.template), read, last=inner.last)


def _are_alike(items: list[Any], module: str, named: Mapping[int, str]) -> bool:
    """Return whether all items are objects of one of the module's classes, and none of them has a name."""
    classes = {type(item) for item in items}
    return len(classes) == 1 and _is_own(items[0], module) and not any(id(item) in named for item in items)


def _is_own(item: Any, module: str) -> bool:
    return type(item).__module__ == module


def _observers_without_value(item: Any, module: str) -> list[Observer]:
    """Return the observers of an object that take no value."""
    return [one for one in observers_of(item, module) if not one.takes_value]


def _of_each(kind: type, one: Observer) -> Observer:
    template = _OF_EACH[kind].replace("{asked}", one.template.replace("{object}", "item"))

    def read(held: Any) -> Any:
        if isinstance(held, dict):
            return {key: one.read(item) for key, item in held.items()}
        values = [one.read(item) for item in held]
        return set(values) if isinstance(held, (set, frozenset)) else values

    return Observer(template, read, last=one.last, always=not one.last)


def _places(held: Any) -> Iterable[tuple[Observer, Any]]:
    """Yield an observer for each item with an index or a plain key, with the item; none for a set."""
    if isinstance(held, dict):
        for key, item in held.items():
            if plain_source(key, {}) is not None:
                yield _item(key), item
    elif isinstance(held, (list, tuple)):
        for place, item in enumerate(held):
            yield _item(place), item


def _item(key: Any) -> Observer:
    source = str(plain_source(key, {})).replace("{", "{{").replace("}", "}}")
    return Observer(f"{{object}}[{source}]", operator.itemgetter(key))


def _fields(held: Any) -> Iterable[tuple[Observer, Any]]:
    """Yield an observer for each field of a named tuple, with its value."""
    if isinstance(held, tuple):
        for name in getattr(held, "_fields", ()):
            yield Observer(f"{{object}}.{name}", operator.attrgetter(name)), getattr(held, name)


def _by_place(
    items: Iterable[tuple[Observer, Any]], module: str, is_plain: Callable[[Any], bool], named: Mapping[int, str]
) -> list[Observer]:
    observers: list[Observer] = []
    for place, item in items:
        if is_plain(item):
            observers.append(replace(place, always=True))
        elif id(item) in named:
            observers.append(_same(place, item, named[id(item)]))
        else:
            inner = observers_within(item, module, is_plain, named)
            if _is_own(item, module):
                inner = [*observers_of(item, module), *inner]
            observers += [replace(nested(place, one), always=not (one.takes_value or one.last)) for one in inner]
    return observers


def _same(place: Observer, item: Any, name: str) -> Observer:
    return Observer(f"{place.template} is {name}", lambda held: place.read(held) is item, always=True)
