"""A test ends with the routine that reveals the most, if it reveals something that nothing else does."""

from harness.kernel.inputs.call_source import WrittenCall
from harness.model.routines import Routine, RoutineKind
from harness.report.written_tests.assertions import best_probe, probed
from harness.report.written_tests.object_facts import ObjectFacts
from harness.report.written_tests.observations import ObjectObservations
from harness.report.written_tests.observers import ITEMS, Observer
from harness.report.written_tests.probes import Probe
from harness.report.written_tests.recording import Record, RecordedCall

CALL = RecordedCall(WrittenCall(None, "bag.put(1)"), Routine("put", RoutineKind.METHOD, ()), ())
SIZE = Observer("{object}.size", len)
HAS = Observer("{object}.has({value})", lambda held, value: value in held)


def draining(*answers: str, name: str = "take", left: int = 0) -> Probe:
    return Probe(name, (), answers, left)


def asking(name: str = "remove", left: int = 0, **answers: str) -> Probe:
    return Probe(name, tuple(value.strip("_") for value in answers), tuple(answers.values()), left)


def record(
    *probes: Probe,
    held: tuple[int, ...] = (),
    values: dict[Observer, str] | None = None,
    answers: dict[Observer, dict[str, str]] | None = None,
) -> Record:
    observations = (ObjectObservations("bag", "Bag", values or {}, answers or {}),)
    after = ObjectFacts(None, len(held), held)
    return Record(0, (), (CALL,), observations, None, after, {probe.routine: probe for probe in probes})


def test_a_routine_that_names_a_value_which_nothing_shows_is_asked():
    one = record(draining("1"), held=(1,), values={SIZE: "1"})
    assert best_probe([one], [SIZE], ()) == "take"
    assert best_probe([one], [SIZE], {"take"}) == ""


def test_a_routine_is_not_asked_where_items_or_questions_show_the_values():
    items = record(draining("1"), held=(1,), values={ITEMS: "[1]"})
    answered = record(draining("1"), held=(1,), answers={HAS: {"1": "True", "2": "False"}})
    assert best_probe([items, answered], [ITEMS, HAS], ()) == ""
    assert best_probe([items, answered], [], ()) == "take", "observers that are not asserted show nothing"


def test_a_routine_is_asked_where_it_alone_tells_objects_apart():
    ups = record(draining("1", "2"), held=(1, 2), values={ITEMS: "[1, 2]"})
    downs = record(draining("2", "1"), held=(1, 2), values={ITEMS: "[1, 2]"})
    assert best_probe([ups, downs], [ITEMS], ()) == "take"
    assert best_probe([ups, ups], [ITEMS], ()) == ""


def test_answers_about_other_values_tell_nothing_apart():
    one = record(asking(_1="True", _2="False"), values={SIZE: "1"})
    other = record(asking(_1="True"), values={SIZE: "1"})
    assert best_probe([one, other], [SIZE], ()) == ""


def test_what_is_always_answered_the_same_is_not_asked():
    always = asking("add", _1="True", _2="True")
    assert best_probe([record(always, held=(1,)), record(always, held=(2,))], [], ()) == ""


def test_of_routines_that_tell_as_much_one_in_order_goes_first_then_the_one_that_leaves_least():
    remove, add = asking(_1="True", _2="False"), asking("add", left=9, _1="True", _2="False")
    assert best_probe([record(remove, draining("1", left=5), held=(1,))], [], ()) == "take"
    assert best_probe([record(add, remove, held=(1,))], [], ()) == "remove"


def test_probes_are_written_as_calls_in_a_row():
    assert probed(draining("1"), "bag", ()) == ["assert bag.take() == 1"]
    assert probed(draining("1", "None"), "bag", ()) == ["assert [bag.take() for _ in range(2)] == [1, None]"]
    assert probed(asking(_1="True", _2="False"), "bag", ()) == [
        "assert bag.remove(1) is True", "assert bag.remove(2) is False",
    ]  # fmt: skip
    assert probed(asking(_1="True", _2="False", _3="True"), "bag", ()) == [
        "assert [value for value in (1, 2, 3) if bag.remove(value)] == [1, 3]"
    ]
    assert probed(asking(_1="5", _2="None"), "bag", ()) == ["assert bag.remove(1) == 5", "assert bag.remove(2) is None"]
    assert probed(asking(_1="5", _2="None", _3="7"), "bag", {"value"}) == [
        "assert [bag.remove(value_) for value_ in (1, 2, 3)] == [5, None, 7]"
    ]
