"""Converts dataclasses to JSON and back, strictly: what crosses the border of a process is read here and nowhere else.

Fields may be None, bool, int, float, str, bytes (as hexadecimal digits), paths, enums (as their values), dataclasses,
tuples, sequences, frozen sets (sorted), mappings from text, and unions of these. Dataclasses in a union with others
carry the name of their class under KIND. `Annotated[int, Bound(...)]` narrows what is accepted. `Json` is read and
written as it is.

Readers and writers are generated as Python source and compiled once for each class. They cost about as much as code by
hand (decision 162).
"""

from __future__ import annotations

import dataclasses
import json
import math
import types
import typing
from collections import abc
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from enum import Enum
from functools import cache
from pathlib import Path
from typing import Annotated, Any, Generic, NewType, TypeVar, overload

Json = NewType("Json", object)
"""The type of a field that holds JSON as it is, such as a graph, which its own reader checks."""

KIND = "kind"
"""The key under which a dataclass in a union has the name of its class."""

MOST_TEXT = 1 << 26
"""Characters of one string at the most, and items of one collection."""

MOST_NUMBER = (1 << 63) - 1
"""The largest integer; the smallest one is `-MOST_NUMBER - 1`."""

TUPLES = (tuple, abc.Sequence)
MAPPINGS = (dict, abc.Mapping)


@dataclass(frozen=True)
class Bound:
    """Narrows a field: an integer to a range, a string or a collection to a size.

    Attributes:
        most: the largest integer, or the largest size.
        least: the smallest integer, or the smallest size.
        storable: whether a string must be one that can be encoded, which halves of characters cannot.
    """

    most: int
    least: int = 0
    storable: bool = False


Count = Annotated[int, Bound(MOST_NUMBER)]
"""A number of things: an integer from 0 to MOST_NUMBER."""


def parts(kind: Any) -> tuple[Any, tuple[Any, ...], Bound | None]:
    """Return the origin of a type, its arguments, and its bound."""
    bound = None
    if typing.get_origin(kind) is typing.Annotated:
        kind, *notes = typing.get_args(kind)
        bound = next((note for note in notes if isinstance(note, Bound)), None)
    origin = typing.get_origin(kind)
    if origin is types.UnionType:
        origin = typing.Union
    return origin or kind, typing.get_args(kind), bound


def members(arguments: Iterable[Any]) -> tuple[list[Any], list[Any], bool]:
    """Return the members of a union that are no dataclasses, those that are, and whether None is one."""
    plain = [member for member in arguments if member is not type(None) and not is_class(member)]
    classes: list[Any] = [member for member in arguments if is_class(member)]
    return plain, classes, type(None) in arguments


def is_class(origin: Any) -> bool:
    """Return whether a type is a dataclass."""
    return isinstance(origin, type) and dataclasses.is_dataclass(origin)


def hints_of(cls: Any) -> dict[str, Any]:
    """Return the types of a dataclass's fields, whether or not its module can still be imported by its name."""
    hints: dict[str, Any] = {}
    for base in reversed(cls.__mro__):
        own = vars(base).get("__annotations__", {})
        if own:  # in the names of its own module, as a base may lie in another one
            names = base.__init__.__globals__
            hints |= typing.get_type_hints(
                type(base.__name__, (), {"__annotations__": own}), names, include_extras=True
            )
    return hints


def fields_of(cls: Any, tagged: bool) -> list[str]:
    """Return the names of a dataclass's fields; `tagged`: it is in a union with others.

    Raises:
        TypeError: a field cannot be given to it, or has the name KIND in a union.
    """
    fields = dataclasses.fields(cls)
    if any(not field.init for field in fields) or (tagged and any(field.name == KIND for field in fields)):
        raise TypeError(f"{cls.__name__} has a field that cannot be given, or one named {KIND} though it is in a union")
    return [field.name for field in fields]


def compiled(name: str, lines: list[str], names: dict[str, Any]) -> Callable[..., Any]:
    """Return the function of this name that the source defines; `names` are its globals."""
    namespace = dict(names)
    exec(compile("\n".join(lines), "<codec>", "exec"), namespace)
    function: Callable[..., Any] = namespace[name]
    return function


def as_it_is(value: Any) -> Any:
    """Return the value."""
    return value


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
        classes_of = dict.fromkeys(TUPLES, tuple) | dict.fromkeys(MAPPINGS, dict)
        writers |= {classes_of.get(origin, origin): write for origin, write in origins.items()}
    return lambda value: writers.get(type(value), as_it_is)(value)


def _late_writer(cls: type) -> Write:
    """Return the writer of a class in a union, which is compiled when a value is first written."""
    return lambda value: class_writer(cls, True)(value)


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
