"""Encodes values of domains as JSON: collections and objects are marked by their kind, as JSON has lists only.

`{"object": [2, 0]}` is an object of a class domain, `{"token": ["Key", 1]}` a token, `{"tuple": [1, 2]}` a collection.
Data that is read here may have been written by anybody.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Mapping
from typing import Any

from harness.codec.kinds import Json
from harness.model.domains import Plain, Reference
from harness.model.routines import Fixed, Made, TokenValue

_COLLECTIONS: Mapping[str, type] = {"list": list, "tuple": tuple, "set": set, "frozenset": frozenset, "deque": deque}

Values = tuple[Json, ...]
"""The values of a domain."""


def described_values(values: Iterable[object]) -> Values:
    """Return the JSON of each value."""
    return tuple(Json(_described(value)) for value in values)


def _described(value: Any) -> Any:
    if isinstance(value, Reference):
        return {"object": [value.domain, value.index]}
    if isinstance(value, TokenValue):
        return {"token": [value.domain, value.index]}
    if isinstance(value, Made):
        return {"made": [value.domain.class_name, 0]}
    if isinstance(value, Fixed):
        return {"fixed": _described(value.of)}
    if isinstance(value, dict):
        return {"dict": [[_described(key), _described(item)] for key, item in value.items()]}
    for kind in (frozenset, set):
        if isinstance(value, kind):  # in an order that no hash decides
            return {kind.__name__: sorted((_described(item) for item in value), key=repr)}
    if isinstance(value, (list, tuple, deque)):
        return {type(value).__name__: list(map(_described, value))}
    return value


def pair_of(data: Any, kind: str, first: type) -> tuple[Any, int] | None:
    """Return the parts of an object or a token, such as `("Key", 1)`; None if the value is of another kind.

    Raises:
        ValueError: it is of the kind, and has other parts.
    """
    if type(data) is not dict or list(data) != [kind]:
        return None
    pair = data[kind]
    if type(pair) is not list or len(pair) != 2 or type(pair[0]) is not first or type(pair[1]) is not int:
        raise ValueError(f"the {kind} has other parts than a {first.__name__} and an int")
    return pair[0], pair[1]


def fixed_of(data: Any) -> Fixed | None:
    """Return a fixed collection; None if the value is of another kind.

    Raises:
        ValueError: it is of the kind, and holds something else than plain values and collections.
    """
    return Fixed(_nested(data["fixed"])) if type(data) is dict and list(data) == ["fixed"] else None


def plain_of(data: Any) -> Plain:
    """Return a plain value.

    Raises:
        ValueError: it is something else.
    """
    value: Plain = _tuple_of(data, plain_of) if type(data) is dict else _atom(data)
    return value


def _tuple_of(data: dict[str, Any], item_of: Callable[[Any], Any]) -> tuple[Any, ...]:
    kind, items = _only(data)
    if kind != "tuple" or type(items) is not list:
        raise ValueError(f"a {kind} as a value")
    return tuple(map(item_of, items))


def _nested(data: Any) -> Any:
    if type(data) is not dict:
        return _atom(data)
    kind, items = _only(data)
    if type(items) is not list:
        raise ValueError(f"a {kind} without a list of its items")
    try:
        if kind == "dict":
            return {_nested(key): _nested(item) for key, item in items}
        return _COLLECTIONS[kind](map(_nested, items))
    except (KeyError, TypeError) as error:
        raise ValueError(f"no collection of that kind ({error})") from None


def _only(data: dict[str, Any]) -> tuple[str, Any]:
    if len(data) != 1:
        raise ValueError(f"{len(data)} parts of a value")
    ((kind, inner),) = data.items()
    return kind, inner


def _atom(data: Any) -> Any:
    if data is not None and type(data) not in (bool, int, float, str):
        raise ValueError(f"a {type(data).__name__} as a value")
    return data
