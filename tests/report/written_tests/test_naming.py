"""Names of tests say what is tested, are all different, and fit on a line."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from harness.kernel.inputs.call_source import WrittenCall
from harness.model.routines import Routine, RoutineKind
from harness.report.written_tests.naming import MOST_LETTERS, test_names
from harness.report.written_tests.object_facts import ObjectFacts
from harness.report.written_tests.observations import ObjectObservations
from harness.report.written_tests.recording import Argument, Record, RecordedCall, short_name

test_names.__test__ = False  # type: ignore[attr-defined]


def call(name: str, *values: Any, parameter: str = "value", result: str = "None", raised: str = "") -> RecordedCall:
    routine = Routine(name, RoutineKind.CONSTRUCTOR if name[0].isupper() else RoutineKind.METHOD, ())
    arguments = tuple(Argument(parameter, value, False) for value in values)
    return RecordedCall(WrittenCall(None, f"stack.{name}()"), routine, arguments, result, raised=raised)


def standing(*values: int, count: int | None = None, is_new: bool = False) -> ObjectFacts:
    size = len(values) if count is None else count
    return ObjectFacts(repr((values, size)).encode(), size, values if size >= 0 else None, is_new)


def record(*calls: RecordedCall, before: ObjectFacts | None = None, after: ObjectFacts | None = None) -> Record:
    return Record(0, (), calls, (ObjectObservations("stack", "IntStack", {}, {}),), before, after)


EMPTY = standing(is_new=True)
SORTED = record(call("peek"), before=standing(1, 2), after=standing(1, 2))


@pytest.mark.parametrize(
    ("tested", "name"),
    [
        (record(call("IntStack"), after=standing()), "test_a_new_stack_is_empty"),
        (record(call("IntStack", 1), after=standing(1)), "test_a_new_stack_has_one_value"),
        (record(call("IntStack", -1, raised="ValueError")), "test_a_new_stack_raises_value_error"),
        (record(call("pop", raised="IndexError"), before=EMPTY), "test_pop_from_an_empty_stack_raises_index_error"),
        (record(call("pop", result="3"), before=standing(1, 3)), "test_pop_from_a_stack_of_two_returns_3"),
        (record(call("pop"), before=standing(count=-1)), "test_pop_from_a_stack_of_size_minus_1"),
        (record(call("push", 4), before=standing()), "test_push_onto_an_emptied_stack"),
        (record(call("push", 4), before=EMPTY, after=EMPTY), "test_push_4_onto_an_empty_stack_changes_nothing"),
        (
            record(call("push", 1), before=standing(1, 2), after=standing(2, 1)),
            "test_push_a_value_that_is_there_onto_a_stack_of_two_moves_it_to_the_end",
        ),
        (
            record(call("push", 2), before=standing(1, 2), after=standing(2, 1)),
            "test_push_a_value_that_is_there_onto_a_stack_of_two_moves_it_to_the_front",
        ),
        (
            record(call("remove", 3, result="False"), before=standing(1)),
            "test_remove_a_missing_value_from_a_stack_of_one_returns_false",
        ),
        (
            record(call("remove", 1, result="True"), before=standing(1)),
            "test_remove_the_only_value_from_a_stack_returns_true",
        ),
        (record(call("remove", 4), before=standing(5, 4, 3)), "test_remove_the_middle_of_three_values"),
        (record(call("remove", 4), before=standing(5, 3, 4, 2)), "test_remove_the_third_of_four_values"),
        (
            record(call("__setitem__", 5, parameter="key"), before=standing(5)),
            "test_set_a_key_that_is_there_into_a_stack_of_one",
        ),
        (
            record(call("at", 1, parameter="index", result='"a"'), before=standing(1)),
            "test_at_1_on_a_stack_of_one_returns_a",
        ),
    ],
)
def test_a_name_tells_the_call_what_it_is_made_on_and_what_comes_of_it(tested: Record, name: str) -> None:
    assert test_names([tested]) == [name]


@pytest.mark.parametrize(
    ("tested", "name"),
    [
        (record(call("insert", 0), before=standing(1, 2)), "test_insert_a_new_smaller_value_into_a_stack_of_two"),
        (record(call("insert", 9), before=standing(1, 2)), "test_insert_a_new_larger_value_into_a_stack_of_two"),
        (record(call("insert", 2), before=standing(1, 3)), "test_insert_a_new_middle_value_into_a_stack_of_two"),
        (record(call("remove", 1), before=standing(1, 3)), "test_remove_the_smallest_of_two_values"),
    ],
)
def test_order_is_told_where_values_come_in_their_order(tested: Record, name: str) -> None:
    assert test_names([SORTED, tested])[1] == name
    unsorted = record(call("peek"), before=standing(2, 1))
    assert "small" not in test_names([SORTED, tested, unsorted])[1]


def test_names_alike_are_told_apart_by_values_then_by_earlier_calls_then_by_numbers() -> None:
    def record_of(value: int, *earlier: int) -> Record:
        return record(*(call("push", one) for one in earlier), call("put", value), before=standing(count=-1))

    assert test_names([record_of(1), record_of(2)]) == [
        "test_put_into_a_stack_of_size_minus_1_with_1",
        "test_put_into_a_stack_of_size_minus_1_with_2",
    ]
    assert test_names([record_of(1, 7, 8), record_of(1, 8, 7)]) == [
        "test_put_into_a_stack_of_size_minus_1_after_push_7_8",
        "test_put_into_a_stack_of_size_minus_1_after_push_8_7",
    ]
    assert test_names([record_of(1, 7), record_of(2, 7), record_of(1, 8)]) == [
        "test_put_into_a_stack_of_size_minus_1_with_1_after_push_7",
        "test_put_into_a_stack_of_size_minus_1_with_2_after_push_7",
        "test_put_into_a_stack_of_size_minus_1_with_1_after_push_8",
    ]
    assert test_names([record_of(1), record_of(1)]) == [
        "test_put_into_a_stack_of_size_minus_1_1",
        "test_put_into_a_stack_of_size_minus_1_2",
    ]


def test_earlier_calls_without_values_are_counted() -> None:
    def after(count: int) -> Record:
        return record(*[call("pop")] * count, call("push", 1), before=standing(count=-1))

    assert [name.rpartition("_after_")[2] for name in test_names([after(1), after(2), after(3)])] == [
        "pop",
        "pop_twice",
        "pop_three_times",
    ]


records = st.builds(
    lambda setup, last, count: record(
        *(call("push_with_care", value) for value in setup), call("remove", last), before=standing(*range(count))
    ),
    st.lists(st.integers(0, 10**6), max_size=8),
    st.integers(-2, 9),
    st.integers(0, 4),
)


@settings(deadline=None, derandomize=True, max_examples=40)
@given(st.lists(records, max_size=12))
def test_names_are_all_different_identifiers_that_fit_on_a_line(records: list[Record]) -> None:
    names = test_names(records)
    assert len(set(names)) == len(names) == len(records)
    assert all(name.isidentifier() and name.startswith("test_") and len(name) <= MOST_LETTERS for name in names)


@pytest.mark.parametrize(
    ("cls", "name"),
    [
        ("IntStack", "stack"),
        ("LinkedList", "linked_list"),
        ("TreeMap", "tree_map"),
        ("LRUCache", "cache"),
        ("list", "items"),
    ],
)
def test_variables_are_the_last_word_of_the_class_unless_python_has_it(cls: str, name: str) -> None:
    assert short_name(cls) == name
