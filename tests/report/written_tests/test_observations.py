"""Objects tell what they are like as often as they are asked, and what changes them is found out."""

from __future__ import annotations

from typing import Any

from harness.report.written_tests.observations import NOT_PLAIN, Asker, ObjectObservations
from harness.report.written_tests.observers import Observer
from harness.report.written_tests.waiting import Standstill


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

    def find(self, title: str) -> Book:
        return self.by_title()[title]


def observed(asker: Asker, held: Any, *values: str, **named: object) -> ObjectObservations:
    names = {id(one): name for name, one in named.items()}
    return asker.observe("shelf", held, {repr(value): value for value in values}, {}, names)


def by_expression(observations: ObjectObservations) -> dict[str, str]:
    return {
        observer.template.format(object=observations.variable): source
        for observer, source in observations.values.items()
    }


def test_collections_that_an_observer_gives_are_told_by_their_items() -> None:
    asker = Asker(__name__, None, Standstill())
    observations = by_expression(observed(asker, Shelf(Book("a"), Book("b"))))
    assert observations["shelf.books"] == observations["shelf.by_title()"] == NOT_PLAIN
    assert observations["shelf.titles()"] == observations["[item.title for item in shelf.books]"] == '["a", "b"]'
    assert observations["{key: item.title for key, item in shelf.by_title().items()}"] == '{"a": "a", "b": "b"}'


def test_a_collection_is_told_whole_or_by_its_items() -> None:
    asker, book = Asker(__name__, None, Standstill()), Book("a")
    assert by_expression(observed(asker, [1, 2])) == {"shelf": "[1, 2]"}
    assert by_expression(observed(asker, (1, book))) == {"shelf[0]": "1", "shelf[1].title": '"a"'}
    assert by_expression(observed(asker, (1, book), book=book)) == {"shelf[0]": "1", "shelf[1] is book": "True"}


def test_what_changes_the_object_is_found_out_and_not_asked_again() -> None:
    asker = Asker(__name__, None, Standstill())
    assert "shelf.asked()" in by_expression(observed(asker, Shelf()))
    assert Observer("{object}.asked()", len) in asker.changing
    assert "shelf.asked()" not in by_expression(observed(asker, Shelf()))


def test_questions_are_those_that_are_answered_by_yes_or_no() -> None:
    asker = Asker(__name__, None, Standstill())
    answers_of = observed(asker, Shelf(Book("a")), "a", "b").answers
    assert {observer.template: answers for observer, answers in answers_of.items()} == {
        "{object}.has({value})": {"'a'": "True", "'b'": "False"}
    }
    assert Observer("{object}.find({value})", len) in asker.changing
