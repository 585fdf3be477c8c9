"""The standing of an object is identified by its own observers and its abstraction, as far as both agree."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from harness.report.written_tests.object_facts import facts_of_object


class Cells:
    def __init__(self, cells: list[int], size: object) -> None:
        self.cells = cells
        self.size = size


class Slots:
    __slots__ = ("cells", "size")

    def __init__(self, cells: list[int], size: int) -> None:
        self.cells = cells
        self.size = size


class Inventing:
    """An object that reports a list which it does not hold."""

    def __init__(self) -> None:
        self.size = 1

    def __getattribute__(self, name: str) -> object:
        return {"size": 1, "cells": [7]} if name == "__dict__" else object.__getattribute__(self, name)


class Bag:
    def __init__(self, *items: int) -> None:
        self._items = items

    def __len__(self) -> int:
        return len(self._items)

    def __iter__(self) -> Iterator[int]:
        return iter(self._items)


class Broken:
    def size(self) -> int:
        raise ValueError


@pytest.mark.parametrize(
    ("held", "values_of_methods", "count", "values"),
    [
        (Bag(3, 1), None, 2, (3, 1)),
        (Cells([5, 6, 0], 2), None, 2, (5, 6)),
        (Cells([5, 6, 0], 2), (7, 8), 2, (7, 8)),
        (Cells([5, 6, 0], 2), (0, 5, 6), 2, (5, 6)),
        (Cells([0], 0), (0,), 0, ()),
        (Slots([5, 6, 0], 2), None, 2, (5, 6)),
        (Inventing(), None, 1, None),
        (Cells([5, 6], -1), (-1,), -1, None),
        (Cells([], "many"), ((1, 9), (2, 8)), 2, (1, 2)),
        (Cells([], lambda: 2), {4: 1, 5: 1}, 2, (4, 5)),
        (Broken(), None, None, None),
        (Broken(), 7, None, None),
    ],
)
def test_count_and_values_are_those_that_agree(
    held: object, values_of_methods: object, count: int | None, values: tuple[int, ...] | None
) -> None:
    standing = facts_of_object(held, lambda _: values_of_methods, None)
    assert (standing.count, standing.values) == (count, values)


def test_the_state_is_all_that_the_object_holds() -> None:
    def state(*items: int) -> bytes | None:
        return facts_of_object(Bag(*items), None, None).state

    assert state(1, 2) == state(1, 2) != state(2, 1)


def test_a_state_for_which_the_spec_has_no_words_is_told_without_them() -> None:
    assert facts_of_object(Bag(1), lambda _: 1 // 0, None).values == (1,)
