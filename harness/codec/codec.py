"""Converts dataclasses to JSON and back, strictly: what crosses the border of a process is read here and nowhere else.

Fields may be None, bool, int, float, str, bytes (as hexadecimal digits), paths, enums (as their values), dataclasses,
tuples, sequences, frozen sets (sorted), mappings from text, and unions of these. Dataclasses in a union with others
carry the name of their class under KIND. `Annotated[int, Bound(...)]` narrows what is accepted. `Json` is read and
written as it is.

Readers and writers are generated as Python source and compiled once for each class. They cost about as much as code by
hand (decision 162).
"""

from __future__ import annotations

import json
import typing
from collections.abc import Callable
from dataclasses import dataclass
from enum import Enum
from functools import cache
from pathlib import Path
from typing import Any, Generic, TypeVar, overload

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
from harness.codec.reading import DecodeError, class_reader, reader_of

MOST_JSON = 1 << 28
"""Characters of a whole text at the most."""

T = TypeVar("T")


@dataclass(frozen=True)
class Codec(Generic[T]):
    """Converts values of one type to JSON and back.

    Attributes:
        to_data: returns the data of a value, as `json.dumps` takes them.
        of_data: returns the value of data from `json.loads`; raises DecodeError.
    """

    to_data: Callable[[T], Any]
    of_data: Callable[[Any], T]

    def to_json(self, value: T) -> str:
        """Return the value as one line of JSON.

        Raises:
            ValueError: it holds a number that JSON has not, such as infinity.
        """
        return _ENCODER.encode(self.to_data(value))

    def of_json(self, text: str | bytes) -> T:
        """Return the value of a text that anybody may have written.

        Raises:
            DecodeError: the text is no JSON, is too large, or has another form.
        """
        if len(text) > MOST_JSON:
            raise DecodeError(f"larger than {MOST_JSON:,} characters")
        try:
            data = _DECODER.decode(text if isinstance(text, str) else text.decode())
        except (ValueError, RecursionError) as error:
            raise DecodeError(f"no JSON: {str(error)[:100]}") from None
        return self.of_data(data)


@overload
def codec_of(kind: type[T]) -> Codec[T]: ...
@overload
def codec_of(kind: object) -> Codec[Any]: ...
def codec_of(kind: Any) -> Codec[Any]:
    """Return the codec of a dataclass, or of any other type that a field may have.

    Raises:
        TypeError: it is, or holds, a type that has no form in JSON.
    """
    return _codec_of(kind)


@cache
def _codec_of(kind: Any) -> Codec[Any]:
    read, write = reader_of(kind), writer_of(kind)

    def of_data(data: Any) -> Any:
        try:
            return read(data)
        except DecodeError:
            raise
        except (ValueError, RecursionError) as error:  # of a class that refuses its fields
            raise DecodeError(str(error)[:200] or type(error).__name__) from None

    return Codec(write or as_it_is, of_data)


@cache
def compile_classes(union: object) -> None:
    """Compile the readers and writers of a union's dataclasses, which are else compiled when they are first used."""
    _, arguments, _ = parts(union)
    for cls in members(arguments)[1]:
        class_reader(cls, True)
        class_writer(cls, True)


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


def _no_number(text: str) -> float:
    raise ValueError(f"{text} is no number")


_ENCODER = json.JSONEncoder(allow_nan=False)
_DECODER = json.JSONDecoder(parse_constant=_no_number)
