"""Makes writers: functions from a value to data that `json.dumps` takes."""

from __future__ import annotations

import typing
from collections.abc import Callable
from enum import Enum
from functools import cache
from pathlib import Path
from typing import Any

from harness.codec.kinds import (
    KIND,
    MAPPINGS,
    TUPLES,
    as_it_is,
    compiled,
    fields_of,
    hints_of,
    is_class,
    members,
    parts,
)

Write = Callable[[Any], Any]


@cache
def writer_of(kind: Any) -> Write | None:
    """Return the writer of a type; None if `json.dumps` takes its values as they are."""
    origin, arguments, _ = parts(kind)
    if is_class(origin):
        return lambda value: class_writer(origin, False)(value)
    if origin is typing.Union:
        return _union_writer(arguments)
    if isinstance(origin, type) and issubclass(origin, Enum):
        return lambda value: value.value
    if origin in TUPLES:
        return _tuple_writer(arguments)
    if origin is frozenset:
        return sorted
    if origin in MAPPINGS:
        write = writer_of(arguments[1])
        return (lambda value: {key: write(one) for key, one in value.items()}) if write else dict
    plain: dict[Any, Write] = {float: float, bytes: bytes.hex, Path: str}
    return plain.get(origin)


def _tuple_writer(arguments: tuple[Any, ...]) -> Write | None:
    if len(arguments) == 1 or arguments[-1] is ...:
        write = writer_of(arguments[0])
        return (lambda value: [write(item) for item in value]) if write else list
    writers = [writer_of(argument) or as_it_is for argument in arguments]
    if all(write is as_it_is for write in writers):
        return list
    return lambda value: [write(item) for write, item in zip(writers, value, strict=True)]


def _union_writer(arguments: tuple[Any, ...]) -> Write | None:
    plain, classes, _ = members(arguments)
    if len(classes) == 1 and not plain:
        only = writer_of(classes[0])
        assert only is not None
        return lambda value: None if value is None else only(value)
    writers: dict[type, Write] = {cls: _late_writer(cls) for cls in classes}
    writers |= {member: write for member in plain if isinstance(member, type) and (write := writer_of(member))}
    generic = {member: write for member in plain if not isinstance(member, type) and (write := writer_of(member))}
    if not writers and not generic:
        return None
    if generic:
        origins = {parts(member)[0]: write for member, write in generic.items()}
        writers |= {_class_of(origin): write for origin, write in origins.items()}
    return lambda value: writers.get(type(value), as_it_is)(value)


def _late_writer(cls: type) -> Write:
    """Return the writer of a class in a union, which is compiled when a value is first written."""
    return lambda value: class_writer(cls, True)(value)


def _class_of(origin: Any) -> type:
    cls: type = tuple if origin in TUPLES else dict if origin in MAPPINGS else origin
    return cls


@cache
def class_writer(cls: Any, tagged: bool) -> Write:
    """Return the compiled writer of a dataclass; `tagged`: with its name under KIND."""
    hints = hints_of(cls)
    names: dict[str, Any] = {}
    written = [f"{KIND!r}: {cls.__name__!r}"] if tagged else []
    for number, field in enumerate(fields_of(cls, tagged)):
        write = writer_of(hints[field])
        value = f"value.{field}"
        if write is not None:
            names[f"w{number}"] = write
            value = f"w{number}({value})"
        written.append(f"{field!r}: {value}")
    return compiled("write", ["def write(value):", f"    return {{{', '.join(written)}}}"], names)
