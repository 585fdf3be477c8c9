"""Fields are read as the naive path reads them, and no method of the program is run."""

from __future__ import annotations

from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st
from support.snapshot_graphs import graphs, nothing_run

from harness.kernel.naive.equality import attributes
from harness.kernel.objects.reading import held_fields


@given(graphs())
@settings(derandomize=True, max_examples=60, deadline=None)
def test_fields_are_those_that_the_naive_path_finds(objects: list[Any]) -> None:
    for value in objects:
        with nothing_run():
            fields = held_fields(value)
        expected = attributes(value)
        assert (fields or {}).keys() == expected.keys()
        assert all((fields or {})[name] is held for name, held in expected.items())


@given(st.lists(st.sampled_from(["left", "right", "other"]), unique=True))
@settings(derandomize=True, max_examples=20)
def test_a_slot_that_is_overwritten_after_its_class_was_read_is_noticed(names: list[str]) -> None:
    cls: Any = type("Slotted", (), {"__slots__": ("left", "right", "other")})
    value = cls()
    value.left = 1
    assert held_fields(value) == {"left": 1}
    for name in names:
        setattr(cls, name, 2)
    assert held_fields(value) == ({} if "left" in names else {"left": 1}) | dict.fromkeys(names, 2)
