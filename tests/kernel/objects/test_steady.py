"""A rep_ok that changes a state is refused, however deep the state is; one that puts an equal value there is not."""

from marshal import dumps, loads
from typing import Any

import pytest

from harness.errors import SpecError
from harness.kernel.objects.steady import SteadyPredicate
from harness.kernel.specs.tokens import the_token


class Cell:
    def __init__(self, below: Any) -> None:
        self.below = below
        self.marks = 300


def chain(length: int) -> Any:
    cell = None
    for _ in range(length):
        cell = Cell(cell)
    return cell


def marks_the_last(cell: Cell) -> bool:
    while cell.below is not None:
        cell = cell.below
    cell.marks += 1
    return True


@pytest.mark.parametrize("length", [1, 5000])
def test_a_change_is_seen_and_looking_is_none(length):
    cell = chain(length)
    assert SteadyPredicate(lambda state: state.marks == 300).holds(cell, lambda: "a chain")
    with pytest.raises(SpecError, match="rep_ok changes the state that it is given, on a chain"):
        SteadyPredicate(marks_the_last).holds(cell, lambda: "a chain")


@pytest.mark.parametrize("length", [3, 5000])
@pytest.mark.parametrize("value", [[], [300, []], (300, 1.5), float("nan")], ids=repr)
def test_an_equal_value_in_place_of_another_is_no_change(length, value):
    def rebuilds(state: Cell) -> bool:
        state.marks = loads(dumps(state.marks))
        return True

    cell = chain(length)
    cell.marks = value
    assert SteadyPredicate(rebuilds).holds(cell, lambda: "a chain")
    assert cell.marks is not value


@pytest.mark.parametrize("length", [3, 5000])
@pytest.mark.parametrize(
    ("value", "other"), [(1, True), ([1], (1,)), ([], [[]]), (the_token("T", 0), the_token("T", 1))]
)
def test_a_value_of_another_kind_is_a_change(length, value, other):
    def replaces(state: Cell) -> bool:
        state.marks = other
        return True

    cell = chain(length)
    cell.marks = value
    with pytest.raises(SpecError, match="rep_ok changes the state"):
        SteadyPredicate(replaces).holds(cell, lambda: "a chain")


@pytest.mark.parametrize("length", [3, 5000])
def test_a_set_whose_members_left_and_came_back_is_no_change(length):
    def empties_and_fills(state: Cell) -> bool:
        members = sorted(state.marks, reverse=True)
        state.marks.clear()
        state.marks.update(members)
        return True

    cell = chain(length)
    cell.marks = {0, 8, 16, 24}  # in one bucket of a small table: the order is that of coming
    assert SteadyPredicate(empties_and_fills).holds(cell, lambda: "a chain")
