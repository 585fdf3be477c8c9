"""Detects foreign values, values that are used up, and objects that a function of a field works on."""

from __future__ import annotations

from collections import UserDict
from collections.abc import Callable
from functools import cached_property

from harness.generators.policies.css.kinds import behind, held_below, kind_of


def test_iterators_in_c_are_used_up_and_objects_in_c_are_foreign() -> None:
    assert kind_of(type(iter([]))).is_used_up
    assert kind_of(bytearray).is_foreign
    assert kind_of(UserDict).is_foreign
    assert not any(kind_of(cls).is_hidden for cls in (int, str, list, tuple, range))


def test_properties_that_are_kept_are_found_in_base_classes() -> None:
    class Base:
        @cached_property
        def total(self) -> int:
            return 1

    class Derived(Base): ...

    assert kind_of(Derived).kept_once == {"total"}


def test_what_is_held_is_found_once_though_lists_hold_themselves() -> None:
    inner = {"key": [1]}
    outer: list[object] = [(inner, inner), "text"]
    outer.append(outer)
    assert sorted(map(id, held_below(outer))) == sorted(map(id, [outer, inner, inner["key"]]))


def test_a_function_works_on_what_it_is_bound_to_and_on_its_variables() -> None:
    items: list[int] = []
    count = 0

    def at() -> int:
        return count

    plain: Callable[[], int] = lambda: 0  # noqa: E731
    assert [one is items for one in behind(items.append)] == [True]
    assert [cell.cell_contents for cell in behind(at)] == [0]
    assert behind(plain) == behind(3) == []
