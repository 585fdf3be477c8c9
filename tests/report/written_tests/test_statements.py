"""Assertions are written about informative values: results and observations that are not the same everywhere."""

from collections.abc import Collection
from dataclasses import replace

from harness.kernel.inputs.call_source import WrittenCall
from harness.model.routines import Routine, RoutineKind
from harness.report.written_tests.object_facts import ObjectFacts
from harness.report.written_tests.observations import NOT_PLAIN, ObjectObservations
from harness.report.written_tests.observers import ITEMS, Observer
from harness.report.written_tests.probes import Probe
from harness.report.written_tests.recording import Argument, Record, RecordedCall
from harness.report.written_tests.statements import TestWriter

NEW = RecordedCall(WrittenCall("stack", "Stack()"), Routine("Stack", RoutineKind.CONSTRUCTOR, ()), ())
SIZE = Observer("{object}.size", len)
LENGTH = Observer("len({object})", len)
TEXT = Observer("repr({object})", repr, last=True)
HAS = Observer("{object}.has({value})", lambda held, value: value in held)
WITHIN = Observer("{value} in {object}", lambda held, value: value in held)


def call(
    text: str, result: str = "None", *, raised: str = "", name: str | None = None, argument: str = "value"
) -> RecordedCall:
    routine = Routine(text.partition("(")[0], RoutineKind.METHOD, ())
    written = WrittenCall(name, f"stack.{text}")
    return RecordedCall(written, routine, (Argument(argument, 1, False),), result, raised=raised)


def record(
    *calls: RecordedCall,
    values: dict[Observer, str] | None = None,
    answers: dict[Observer, dict[str, str]] | None = None,
) -> Record:
    return Record(
        0, (), (NEW, *calls), (ObjectObservations("stack", "Stack", values or {}, answers or {}),), None, None
    )


def written(*records: Record, changing: Collection[Observer] = ()) -> list[list[str]]:
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


def test_three_calls_alike_are_a_loop():
    pushes = [call(f"push({number})", argument="item") for number in (1, 2, 3)]
    assert written(record(*pushes, call("pop()"))) == [
        ["for item in (1, 2, 3):", "    stack.push(item)", "stack.pop()"]
    ]
    assert written(record(*[call("push(1)")] * 3, call("pop()"))) == [
        ["for _ in range(3):", "    stack.push(1)", "stack.pop()"]
    ]
    assert written(record(*pushes[:2], call("pop()"))) == [["stack.push(1)", "stack.push(2)", "stack.pop()"]]
    shadowing = [call(f"push({number})", argument="stack") for number in (1, 2, 3)]
    assert written(record(*shadowing, call("pop()")))[0][0] == "for stack_ in (1, 2, 3):"


def test_arguments_that_differ_in_several_places_are_no_loop():
    puts = [call(f"put({number}, {number})") for number in (1, 2, 3)]
    assert written(record(*puts, call("pop()")))[0][:3] == ["stack.put(1, 1)", "stack.put(2, 2)", "stack.put(3, 3)"]
    several = [call(f"put({number}, 5)") for number in (1, 2, 3)]
    assert written(record(*several, call("pop()")))[0][1] == "    stack.put(value, 5)"


def test_observers_that_tell_always_the_same_or_change_the_object_are_left_out():
    one = record(call("push(1)"), values={SIZE: "1", LENGTH: "9"})
    two = record(call("push(2)"), values={SIZE: "2", LENGTH: "9"})
    assert written(one, two)[0][1:] == ["assert stack.size == 1"]
    assert written(one, two, changing={SIZE})[0][1:] == []
    assert written(one)[0][1:] == ["assert stack.size == 1", "assert len(stack) == 9"]


def test_parts_of_results_are_asserted_where_they_are_always_the_same():
    first, same = Observer("{object}[0]", len, always=True), Observer("{object}[1] is stack", len, always=True)
    one = record(call("split()", NOT_PLAIN, name="result"), values={first: "3", same: "True"})
    assert written(one, one)[1] == ["result = stack.split()", "assert stack[0] == 3", "assert stack[1] is stack"]


def test_what_a_routine_gives_as_the_last_thing_is_asserted_last():
    probes = {"pop": Probe("pop", (), ("2", "1"), 0)}
    after = ObjectFacts(None, 2, (1, 2))
    one = replace(record(call("push(2)"), values={SIZE: "2"}), after=after, probes=probes)
    other = record(call("push(2)"), values={SIZE: "0"})
    assert written(one, other) == [
        ["stack.push(2)", "assert stack.size == 2", "assert [stack.pop() for _ in range(2)] == [2, 1]"],
        ["stack.push(2)", "assert stack.size == 0"],
    ]
    assert TestWriter([one, other], (), {"pop"}).write("test_push", one).endswith("assert stack.size == 2")


def test_an_observer_that_is_not_plain_somewhere_is_left_out():
    one, two = (record(call("push(1)"), values={SIZE: source}) for source in ("1", NOT_PLAIN))
    assert written(one, two)[0][1:] == []


def test_what_an_iteration_tells_is_asserted_again_where_it_is_first_told():
    one = record(call("push(1)"), values={ITEMS: "[1]", LENGTH: "1"}, answers={WITHIN: {"1": "True", "2": "False"}})
    two = record(call("push(2)"), values={ITEMS: "[1, 2]", LENGTH: "2"}, answers={WITHIN: {"1": "True", "2": "True"}})
    three = record(call("push(2)"), values={ITEMS: "[2]", LENGTH: "1"}, answers={WITHIN: {"1": "False"}})
    assert [lines[1:] for lines in written(one, two, three)] == [
        ["assert list(stack) == [1]", "assert len(stack) == 1", "assert 1 in stack", "assert 2 not in stack"],
        ["assert list(stack) == [1, 2]", "assert len(stack) == 2"],
        ["assert list(stack) == [2]"],
    ]


def test_the_text_is_asserted_where_nothing_else_tells_the_same():
    one = record(call("push(1)"), values={SIZE: "1", TEXT: '"<1>"'})
    two = record(call("push(2)"), values={SIZE: "2", TEXT: '"<2>"'})
    other = record(call("push(3)"), values={SIZE: "1", TEXT: '"<3>"'})
    assert written(one, two)[0][1:] == ["assert stack.size == 1"]
    assert written(one, two, other)[0][1:] == ["assert stack.size == 1", 'assert repr(stack) == "<1>"']


def test_questions_about_many_values_are_one_assertion():
    one = record(call("push(1)"), answers={HAS: {"1": "True", "2": "False", "3": "True"}})
    assert written(one)[0][1:] == ["assert [value for value in (1, 2, 3) if stack.has(value)] == [1, 3]"]
    two = record(call("push(1)"), answers={HAS: {"1": "True", "2": "False"}})
    assert written(two)[0][1:] == ["assert stack.has(1) is True", "assert stack.has(2) is False"]
    many = {str(number): "False" for number in range(10**6, 10**6 + 12)}
    assert written(record(call("push(1)"), answers={HAS: many}))[0][1] == "values = ("


def test_a_blank_line_sets_off_the_call_of_a_long_test():
    long = record(call("push(1)"), call("pop()"), call("push(1)"), call("pop()"))
    lines = TestWriter([long], ()).write("test_pop", long).split("\n")
    assert lines[:2] == ["def test_pop():", "    stack = Stack()"]
    assert lines[-2:] == ["", "    stack.pop()"]
