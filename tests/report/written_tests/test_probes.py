"""The last calls of a test are those of a routine of the spec, with known values."""

from __future__ import annotations

import dataclasses
from typing import Any

import pytest

from harness.model.routines import ArgumentDomain, Routine, RoutineKind
from harness.report.written_tests.recording import MOST_CALLS, Probe, probed, probing_routines


class Bag:
    def __init__(self, *items: int) -> None:
        self.items = list(items)

    def take(self) -> int:
        return self.items.pop()

    def remove(self, item: int) -> bool:
        found = item in self.items
        self.items = [one for one in self.items if one != item]
        return found

    def itself(self) -> Bag:
        return self


NUMBERS = ArgumentDomain((1, 2, 3))
TAKE = Routine("take", RoutineKind.METHOD, ())
REMOVE = Routine("remove", RoutineKind.METHOD, (NUMBERS,))


def probe(routine: Routine, held: Any, count: int, *values: Any) -> Probe | None:
    return probed(routine, held, {repr(value): value for value in values}, count, {})


def test_public_methods_of_at_most_one_plain_argument_are_asked() -> None:
    with_book = Routine("put", RoutineKind.METHOD, (ArgumentDomain((), ("Book",)),))
    by_name = Routine("put", RoutineKind.METHOD, (NUMBERS,), keywords=("item",))
    guarded = dataclasses.replace(TAKE, requires=lambda held: bool(held.items))
    private, of_two = Routine("_take", RoutineKind.METHOD, ()), Routine("swap", RoutineKind.METHOD, (NUMBERS, NUMBERS))
    constructor, function = Routine("Bag", RoutineKind.CONSTRUCTOR, ()), Routine("heappop", RoutineKind.FUNCTION, ())
    routines = [constructor, TAKE, REMOVE, with_book, by_name, guarded, private, of_two, function]
    assert probing_routines(routines) == [TAKE, REMOVE]


def test_a_routine_without_arguments_is_called_until_it_raises() -> None:
    probed = probe(TAKE, Bag(1, 2), 5)
    assert probed is not None
    assert (probed.calls, probed.named) == ((("", "2"), ("", "1")), {"1", "2"})
    assert probed.takes_nothing
    assert probe(TAKE, Bag(), 5) is probe(TAKE, Bag(1), 0) is None
    most = probe(TAKE, Bag(*range(1000)), 1000)
    assert most is not None
    assert len(most.calls) == MOST_CALLS


def test_a_routine_of_one_argument_is_called_in_turn_with_the_values_of_its_domain() -> None:
    probed = probe(REMOVE, Bag(1, 3), 0, 1, 2, True, "x", 9)
    assert probed is not None
    assert (probed.calls, probed.named) == ((("1", "True"), ("2", "False")), {"1"})
    assert not probed.takes_nothing
    assert probe(REMOVE, Bag(1), 0, 9) is None


@pytest.mark.parametrize("name", ["take", "itself"])
def test_nothing_is_told_by_what_raises_or_gives_an_object(name: str) -> None:
    assert probe(dataclasses.replace(TAKE, name=name), Bag(), 1) is None
