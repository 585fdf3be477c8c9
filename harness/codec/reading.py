"""Makes readers: functions from data of `json.loads` to a value, or DecodeError."""

from __future__ import annotations

import math
import typing
from collections.abc import Callable
from enum import Enum
from functools import cache
from pathlib import Path
from typing import Any

from harness.codec.kinds import (
    KIND,
    MAPPINGS,
    MOST_NUMBER,
    MOST_TEXT,
    TUPLES,
    Bound,
    Json,
    as_it_is,
    compiled,
    fields_of,
    hints_of,
    is_class,
    members,
    parts,
)

Read = Callable[[Any], Any]


class DecodeError(ValueError):
    """A text, or its data, does not have the form of the class that it is read as."""


class LimitError(DecodeError):
    """The data have the form of the class, but a value is too large, or out of range."""


def _wrong(expected: str, data: object) -> DecodeError:
    name = type(data).__name__
    if name in expected.split():
        return LimitError(f"expected {expected}, too large, or out of range")
    return DecodeError(f"expected {expected}, found {name}")


def _condition(kind: Any, name: str) -> tuple[str, str] | None:
    """Return the expression that refuses a variable, and the name of its type; None if the type is no plain one."""
    origin, arguments, bound = parts(kind)
    if origin is bool:
        return f"{name} is not True and {name} is not False", "bool"
    if origin is int:
        least, most = (bound.least, bound.most) if bound else (-MOST_NUMBER - 1, MOST_NUMBER)
        return f"type({name}) is not int or not {least} <= {name} <= {most}", "int"
    if origin is str:
        refused = f"type({name}) is not str or len({name}) > {bound.most if bound else MOST_TEXT}"
        if bound and bound.least:
            refused += f" or len({name}) < {bound.least}"
        if bound and bound.storable:
            refused += f" or not storable({name})"
        return refused, "str"
    if origin is typing.Union:
        plain, classes, has_none = members(arguments)
        inner = _condition(plain[0], name) if has_none and len(plain) == 1 and not classes else None
        return inner and (f"{name} is not None and ({inner[0]})", f"{inner[1]} or null")
    return None


def _storable(text: str) -> bool:
    return text.isascii() or not any("\ud800" <= character <= "\udfff" for character in text)


@cache
def reader_of(kind: Any) -> Read:
    """Return the reader of a type.

    Raises:
        TypeError: it has no form in JSON.
    """
    origin, arguments, bound = parts(kind)
    condition = _condition(kind, "data")
    if condition is not None:
        return compiled("read", ["def read(data):", *_checked("data", condition), "    return data"], _NAMES)
    if is_class(origin):
        return _late(lambda: class_reader(origin, False))
    if origin is typing.Union:
        return _union_reader(arguments)
    if isinstance(origin, type) and issubclass(origin, Enum):
        return _enum_reader(origin)
    if origin in TUPLES:
        return _tuple_reader(arguments, bound)
    if origin is frozenset:
        items = _tuple_reader((arguments[0], ...), bound)
        return lambda data: frozenset(items(data))
    if origin in MAPPINGS and arguments[0] is str:
        return _mapping_reader(reader_of(arguments[1]), bound)
    if origin is Json:
        return as_it_is
    if origin in _PLAIN_READERS:
        return _PLAIN_READERS[origin]
    raise TypeError(f"{kind} has no form in JSON")


def _late(make: Callable[[], Read]) -> Read:
    """Return a reader that is made when it is first called: classes may hold themselves."""
    readers: list[Read] = []

    def read(data: Any) -> Any:
        if not readers:
            readers.append(make())
        return readers[0](data)

    return read


@cache
def class_reader(cls: Any, tagged: bool) -> Read:
    """Return the compiled reader of a dataclass; `tagged`: the data have its name under KIND, which is not read."""
    hints = hints_of(cls)
    fields = fields_of(cls, tagged)
    names: dict[str, Any] = {"cls": cls, **_NAMES}
    body = [
        "def read(data):",
        "    at = ''",
        f"    if type(data) is not dict or len(data) != {len(fields) + tagged}:",
        "        raise strange(data)",
        "    try:",
    ]
    for number, field in enumerate(fields):
        value = f"f{number}"
        body += [f"        at = {'.' + field!r}", f"        {value} = data[{field!r}]"]
        condition = _condition(hints[field], value)
        if condition is not None:
            body += [f"    {line}" for line in _checked(value, condition)]
        else:
            names[f"r{number}"] = reader_of(hints[field])
            body.append(f"        {value} = r{number}({value})")
    arguments = ", ".join(f"{field}=f{number}" for number, field in enumerate(fields))
    body += [
        "        at = ''",
        f"        return cls({arguments})",
        "    except KeyError:",
        "        raise strange(data) from None",
        "    except DecodeError as error:",
        f"        raise type(error)(f'{cls.__name__}{{at}}: {{error}}') from None",
    ]
    expected = {*fields, KIND} if tagged else {*fields}
    names["strange"] = lambda data: _strange(cls.__name__, expected, data)
    return compiled("read", body, names)


