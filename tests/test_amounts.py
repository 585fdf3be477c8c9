"""Amounts and lists of numbers are written in one way in all messages."""

from __future__ import annotations

from harness.amounts import counted, ranges


def test_a_count_has_its_noun_in_the_plural_unless_it_is_one() -> None:
    assert [counted(count, "input") for count in (0, 1, 2000)] == ["0 inputs", "1 input", "2,000 inputs"]


def test_neighbours_in_a_list_of_numbers_are_a_range() -> None:
    assert ranges([4, 5, 6, 9, 12, 13]) == "4-6,9,12-13"
    assert ranges([]) == ""
