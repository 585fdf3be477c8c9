"""Names of tests say what is tested, are all different, and fit on a line."""

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


def call(name: str, *values: Any, result: str = "None", raised: str = "") -> RecordedCall:
    routine = Routine(name, RoutineKind.CONSTRUCTOR if name[0].isupper() else RoutineKind.METHOD, ())
    arguments = tuple(Argument("value", value, False) for value in values)
    return RecordedCall(WrittenCall(None, f"stack.{name}()"), routine, arguments, result, raised=raised)


def standing(*values: int, count: int | None = None) -> ObjectFacts:
    size = len(values) if count is None else count
    return ObjectFacts(repr((values, size)).encode(), size, values if size >= 0 else None)


def record(*calls: RecordedCall, before: ObjectFacts | None = None, after: ObjectFacts | None = None) -> Record:
    return Record(0, (), calls, (ObjectObservations("stack", "IntStack", {}, {}),), before, after)


SAME = standing(1)


@pytest.mark.parametrize(
    ("tested", "name"),
    [
        (record(call("IntStack"), after=standing()), "test_new_stack"),
        (record(call("IntStack", -1, raised="ValueError")), "test_new_stack_minus_1_raises_value_error"),
        (record(call("pop", raised="stacks.Empty"), before=standing()), "test_pop_on_stack_of_0_raises_empty"),
        (record(call("pop", result="3"), before=standing(1, 3)), "test_pop_on_stack_of_2_returns_3"),
        (record(call("pop"), before=standing(count=-1)), "test_pop_on_stack_of_minus_1"),
        (record(call("push", 4), before=SAME, after=SAME), "test_push_4_on_stack_of_1_changes_nothing"),
        (record(call("__setitem__", 5, "x" * 30), before=SAME), "test_setitem_5_a_value_on_stack_of_1"),
        (record(call("at", 1, result='"a"'), before=ObjectFacts(None, None, None)), "test_at_1_on_stack_returns_a"),
        (record(call("total", 1, 2, result="3")), "test_total_1_2_returns_3"),
    ],
)
def test_a_name_has_the_call_its_receiver_and_its_outcome(tested, name):
    assert test_names([tested]) == [name]


def test_equal_names_are_numbered():
    pushed, numbered = record(call("push", 1)), record(call("push", 1, 1))
    assert test_names([pushed, numbered, pushed]) == ["test_push_1_2", "test_push_1_1", "test_push_1_3"]


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
def test_names_are_all_different_identifiers_that_fit_on_a_line(records):
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
def test_variables_are_the_last_word_of_the_class_unless_python_has_it(cls, name):
    assert short_name(cls) == name
