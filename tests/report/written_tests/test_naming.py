"""Names of tests say what is tested, are all different, and fit on a line."""

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from harness.kernel.inputs.describe import WrittenCall
from harness.model.routines import Routine, RoutineKind
from harness.report.written_tests.observers import ObjectObservations
from harness.report.written_tests.recording import Record, RecordedCall, short_name
from harness.report.written_tests.statements import LONGEST, test_names

test_names.__test__ = False  # type: ignore[attr-defined]


def record(name: str, *values: Any, result: str = "None", raised: str = "", **facts: Any) -> Record:
    routine = Routine(name, RoutineKind.CONSTRUCTOR if name[0].isupper() else RoutineKind.METHOD, ())
    call = RecordedCall(WrittenCall(None, f"stack.{name}()"), routine, values, result, raised=raised)
    return Record((), (call,), (ObjectObservations("stack", "IntStack", {}),), **facts)


@pytest.mark.parametrize(
    ("tested", "name"),
    [
        (record("IntStack"), "test_new_stack"),
        (record("IntStack", -1, raised="ValueError"), "test_new_stack_minus_1_raises_value_error"),
        (record("pop", raised="stacks.Empty", count=0), "test_pop_on_stack_of_0_raises_empty"),
        (record("pop", result="3", count=2), "test_pop_on_stack_of_2_returns_3"),
        (record("pop", count=-1), "test_pop_on_stack_of_minus_1"),
        (record("push", 4, count=1, is_unchanged=True), "test_push_4_on_stack_of_1_changes_nothing"),
        (record("__setitem__", 5, "x" * 30, count=1), "test_setitem_5_a_value_on_stack_of_1"),
        (record("at", 1, result='"a"'), "test_at_1_on_stack_returns_a"),
    ],
)
def test_a_name_has_the_call_its_receiver_and_its_outcome(tested, name):
    assert test_names([tested]) == [name]


def test_equal_names_are_numbered():
    pushed, numbered = record("push", 1), record("push", 1, result="2")
    assert test_names([pushed, numbered, pushed, pushed]) == [
        "test_push_1_on_stack", "test_push_1_on_stack_returns_2", "test_push_1_on_stack_2", "test_push_1_on_stack_3",
    ]  # fmt: skip


@settings(deadline=None, derandomize=True, max_examples=40)
@given(
    st.lists(
        st.builds(
            lambda at, count: record("put_with_care", *at, count=count),
            st.lists(st.integers(0, 10**6), max_size=8),
            st.integers(-2, 9),
        ),
        max_size=12,
    )
)
def test_names_are_all_different_identifiers_that_fit_on_a_line(records):
    names = test_names(records)
    assert len(set(names)) == len(names) == len(records)
    assert all(name.isidentifier() and name.startswith("test_") and len(name) <= LONGEST + 3 for name in names)


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
def test_variables_are_the_last_word_of_the_class_unless_python_has_it(cls, name):
    assert short_name(cls) == name
