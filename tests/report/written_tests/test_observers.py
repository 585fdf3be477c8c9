"""Observers read the public names of an object's own classes, and nothing else."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from harness.report.written_tests.observers import observers_of


class Base:
    def describe(self) -> str:
        return "base"


class Shelf(Base):
    __slots__ = ("label",)
    kind = "shelf"

    def __init__(self) -> None:
        self.label = "top"
        self.books = [1, 2]
        self._changes = 0

    @property
    def first(self) -> int:
        return self.books[0]

    @classmethod
    def made(cls) -> Shelf:
        return cls()

    @staticmethod
    def help() -> str:
        return ""

    def __len__(self) -> int:
        return len(self.books)

    def __iter__(self) -> Iterator[int]:
        return iter(self.books)

    def __contains__(self, book: int) -> bool:
        return book in self.books

    def __repr__(self) -> str:
        return "Shelf()"

    def weight(self, unit: int = 1) -> int:
        return unit * len(self.books)

    def has(self, book: int) -> bool:
        return book in self.books

    def each(self) -> Iterator[int]:
        yield from self.books

    def put(self, book: int, at: int) -> None: ...

    def named(self, *, name: str) -> None: ...

    async def later(self) -> None: ...

    def _hidden(self) -> int:
        return 0


class Labelled:
    """A class of another module, with a slot."""

    __module__ = "elsewhere"
    __slots__ = ("label",)


class Inventing(Labelled):
    """An object that reports an attribute which it does not hold."""

    def __init__(self) -> None:
        self.label = "top"
        self.books = 2

    def __getattribute__(self, name: str) -> object:
        return {"ghost": 1} if name == "__dict__" else object.__getattribute__(self, name)


class Drawer(dict[int, int]):
    pass


def observed_values(held: object) -> dict[str, object]:
    """Return the answers of the observers by expression; observers that take a value are called with 1."""
    values: dict[str, object] = {}
    for observer in observers_of(held, __name__):
        values[observer.template] = observer.read(held, 1) if observer.takes_value else observer.read(held)
    return values


def test_public_attributes_properties_and_methods_without_arguments_are_asked() -> None:
    values = observed_values(Shelf())
    assert values.pop("{object}.each()") is not None
    assert values == {
        "list({object})": [1, 2],
        "len({object})": 2,
        "{value} in {object}": True,
        "{object}.books": [1, 2],
        "{object}.label": "top",
        "{object}.first": 1,
        "{object}.describe()": "base",
        "list({object}.describe())": str,
        "{object}.weight()": 2,
        "list({object}.weight())": int,
        "list({object}.each())": [1, 2],
        "{object}.has({value})": True,
        "repr({object})": "Shelf()",
    }


def test_attributes_are_those_that_the_object_holds_also_in_slots_of_other_modules() -> None:
    assert observed_values(Inventing()) == {"{object}.books": 2, "{object}.label": "top"}


def test_of_a_map_the_pairs_are_asked() -> None:
    assert observed_values(Drawer({1: 2})) == {"list({object}.items())": [(1, 2)]}


@pytest.mark.parametrize("held", [[1], {1: 2}, {1}])
def test_a_plain_collection_is_told_whole(held: object) -> None:
    assert observed_values(held) == {"{object}": held}


def test_objects_of_other_modules_are_asked_nothing() -> None:
    assert observers_of(Shelf(), "elsewhere") == []
    assert observers_of(object(), __name__) == []
