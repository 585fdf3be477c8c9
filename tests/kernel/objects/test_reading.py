"""Fields are read as the naive path reads them, and no method of the program is run."""

from collections import OrderedDict, deque
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st
from support.snapshot_graphs import graphs, nothing_run

from harness.kernel.naive.equality import attributes
from harness.kernel.objects.object_creation import set_fields
from harness.kernel.objects.reading import contents, held_contents, held_fields, stored_fields, walked


@given(graphs())
@settings(derandomize=True, max_examples=40, deadline=None)
def test_fields_are_those_that_the_naive_path_finds(objects):
    for value in objects:
        with nothing_run():
            fields, stored = held_fields(value), stored_fields(value)
        assert _are_same(fields or {}, attributes(value))
        assert _are_same(stored, attributes(value))


def _are_same(one: dict[str, Any], other: dict[str, Any]) -> bool:
    return one.keys() == other.keys() and all(one[name] is other[name] for name in one)


@given(graphs(), st.integers(0, 3))
@settings(derandomize=True, max_examples=20, deadline=None)
def test_fields_that_were_read_are_given_to_another_object(objects, dropped):
    fields = stored_fields(objects[0])
    other = object.__new__(type(objects[0]))
    for chosen in (fields, dict([*fields.items()][dropped:]), fields):
        with nothing_run():
            set_fields(other, chosen)
            assert _are_same(stored_fields(other), chosen)


@given(graphs())
@settings(derandomize=True, max_examples=20, deadline=None)
def test_held_contents_are_a_list_or_a_dict_in_the_order_of_the_container(objects):
    for value in objects:
        expected: Any = None
        if isinstance(value, dict):
            expected = list(value.items())
        elif isinstance(value, (list, tuple, set, frozenset, deque)):
            expected = list(value)
        with nothing_run():
            held, elements = held_contents(value), contents(value)
        assert type(held) is (type(None) if expected is None else dict if isinstance(value, dict) else list)
        assert (list(held.items()) if isinstance(held, dict) else held) == expected
        assert elements == ([*held, *held.values()] if isinstance(held, dict) else held or [])


def test_an_ordered_dict_is_read_in_its_own_order():
    ordered = OrderedDict(a=1, b=2)
    ordered.move_to_end("a")
    assert list(held_contents(ordered) or {}) == ["b", "a"]


@given(graphs())
@settings(derandomize=True, max_examples=20, deadline=None)
def test_each_object_is_walked_once_after_one_that_refers_to_it(objects):
    def inner(value: Any) -> list[Any]:
        return [*contents(value), *stored_fields(value).values()]

    order = list(walked(objects[:1], inner))
    assert len({id(value) for value in order}) == len(order)
    assert all(
        any(later is held for earlier in order[:place] for held in inner(earlier))
        for place, later in enumerate(order)
        if place
    )
    assert {id(held) for value in order for held in inner(value)} <= {id(value) for value in order}


@given(st.lists(st.sampled_from(["left", "right", "other"]), unique=True))
@settings(derandomize=True, max_examples=20)
def test_a_slot_that_is_overwritten_after_its_class_was_read_is_noticed(names):
    cls: Any = type("Slotted", (), {"__slots__": ("left", "right", "other")})
    value = cls()
    value.left = 1
    assert held_fields(value) == {"left": 1}
    for name in names:
        setattr(cls, name, 2)
    assert held_fields(value) == ({} if "left" in names else {"left": 1}) | dict.fromkeys(names, 2)