def _strange(name: str, expected: set[str], data: object) -> DecodeError:
    if not isinstance(data, dict):
        return _wrong(f"the fields of {name}", data)
    missing, unknown = sorted(expected - data.keys()), sorted(data.keys() - expected)
    problems = [f"no {missing[0]}"] if missing else []
    problems += [f"unknown {unknown[0][:40]!r}"] if unknown else []
    return DecodeError(f"{name}: {', '.join(problems)}")


def _checked(name: str, condition: tuple[str, str]) -> list[str]:
    refused, expected = condition
    return [f"    if {refused}:", f"        raise wrong({expected!r}, {name})"]


def _union_reader(arguments: tuple[Any, ...]) -> Read:
    plain, classes, has_none = members(arguments)
    only = reader_of(classes[0]) if len(classes) == 1 and not plain else None
    by_name = {cls.__name__: cls for cls in classes}
    readers = [reader_of(member) for member in plain]
    expected = " or ".join(member.__name__ if isinstance(member, type) else str(member) for member in arguments)

    def read(data: Any) -> Any:
        if data is None and has_none:
            return None
        if only is not None:
            return only(data)
        kind = data.get(KIND) if type(data) is dict else None
        if type(kind) is str and kind in by_name:
            return class_reader(by_name[kind], True)(data)
        for reader in readers:
            try:
                return reader(data)
            except DecodeError:
                continue
        raise _wrong(expected, data)

    return read


def _enum_reader(kind: type[Enum]) -> Read:
    members = {member.value: member for member in kind}

    def read(data: Any) -> Any:
        member = members.get(data) if type(data) in (str, int) else None
        if member is None or type(data) is not type(member.value):
            raise DecodeError(f"expected a value of {kind.__name__}")
        return member

    return read


def _tuple_reader(arguments: tuple[Any, ...], bound: Bound | None) -> Read:
    if (len(arguments) == 2 and arguments[1] is ...) or len(arguments) == 1:
        return _items_reader(arguments[0], bound)
    readers = [reader_of(argument) for argument in arguments]

    def read(data: Any) -> Any:
        if type(data) is not list or len(data) != len(readers):
            raise _wrong(f"{len(readers)} items", data)
        return tuple([reader(item) for reader, item in zip(readers, data, strict=True)])

    return read


def _items_reader(kind: Any, bound: Bound | None) -> Read:
    reader = reader_of(kind)
    least, most = (bound.least, bound.most) if bound else (0, MOST_TEXT)

    def read(data: Any) -> Any:
        if type(data) is not list or not least <= len(data) <= most:
            raise _wrong("list", data)
        return tuple([reader(item) for item in data])

    return read


def _mapping_reader(reader: Read, bound: Bound | None) -> Read:
    most = bound.most if bound else MOST_TEXT

    def read(data: Any) -> Any:
        if type(data) is not dict or len(data) > most:
            raise _wrong("dict", data)
        return {key: reader(value) for key, value in data.items()}

    return read


def _read_none(data: Any) -> None:
    if data is not None:
        raise _wrong("null", data)


def _read_float(data: Any) -> float:
    if type(data) is not float or not math.isfinite(data):
        raise _wrong("float", data)
    return data


def _read_bytes(data: Any) -> bytes:
    if type(data) is str and len(data) <= MOST_TEXT:
        try:
            value = bytes.fromhex(data)
        except ValueError:
            value = b""
        if 2 * len(value) == len(data):
            return value
    raise _wrong("hexadecimal digits", data)


def _read_path(data: Any) -> Path:
    if type(data) is not str or len(data) > MOST_TEXT or "\0" in data:
        raise _wrong("a path", data)
    return Path(data)


_PLAIN_READERS: dict[Any, Read] = {
    type(None): _read_none,
    float: _read_float,
    bytes: _read_bytes,
    Path: _read_path,
}
_NAMES = {"wrong": _wrong, "storable": _storable, "DecodeError": DecodeError}
"""The functions that generated readers call."""
