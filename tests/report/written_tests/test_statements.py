"""Assertions are written about informative values: results and observations that are not the same everywhere."""

from collections.abc import Collection
from dataclasses import replace

import pytest

from harness.kernel.inputs.describe import WrittenCall
from harness.model.routines import Routine, RoutineKind
from harness.report.written_tests.observers import NOT_PLAIN, ObjectObservations, Observer
from harness.report.written_tests.recording import Probe, Record, RecordedCall
from harness.report.written_tests.statements import TestWriter, best_probe, equals

NEW = RecordedCall(WrittenCall("stack", "Stack()"), Routine("Stack", RoutineKind.CONSTRUCTOR, ()), ())
SIZE = Observer("{object}.size", len, "{object}.size")
LENGTH = Observer("len({object})", len, "len({object})")
ITEMS = Observer("list({object})", list, "list({object})")
HAS_1, HAS_2 = (Observer(f"{{object}}.has({value})", len, "{object}.has({value})") for value in (1, 2))


def call(text: str, result: str = "None", *, raised: str = "", name: str | None = None) -> RecordedCall:
    routine = Routine(text.partition("(")[0], RoutineKind.METHOD, ())
    return RecordedCall(WrittenCall(name, f"stack.{text}"), routine, (1,), result, raised=raised)


def record(*calls: RecordedCall, values: dict[Observer, str] | None = None, probes: Collection[Probe] = ()) -> Record:
    observations = (ObjectObservations("stack", "Stack", values or {}),)
    return Record((), (NEW, *calls), observations, probes={probe.routine: probe for probe in probes})


def written(*records: Record, changing: Collection[str] = ()) -> list[list[str]]:
    """Return the lines of the tests, without their heads, indentation and blank lines."""
    writer = TestWriter(records, changing)
    tests = [writer.write("test_it", record).split("\n")[2:] for record in records]
    return [[line[4:] for line in lines if line] for lines in tests]


def test_results_are_asserted_where_they_are_not_always_none():
    assert written(record(call("push(1)")), record(call("push(2)"))) == [["stack.push(1)"], ["stack.push(2)"]]
    assert written(record(call("put(1)")), record(call("put(2)", "7"))) == [
        ["assert stack.put(1) is None"],
        ["assert stack.put(2) == 7"],
    ]
    assert written(record(call("add(1)", "True"))) == [["assert stack.add(1) is True"]]
    assert written(record(call("next()", NOT_PLAIN)), record(call("next()", "1"))) == [
        ["stack.next()"],
        ["assert stack.next() == 1"],
    ]


def test_of_earlier_calls_results_are_asserted_where_they_differ_among_them():
    last = call("add(3)", "True")
    same = record(call("add(1)", "True"), call("pop()", "1"), last)
    other = record(call("add(1)", "True"), call("pop()", "2"), last)
    assert written(same, other)[0] == ["stack.add(1)", "assert stack.pop() == 1", "assert stack.add(3) is True"]


def test_exceptions_are_expected_by_pytest():
    assert written(record(call("pop()", raised="IndexError"))) == [
        ["with pytest.raises(IndexError):", "    stack.pop()"]
    ]


def test_results_that_have_names_are_asserted_by_them():
    assert written(record(call("twice()", "[1]", name="result"))) == [
        ["result = stack.twice()", "assert result == [1]"]
    ]


def test_observers_that_tell_always_the_same_or_change_the_object_are_left_out():
    one = record(call("push(1)"), values={SIZE: "1", LENGTH: "9"})
    two = record(call("push(2)"), values={SIZE: "2", LENGTH: "9"})
    assert written(one, two)[0][1:] == ["assert stack.size == 1"]
    assert written(one, two, changing={SIZE.family})[0][1:] == []
    assert written(one)[0][1:] == ["assert stack.size == 1", "assert len(stack) == 9"]


def test_a_method_is_asked_about_each_value_where_its_answers_differ_between_values():
    one = record(call("push(1)"), values={HAS_1: "True", HAS_2: "False"})
    assert written(one, one)[0][1:] == ["assert stack.has(1) is True", "assert stack.has(2) is False"]


def test_parts_of_results_are_asserted_where_they_are_always_the_same():
    part = replace(SIZE, always=True)
    one = record(call("split()", NOT_PLAIN, name="result"), values={part: "3"})
    assert written(one, one)[1] == ["result = stack.split()", "assert stack.size == 3"]


@pytest.mark.parametrize(
    ("expression", "source", "assertion"),
    [
        ("1 in stack", "True", "1 in stack"),
        ('"a in b" in stack', "False", '"a in b" not in stack'),
        ('stack.has("a in b")', "None", 'stack.has("a in b") is None'),
        ("stack.twin", "stack2", "stack.twin is stack2"),
        ("stack.size", "2", "stack.size == 2"),
    ],
)
def test_an_assertion_is_about_identity_equality_or_membership(expression, source, assertion):
    assert equals(expression, source) == f"assert {assertion}"


def test_a_blank_line_sets_off_the_call_of_a_long_test():
    long = record(call("push(1)"), call("pop()"), call("push(1)"), call("pop()"))
    lines = TestWriter([long], ()).write("test_pop", long).split("\n")
    assert lines[:2] == ["def test_pop():", "    stack = Stack()"]
    assert lines[-2:] == ["", "    stack.pop()"]


TAKE = Probe("take", (("", "2"), ("", "1")))
REMOVE = Probe("remove", (("1", "True"), ("2", "False")))
PUT = Probe("add", (("1", "True"), ("2", "True")))


def test_what_a_routine_gives_as_the_last_thing_is_asserted_last():
    one, other = record(call("push(2)"), values={SIZE: "2"}, probes=[TAKE]), record(call("push(2)"), values={SIZE: "0"})
    assert written(one, other) == [
        ["stack.push(2)", "assert stack.size == 2", "assert stack.take() == 2", "assert stack.take() == 1"],
        ["stack.push(2)", "assert stack.size == 0"],
    ]
    assert TestWriter([one, other], (), {"take"}).write("test_push", one).endswith("assert stack.size == 2")


@pytest.mark.parametrize(
    ("values", "probes", "best"),
    [
        ({SIZE: "1"}, [TAKE], "take"),
        ({ITEMS: "[1, 2]"}, [TAKE], ""),
        ({HAS_1: "True", HAS_2: "False"}, [REMOVE], ""),
        ({SIZE: "1"}, [REMOVE, TAKE], "take"),
        ({SIZE: "1"}, [REMOVE, PUT], "remove"),
        ({SIZE: "1"}, [PUT], ""),
    ],
)
def test_a_routine_is_called_last_if_it_names_a_value_that_nothing_shows(values, probes, best):
    assert best_probe([record(call("push(2)"), values=values, probes=probes)], ()) == best
