"""The bounds of sequences of calls as plain data: what crosses from the process that executes a spec."""

from __future__ import annotations

from collections.abc import Mapping
from inspect import unwrap
from typing import Any

from harness.kernel.specs.described import Data, NotHere, _fields, _is, _name_in_spec, _row
from harness.model.routines import ArgumentDomain, Fixed, Routine, RoutineKind, TokenValue, Value
from harness.model.sequence import SequenceScope

_COLLECTIONS: Mapping[str, type] = {"list": list, "tuple": tuple, "set": set, "frozenset": frozenset}
_BOUNDS = ("most_objects", "most_elements", "most_calls")


def sequences_as_data(bounds: SequenceScope) -> Data:
    """For JSON: everything but the functions, of which the names are kept."""
    builders = bounds.pinned_builders
    return {
        "root": bounds.root,
        "routines": [
            [
                routine.name,
                routine.kind.value,
                [[list(map(_told, one.values)), list(one.earlier), one.apart] for one in routine.parameters],
                list(routine.keywords),
                None if routine.requires is None else _name_in_spec(unwrap(routine.requires)),
            ]
            for routine in bounds.declared_routines
        ],
        "objects": dict(bounds.objects_by_class),
        **{name: getattr(bounds, name) for name in _BOUNDS},
        "attempts": bounds.most_attempts,
        "omitted": list(bounds.omitted),
        "misuses": list(bounds.misuses),
        "builders": None if builders is None else list(builders),
        "discards_failures": bounds.discards_failures,
    }


def sequences_of_data(data: object) -> SequenceScope:
    """The inverse of `sequences_as_data`, with `NotHere` in the place of functions.

    Raises:
        ValueError: the data are something else.
    """
    root, routines, objects, attempts, omitted, misuses, builders, discards, *bounds = _fields(
        data, "root", "routines", "objects", "attempts", "omitted", "misuses", "builders", "discards_failures", *_BOUNDS
    )
    return SequenceScope.of_parts(
        [_routine_of(entry) for entry in _is(list, routines)],
        {
            "root": _is(str, root),
            "_objects": {_is(str, name): _count(most) for name, most in _is(dict, objects).items()},
            **{name: None if most is None else _count(most) for name, most in zip(_BOUNDS, bounds, strict=True)},
            "most_attempts": _count(attempts),
            "omitted": _texts(omitted),
            "misuses": _texts(misuses),
            "pinned_builders": None if builders is None else _texts(builders),
            "discards_failures": _is(bool, discards),
        },
    )


def _told(value: Any) -> Any:
    """A value of a domain; collections by their kind, as JSON has lists only."""
    if isinstance(value, TokenValue):
        return {"token": [value.domain, value.index]}
    if isinstance(value, Fixed):
        return {"fixed": _told(value.of)}
    if isinstance(value, dict):
        return {"dict": [[_told(key), _told(item)] for key, item in value.items()]}
    for kind in (frozenset, set):
        if isinstance(value, kind):  # in an order that no hash decides
            return {kind.__name__: sorted((_told(item) for item in value), key=repr)}
    if isinstance(value, (list, tuple)):
        return {type(value).__name__: list(map(_told, value))}
    return value


def _routine_of(entry: object) -> Routine:
    name, kind, parameters, keywords, requires = _row(entry, 5)
    return Routine(
        _is(str, name),
        RoutineKind(kind),
        tuple(map(_domain_of, _is(list, parameters))),
        _texts(keywords),
        None if requires is None else NotHere(_is(str, requires)),
    )


def _domain_of(entry: object) -> ArgumentDomain:
    values, earlier, apart = _row(entry, 3)
    return ArgumentDomain(tuple(map(_value_of, _is(list, values))), _texts(earlier), _is(bool, apart))


def _value_of(entry: Any) -> Value:
    kind, inner = _one(entry) if type(entry) is dict else ("", entry)
    if kind == "token":
        domain, index = _row(inner, 2)
        return TokenValue(_is(str, domain), _count(index))
    if kind == "fixed":
        return Fixed(_plain_of(inner))
    value: Value = _plain_of(entry)
    if not isinstance(value, (tuple, type(None), bool, int, float, str)):
        raise ValueError(f"a {type(value).__name__} as a value")
    return value


def _plain_of(entry: Any) -> Any:
    if type(entry) is not dict:
        if entry is not None and type(entry) not in (bool, int, float, str):
            raise ValueError(f"a {type(entry).__name__} as a value")
        return entry
    kind, inner = _one(entry)
    try:
        if kind == "dict":
            return {_plain_of(key): _plain_of(item) for key, item in (_row(pair, 2) for pair in _is(list, inner))}
        return _COLLECTIONS[kind](map(_plain_of, _is(list, inner)))
    except (KeyError, TypeError) as error:
        raise ValueError(f"no collection of that kind ({error})") from None


def _one(entry: Any) -> tuple[str, Any]:
    if len(entry) != 1:
        raise ValueError(f"{len(entry)} parts of a value")
    ((kind, inner),) = entry.items()
    return kind, inner


def _count(value: Any) -> int:
    if type(value) is not int or value < 0:
        raise ValueError(f"{value!r} as a count")
    return value


def _texts(values: object) -> tuple[str, ...]:
    return tuple(_is(str, value) for value in _is(list, values))
