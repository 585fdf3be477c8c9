"""Observers read the public names of an object's own classes, and nothing else."""

from __future__ import annotations

from collections import namedtuple
from collections.abc import Iterator

import pytest

from harness.report.written_tests.observers import observers_of, parts_of
from harness.report.written_tests.source import plain_source


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
    """Return the answers of the observers by expression; methods that take a value are called with 1."""
    return {observer.of("held"): observer.read(held) for observer in observers_of(held, __name__, {"1": 1})}


def test_public_attributes_properties_and_methods_without_arguments_are_asked() -> None:
    values = observed_values(Shelf())
    assert values.pop("held.each()") is not None
    assert values == {
        "list(held)": [1, 2],
        "len(held)": 2,
        "1 in held": True,
        "held.books": [1, 2],
        "held.label": "top",
        "held.first": 1,
        "held.describe()": "base",
        "list(held.describe())": str,
        "held.weight()": 2,
        "list(held.weight())": int,
        "list(held.each())": [1, 2],
        "held.has(1)": True,
    }


def test_attributes_are_those_that_the_object_holds_also_in_slots_of_other_modules() -> None:
    assert observed_values(Inventing()) == {"held.books": 2, "held.label": "top"}


def test_of_a_map_the_pairs_are_asked() -> None:
    assert observed_values(Drawer({1: 2})) == {"list(held.items())": [(1, 2)]}


@pytest.mark.parametrize("held", [[1], {1: 2}, {1}])
def test_a_plain_collection_is_told_whole(held: object) -> None:
    assert observed_values(held) == {"held": held}


def test_objects_of_other_modules_are_asked_nothing() -> None:
    assert observers_of(Shelf(), "elsewhere", {}) == []
    assert observers_of(object(), __name__, {}) == []


Loan = namedtuple("Loan", ["drawer", "days"])
FULL, EMPTY = Drawer({1: 2}), Drawer()


@pytest.mark.parametrize(
    ("held", "expected"),
    [
        ((3, (FULL, None)), {"held[0]": 3, "list(held[1][0].items())": [(1, 2)], "held[1][1]": None}),
        ([FULL], {"len(held)": 1, "list(held[0].items())": [(1, 2)]}),
        ({"a": EMPTY}, {"len(held)": 1, 'list(held["a"].items())': []}),
        (frozenset({object()}), {"len(held)": 1}),
        (Loan(EMPTY, 3), {"list(held.drawer.items())": [], "held.days": 3}),
        ((object(),), {}),
        (object(), {}),
    ],
)
def test_parts_of_a_collection_are_read_by_their_places_down_to_objects(held: object, expected: object) -> None:
    observers = parts_of(held, __name__, lambda one: plain_source(one, {}) is not None)
    assert all(observer.always for observer in observers)
    assert {observer.of("held"): observer.read(held) for observer in observers} == expected
    for observer in observers:
        assert eval(observer.of("held"), {"held": held}) == observer.read(held)


def test_an_observer_within_another_reads_its_value() -> None:
    drawers, inner = observers_of([EMPTY, FULL], __name__, {})[0], observers_of(FULL, __name__, {})[0]
    (_, _, second) = parts_of([EMPTY, FULL], __name__, lambda one: False)
    assert (second.text, second.read([EMPTY, FULL])) == ("list({object}[1].items())", [(1, 2)])
    assert inner.within(drawers).family == inner.family
