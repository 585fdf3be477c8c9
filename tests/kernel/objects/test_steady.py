"""A rep_ok that changes a state is refused, however deep the state is."""

from typing import Any

import pytest

from harness.errors import SpecError
from harness.kernel.objects.steady import SteadyPredicate


class Cell:
    def __init__(self, below: Any) -> None:
        self.below = below
        self.marks = 300


def marks_the_last(cell: Cell) -> bool:
    while cell.below is not None:
        cell = cell.below
    cell.marks += 1
    return True


@pytest.mark.parametrize("length", [1, 5000])
def test_a_change_is_seen_and_looking_is_none(length):
    cell = None
    for _ in range(length):
        cell = Cell(cell)
    assert SteadyPredicate(lambda state: state.marks == 300).holds(cell, lambda: "a chain")
    with pytest.raises(SpecError, match="rep_ok changes the state that it is given, on a chain"):
        SteadyPredicate(marks_the_last).holds(cell, lambda: "a chain")
