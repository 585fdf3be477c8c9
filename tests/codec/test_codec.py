"""The codec gives back what it was given, and refuses whatever else a process may say by one class of error."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import Enum
from pathlib import Path
from typing import Annotated, Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from harness.codec.codec import KIND, MOST_NUMBER, Bound, Codec, DecodeError, Json, codec_of


class Colour(Enum):
    RED = "red"
    ONE = 1


@dataclass(frozen=True)
class Point:
    x: int
    y: float = 0.5


@dataclass(frozen=True)
class Named:
    name: str


@dataclass(frozen=True)
class Everything:
    nothing: None
    flag: bool
    number: int
    few: Annotated[int, Bound(9)]
    ratio: float
    text: str
    word: Annotated[str, Bound(5, storable=True)]
    data: bytes
    path: Path
    colour: Colour
    point: Point
    maybe: Point | None
    either: Point | Named
    number_or_text: int | str | None
    pair: tuple[str, int]
    texts: tuple[str, ...]
    points: Sequence[Point]
    two: Annotated[tuple[int, ...], Bound(2)]
    numbers: frozenset[int]
    by_name: Mapping[str, tuple[Point | Named, ...]]
    graph: Json
    children: tuple[Everything, ...] = ()


numbers = st.integers(-MOST_NUMBER - 1, MOST_NUMBER)
points = st.builds(Point, numbers, st.floats(allow_nan=False, allow_infinity=False))
either = points | st.builds(Named, st.text(max_size=9))
paths = st.text(st.characters(exclude_characters="\0"), max_size=9).map(Path)
everything: st.SearchStrategy[Everything] = st.builds(
    Everything,
    nothing=st.none(),
    flag=st.booleans(),
    number=numbers,
    few=st.integers(0, 9),
    ratio=st.floats(allow_nan=False, allow_infinity=False),
    text=st.text(st.characters(exclude_categories=[]), max_size=9),
    word=st.text(max_size=5),
    data=st.binary(max_size=9),
    path=paths,
    colour=st.sampled_from(Colour),
    point=points,
    maybe=st.none() | points,
    either=either,
    number_or_text=st.none() | numbers | st.text(max_size=9),
    pair=st.tuples(st.text(max_size=9), numbers),
    texts=st.lists(st.text(max_size=9), max_size=3).map(tuple),
    points=st.lists(points, max_size=3).map(tuple),
    two=st.lists(numbers, max_size=2).map(tuple),
    numbers=st.frozensets(numbers, max_size=3),
    by_name=st.dictionaries(st.text(max_size=3), st.lists(either, max_size=2).map(tuple), max_size=2),
    graph=st.recursive(st.none() | st.integers() | st.text(max_size=9), st.lists, max_leaves=5),
    children=st.deferred(lambda: st.lists(everything, max_size=1).map(tuple)),
)
anything = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=9),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=9), inner, max_size=4),
    max_leaves=9,
)
CODEC = codec_of(Everything)


@given(everything)
def test_what_is_written_is_read_back(value):
    line = CODEC.to_json(value)
    assert "\n" not in line
    assert CODEC.of_json(line) == value
    assert CODEC.of_json(line.encode()) == value


def refused_or_equal(codec: Codec[Any], text: str | bytes) -> None:
    """Check that a text is refused, or has the form of the class: its value is written and read as the same one."""
    try:
        value = codec.of_json(text)
    except DecodeError:
        return
    assert codec.of_json(codec.to_json(value)) == value


@given(st.binary(max_size=50))
def test_bytes_of_any_kind_are_refused_by_one_class_of_error(data):
    with pytest.raises(DecodeError):
        CODEC.of_json(data)


@given(anything)
def test_data_of_any_other_form_is_refused_by_one_class_of_error(data):
    with pytest.raises(DecodeError):
        CODEC.of_json(json.dumps(data))


@pytest.mark.slow
@given(everything, st.data())
def test_a_field_with_any_other_value_is_refused_or_is_one_of_the_class(value, draw):
    data = json.loads(CODEC.to_json(value))
    data[draw.draw(st.sampled_from(sorted(data)))] = draw.draw(anything)
    refused_or_equal(CODEC, json.dumps(data))


@pytest.mark.slow
@given(everything, st.data())
def test_a_line_with_bytes_overwritten_is_refused_or_is_one_of_the_class(value, draw):
    line = bytearray(CODEC.to_json(value).encode())
    at = draw.draw(st.integers(0, len(line) - 1))
    line[at : at + draw.draw(st.integers(0, 9))] = draw.draw(st.binary(max_size=9))
    refused_or_equal(CODEC, bytes(line))


POINT = {"x": 1, "y": 2.0}


@pytest.mark.parametrize(
    ("kind", "data", "why"),
    [
        (Point, {"x": 1}, "Point: no y"),
        (Point, {**POINT, "z": 1}, "Point: unknown 'z'"),
        (Point, {"x": 1, "z": 1}, "Point: no y, unknown 'z'"),
        (Point, {**POINT, "x": True}, "Point.x: expected int, found bool"),
        (Point, {**POINT, "x": 1.0}, "Point.x: expected int, found float"),
        (Point, {**POINT, "x": 1 << 63}, "Point.x: expected int, too large, or out of range"),
        (Point, {**POINT, "y": 2}, "Point.y: expected float, found int"),
        (Point, [], "expected the fields of Point, found list"),
        (Point | Named, POINT, "expected Point or Named, found dict"),
        (Point | Named, {KIND: "Colour", **POINT}, "expected Point or Named, found dict"),
        (Point | Named, {KIND: "Named", **POINT}, "Named: no name, unknown 'x'"),
        (tuple[Point, ...], [POINT, {}], "Point: no x"),
        (tuple[int, str], [1], "expected 2 items, found list"),
        (Annotated[str, Bound(2)], "abc", "expected str, too large, or out of range"),
        (Annotated[str, Bound(9, storable=True)], "\ud800", "expected str, too large, or out of range"),
        (Annotated[tuple[int, ...], Bound(1)], [1, 2], "expected list, too large, or out of range"),
        (Colour, True, "expected a value of Colour"),
        (Path, "a\0b", "expected a path, found str"),
        (bytes, "0 0 ", "expected hexadecimal digits, found str"),
        (Mapping[str, int], {"a": "b"}, "expected int, found str"),
    ],
)
def test_an_error_says_which_field_is_not_as_its_class_declares_it(kind, data, why):
    with pytest.raises(DecodeError) as refused:
        codec_of(kind).of_json(json.dumps(data))
    assert why in str(refused.value)


@pytest.mark.parametrize("text", ["NaN", "[" * 100_000, "9" * 5000, "\ud800", b"\xff", "{} {}"])
def test_what_is_no_json_is_refused(text):
    with pytest.raises(DecodeError):
        CODEC.of_json(text)


def test_an_integer_in_a_field_of_floats_is_written_as_a_float():
    assert codec_of(Point).to_json(Point(1, 2)) == '{"x": 1, "y": 2.0}'


def test_a_number_that_json_has_not_is_not_written():
    with pytest.raises(ValueError, match="Out of range"):
        codec_of(Point).to_json(Point(1, float("inf")))


def test_a_class_that_refuses_its_fields_refuses_what_is_read():
    @dataclass(frozen=True)
    class Even:
        number: int

        def __post_init__(self) -> None:
            if self.number % 2:
                raise ValueError("it is odd")

    assert codec_of(Even).of_json('{"number": 2}') == Even(2)
    with pytest.raises(DecodeError, match="it is odd"):
        codec_of(Even).of_json('{"number": 3}')


@pytest.mark.parametrize("kind", [object, Any, set[int], Mapping[int, str]])
def test_a_type_without_a_form_in_json_is_refused_before_anything_is_read(kind):
    with pytest.raises(TypeError, match="has no form in JSON"):
        codec_of(kind)
