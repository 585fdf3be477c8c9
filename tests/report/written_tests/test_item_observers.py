"""A collection of objects is described by the values of its expressions, item by item or the same of all items."""

from __future__ import annotations

from collections import namedtuple
from typing import Any

import pytest

from harness.report.written_tests.item_observers import nested, observers_within
from harness.report.written_tests.observers import Observer
from harness.report.written_tests.plain import plain_source


class Book:
    def __init__(self, title: str) -> None:
        self.title = title

    def has(self, text: str) -> bool:
        return text in self.title


class Box:
    def __init__(self, size: int) -> None:
        self.size = size


Loan = namedtuple("Loan", ["book", "days"])
ATLAS, NOVEL = Book("atlas"), Book("novel")


def observed_values(held: Any, **named: object) -> dict[str, object]:
    """By expression, what it gives of `held`; `always` and what is read are as they should be."""
    names = {id(one): name for name, one in named.items()}
    values = {}
    for observer in observers_within(held, __name__, lambda one: plain_source(one, {}) is not None, names):
        arguments = ("a",) if observer.takes_value else ()
        text = observer.template.format(object="held", value="'a'")
        assert eval(text, {"held": held, **named}) == observer.read(held, *arguments)
        assert observer.always is not (observer.takes_value or observer.last)
        values[text] = observer.read(held, *arguments)
    return values


def test_items_of_a_tuple_are_asked_by_their_places_down_to_objects() -> None:
    assert observed_values((3, ATLAS)) == {"held[0]": 3, "held[1].title": "atlas", "held[1].has('a')": True}
    assert observed_values((ATLAS, (NOVEL, None)))["held[1][0].title"] == "novel"
    assert observed_values((ATLAS, (NOVEL, None)))["held[1][1]"] is None


def test_an_object_that_has_a_name_is_it_and_is_told_under_its_name_alone() -> None:
    assert observed_values((ATLAS, NOVEL), novel=NOVEL) == {
        "held[0].title": "atlas", "held[0].has('a')": True, "held[1] is novel": True,
    }  # fmt: skip
    assert observed_values([ATLAS, NOVEL], atlas=ATLAS)["held[0] is atlas"] is True


@pytest.mark.parametrize(
    ("held", "expected"),
    [
        ([ATLAS, NOVEL], {"[item.title for item in held]": ["atlas", "novel"]}),
        ((ATLAS, NOVEL, NOVEL, ATLAS), {"[item.title for item in held]": ["atlas", "novel", "novel", "atlas"]}),
        ({ATLAS, NOVEL}, {"{item.title for item in held}": {"atlas", "novel"}}),
        ({1: ATLAS, 2: NOVEL}, {"{key: item.title for key, item in held.items()}": {1: "atlas", 2: "novel"}}),
    ],
    ids=["list", "tuple", "set", "dict"],
)
def test_objects_of_one_class_are_asked_together(held: Any, expected: dict[str, object]) -> None:
    assert observed_values(held) == {"len(held)": len(held), **expected}


def test_of_objects_of_several_classes_the_number_is_told_or_the_keys_are() -> None:
    assert observed_values([ATLAS, Box(2)])["held[1].size"] == 2
    assert observed_values([ATLAS, Box(2)])["len(held)"] == 2
    assert observed_values({ATLAS, 1}) == {"len(held)": 2}
    values = observed_values({"{": ATLAS, 2: 5})
    assert values["set(held)"] == {"{", 2}
    assert (values['held["{"].title'], values["held[2]"]) == ("atlas", 5)


def test_fields_of_a_named_tuple_are_asked_by_their_names() -> None:
    assert observed_values(Loan(ATLAS, 3)) == {"held.book.title": "atlas", "held.book.has('a')": True, "held.days": 3}


def test_of_what_is_no_collection_and_of_foreign_objects_nothing_is_told() -> None:
    assert observed_values(ATLAS) == observed_values(object()) == observed_values((object(),)) == {}


def test_a_question_about_what_an_observer_tells_is_asked_of_the_object() -> None:
    books = Observer("{object}.books()", lambda held: [ATLAS, NOVEL])
    inner = Observer("[item.title for item in {object}]", lambda held: [item.title for item in held], always=True)
    both = nested(books, inner)
    assert both.template.format(object="shelf") == "[item.title for item in shelf.books()]"
    assert both.read(None) == ["atlas", "novel"]
    assert not both.always
