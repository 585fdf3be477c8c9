"""Observers are evaluated as often as they are asked, and those that change the object are found out."""

from __future__ import annotations

import pytest

from harness.report.written_tests.observers import Asker, Standstill


class Book:
    def __init__(self, title: str) -> None:
        self.title = title


class Shelf:
    def __init__(self, *books: Book) -> None:
        self.books = list(books)
        self._asked = 0

    def titles(self) -> list[str]:
        return [book.title for book in self.books]

    def by_title(self) -> dict[str, Book]:
        return {book.title: book for book in self.books}

    def asked(self) -> int:
        self._asked += 1
        return self._asked

    def has(self, title: str) -> bool:
        return title in self.titles()

    def find(self, title: str) -> int:
        return self.titles().index(title)


class Opaque:
    def __init__(self, held: object) -> None:
        self._held = held

    def __repr__(self) -> str:
        return f"Opaque({self._held!r})"


@pytest.fixture
def asker() -> Asker:
    return Asker(__name__, None, Standstill())


def observed(asker: Asker, held: object, *values: str, **named: object) -> dict[str, str]:
    names = {id(one): name for name, one in named.items()}
    observations = asker.observe("shelf", held, {f'"{value}"': value for value in values}, {}, names)
    return {observer.of(observations.variable): source for observer, source in observations.values.items()}


def test_values_and_collections_that_an_observer_gives_are_told(asker: Asker) -> None:
    assert observed(asker, Shelf(Book("a"), Book("b"))).items() >= {
        "shelf.titles()": '["a", "b"]',
        "len(shelf.books)": "2",
        "shelf.books[1].title": '"b"',
        'shelf.by_title()["a"].title': '"a"',
    }.items()  # fmt: skip


def test_a_collection_is_told_whole_or_by_its_items(asker: Asker) -> None:
    book = Book("a")
    assert observed(asker, [1, 2]) == {"shelf": "[1, 2]"}
    assert observed(asker, (1, book)) == {"shelf[0]": "1", "shelf[1].title": '"a"'}
    assert observed(asker, (1, book), book=book) == {"shelf[0]": "1", "shelf[1]": "book"}


def test_what_changes_the_object_is_found_out_and_not_asked_again(asker: Asker) -> None:
    assert "shelf.asked()" in observed(asker, Shelf())
    assert "{object}.asked()" in asker.changing
    assert "shelf.asked()" not in observed(asker, Shelf())


def test_questions_are_asked_with_each_value_unless_they_raise(asker: Asker) -> None:
    values = observed(asker, Shelf(Book("a")), "a", "b")
    assert {text: values.get(f'shelf.{text}("b")') for text in ("has", "find")} == {"has": "False", "find": None}
    assert (values['shelf.has("a")'], values['shelf.find("a")']) == ("True", "0")


def test_the_text_of_an_object_is_told_where_nothing_else_is_unless_it_holds_an_address(asker: Asker) -> None:
    assert observed(asker, Opaque(1)) == {"repr(shelf)": '"Opaque(1)"'}
    assert observed(asker, Opaque(object())) == {}
