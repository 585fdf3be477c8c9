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
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from typing import Any, Generic, TypeVar, overload

from harness.codec.kinds import as_it_is, members, parts
from harness.codec.reading import DecodeError, class_reader, reader_of
from harness.codec.writing import class_writer, writer_of

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


def _no_number(text: str) -> float:
    raise ValueError(f"{text} is no number")


_ENCODER = json.JSONEncoder(allow_nan=False)
_DECODER = json.JSONDecoder(parse_constant=_no_number)
