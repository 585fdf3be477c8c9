"""What may be asked of the items of a collection that cannot be written whole, as objects are among them."""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from typing import Any

from harness.report.written_tests.observers import Observer, observers_of
from harness.report.written_tests.plain import plain_source

FEW = 3
"""Items of a tuple up to which each is asked by its place."""

_COLLECTIONS = (list, tuple, dict, set, frozenset)
_OF_EACH: Mapping[type, str] = {
    list: "[{asked} for item in {object}]",
    tuple: "[{asked} for item in {object}]",
    set: "{{{asked} for item in {object}}}",
    frozenset: "{{{asked} for item in {object}}}",
    dict: "{{key: {asked} for key, item in {object}.items()}}",
}
"""By the type of a collection, what asks all its items the same; it is a template, so braces are doubled."""


def observers_within(
    held: Any, module: str, is_plain: Callable[[Any], bool], named: Mapping[int, str]
) -> list[Observer]:
    """What tells the items of a list, tuple, dict or set, down to those of the module's own classes; of all else none.

    Items of one own class are asked together (`[item.title for item in shelf]`), others by their place
    (`pair[1].title`): what is plain is told as it is, and an object that has a name is it. Of the items of sets, which
    have no place, only the number is told if they are of several classes.

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
        found = [] if kind is tuple else [replace(size, always=True)]
        return found + _by_place(_places(held), module, is_plain, named)
    return [Observer("len({object})", len, last=True), *(_of_each(kind, one) for one in _told(items[0], module))]


def nested(outer: Observer, inner: Observer) -> Observer:
    """What `inner` asks, asked of what `outer` tells; it is asserted where it says something."""

    def read(held: Any, *asked: Any) -> Any:
        return inner.read(outer.read(held), *asked)

    return Observer(inner.template.replace("{object}", outer.template), read, last=inner.last)


def _are_alike(items: list[Any], module: str, named: Mapping[int, str]) -> bool:
    """Whether all are objects of one of the module's classes, none of them known by a name."""
    classes = {type(item) for item in items}
    return len(classes) == 1 and _is_own(items[0], module) and not any(id(item) in named for item in items)


def _is_own(item: Any, module: str) -> bool:
    return type(item).__module__ == module


def _told(item: Any, module: str) -> list[Observer]:
    """What an object tells without being asked about a value."""
    return [one for one in observers_of(item, module) if not one.asks]


def _of_each(kind: type, one: Observer) -> Observer:
    template = _OF_EACH[kind].replace("{asked}", one.template.replace("{object}", "item"))

    def read(held: Any) -> Any:
        if isinstance(held, dict):
            return {key: one.read(item) for key, item in held.items()}
        told = [one.read(item) for item in held]
        return set(told) if isinstance(held, (set, frozenset)) else told

    return Observer(template, read, last=one.last, always=not one.last)


def _places(held: Any) -> Iterable[tuple[Observer, Any]]:
    """How the items are asked for by index or plain key, with the items; none of a set."""
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
    """Those of a named tuple."""
    if isinstance(held, tuple):
        for name in getattr(held, "_fields", ()):
            yield Observer(f"{{object}}.{name}", operator.attrgetter(name)), getattr(held, name)


def _by_place(
    items: Iterable[tuple[Observer, Any]], module: str, is_plain: Callable[[Any], bool], named: Mapping[int, str]
) -> list[Observer]:
    found: list[Observer] = []
    for place, item in items:
        if is_plain(item):
            found.append(replace(place, always=True))
        elif id(item) in named:
            found.append(_same(place, item, named[id(item)]))
        else:
            inner = observers_within(item, module, is_plain, named)
            if _is_own(item, module):
                inner = [*observers_of(item, module), *inner]
            found += [replace(nested(place, one), always=not (one.asks or one.last)) for one in inner]
    return found


def _same(place: Observer, item: Any, name: str) -> Observer:
    return Observer(f"{place.template} is {name}", lambda held: place.read(held) is item, always=True)
