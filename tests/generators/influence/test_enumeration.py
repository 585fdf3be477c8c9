"""Orders of routines and the candidates of a target: by definition, with each switch, as reported, and on the page."""

from itertools import islice
from pathlib import Path

import pytest
from candidate_classes import FLAGS, TEMPERATURE_MONITOR, flags, temperature_monitor
from hypothesis import given, settings
from hypothesis import strategies as st
from naive_candidates import classes_by_swaps, naive_candidates, naive_orders
from random_influences import programs
from support.documents import rows_of

from harness.generators.influence.candidate import CandidateCall, CandidateSequence, PartialOrder, Switches
from harness.generators.influence.enumeration import CandidateEnumeration, Order, Orders
from harness.generators.influence.influence import influence_of
from harness.kernel.specs.spec import load_spec
from harness.model.routines import RoutineKind
from harness.model.sequence import SequenceScope
from harness.runner.subjects import load_subject

PAGE = (Path(__file__).parents[3] / "docs" / "candidate_sequences.md").read_text()
COLUMNS = [
    Switches(data_flow=False, partial_order=PartialOrder.NO),
    Switches(partial_order=PartialOrder.NO),
    Switches(partial_order=PartialOrder.PRINTED),
    Switches(partial_order=PartialOrder.YES),
]


def counted(text: str, scope: SequenceScope, target: str | None, most_calls: int, switches: Switches) -> int:
    influence = influence_of([("program", text)], scope)
    targets = [number for number, routine in enumerate(scope.routines) if target in (None, routine.name)]
    return sum(
        1 for number in targets for _ in CandidateEnumeration(influence, scope.routines, number, most_calls, switches)
    )


def of_subject(name: str) -> tuple[str, SequenceScope]:
    subject = load_subject(name)
    return subject.source, load_spec(subject.spec_source, str(subject.spec_path)).sequences(3, subject.source)


@pytest.mark.parametrize(
    ("beginning", "program", "target", "most_calls"),
    [
        (
            "TemperatureMonitor, target `warning`, up to 6 calls",
            (TEMPERATURE_MONITOR, temperature_monitor),
            "warning",
            6,
        ),
        ("three setters of section 4.3.4, target `calculate`, up to 6 calls", (FLAGS, flags), "calculate", 6),
        ("`hash_set`, all targets, up to 5 calls", "hash_set", None, 5),
        ("`binomial_heap`, all targets, up to 4 calls", "binomial_heap", None, 4),
    ],
)
def test_the_page_shows_how_many_candidates_each_switch_leaves(beginning, program, target, most_calls):
    text, scope = of_subject(program) if isinstance(program, str) else (program[0], program[1]())
    numbers = [counted(text, scope, target, most_calls, switches) for switches in COLUMNS]
    assert f"| {beginning} | {' | '.join(map(str, numbers))} |" in PAGE


def test_the_page_shows_the_table_of_influence():
    influence = influence_of([("monitor", TEMPERATURE_MONITOR)], temperature_monitor())
    words = " ".join(PAGE.split())
    for facts, influenced in zip(influence.facts, influence.direct, strict=True):
        effects, later = facts.effects, (influence.facts[number].name for number in sorted(influenced))
        cells = [sorted(effects.writes), sorted(effects.reads), [" or ".join(one) for one in facts.takes]]
        cells += [sorted(facts.makes), later]
        assert " ".join([facts.name, *(", ".join(cell) or "-" for cell in cells)]) in words


@pytest.mark.parametrize("name", ["jtc_tree_map", "jtc_linked_list"])
def test_on_the_classes_of_chapter_6_each_method_may_influence_each(name):
    text, scope = of_subject(name)
    methods = len(scope.routines) - 1
    expected = sum(methods**length for length in range(4))
    assert [counted(text, scope, None, 4, switches) for switches in COLUMNS[1:]] == [expected] * 3


ALL = Switches()


def enumeration(
    text: str, scope: SequenceScope, name: str, most_calls: int, switches: Switches
) -> CandidateEnumeration:
    target = next(number for number, routine in enumerate(scope.routines) if routine.name == name)
    return CandidateEnumeration(influence_of([("m", text)], scope), scope.routines, target, most_calls, switches)


def monitor(most_calls: int, switches: Switches = ALL, name: str = "warning") -> CandidateEnumeration:
    return enumeration(TEMPERATURE_MONITOR, temperature_monitor(), name, most_calls, switches)


def of_length(candidates: list[CandidateSequence], length: int) -> list[CandidateSequence]:
    return [candidate for candidate in candidates if len(candidate) == length]


def test_the_sequence_that_the_thesis_looks_for_is_among_the_candidates():
    assert "o0 = TemperatureMonitor(); o0.set_enabled(?); o0.update_temperature(?); o0.warning()" in [
        str(candidate) for candidate in monitor(4)
    ]


def test_candidates_come_from_the_shortest_and_end_at_the_most_calls():
    lengths = [len(candidate) for candidate in monitor(5)]
    assert lengths == sorted(lengths)
    assert set(lengths) == {2, 3, 4, 5}


def test_candidates_are_made_as_they_are_asked_for():
    assert len(list(islice(monitor(400), 50))) == 50


def test_of_the_six_orders_of_three_setters_one_is_kept():
    def candidates_of_setters(partial_order: PartialOrder) -> list[str]:
        candidates = enumeration(FLAGS, flags(), "calculate", 5, Switches(partial_order=partial_order))
        texts = [str(candidate) for candidate in candidates]
        return [text for text in texts if all(f"set_{name}" in text for name in "abc")]

    assert len(candidates_of_setters(PartialOrder.NO)) == 6
    assert candidates_of_setters(PartialOrder.YES) == [
        "o0 = Flags(); o0.set_a(?); o0.set_b(?); o0.set_c(?); o0.calculate()"
    ]
    assert candidates_of_setters(PartialOrder.PRINTED) == candidates_of_setters(PartialOrder.YES)


def test_the_printed_rule_loses_what_only_another_order_does():
    text = TEMPERATURE_MONITOR + "    def is_left(self): return self.temperature > 80 and not self.enabled\n"
    scope = temperature_monitor()
    scope.method("is_left")
    disabled_after_update = "set_enabled(?); o0.update_temperature(?); o0.set_enabled(?); o0.is_left()"

    def has(partial_order: PartialOrder) -> bool:
        candidates = enumeration(text, scope, "is_left", 5, Switches(partial_order=partial_order))
        return any(disabled_after_update in str(candidate) for candidate in candidates)

    assert has(PartialOrder.NO)
    assert has(PartialOrder.YES)
    assert not has(PartialOrder.PRINTED)


@pytest.mark.parametrize("grouped", [False, True])
def test_candidates_that_begin_with_what_cannot_be_passed_are_not_given_out(grouped):
    candidates = monitor(5, Switches(grouped=grouped))
    given_out = []
    for candidate in candidates:
        given_out.append(candidate)
        if str(candidate).startswith("o0 = TemperatureMonitor(); o0.set_enabled(?)"):
            candidates.leave_out(candidate.calls[:2])
    blocked = [one for one in given_out if len(one) > 1 and one.calls[1].name == "set_enabled"]
    assert len(blocked) == 1
    expected = [one for one in monitor(5, Switches(grouped=grouped)) if one.calls[1].name != "set_enabled"]
    assert [one for one in given_out if one not in blocked] == expected


@settings(max_examples=40, deadline=None)
@given(programs(), st.integers(0, 3), st.booleans(), st.booleans())
def test_candidates_are_exactly_those_of_the_definition(program, number, data_flow, grouped):
    text, scope = program
    influence = influence_of([("m", text)], scope)
    target = number % len(scope.routines)
    switches = Switches(data_flow, PartialOrder.NO, grouped)
    candidates = list(CandidateEnumeration(influence, scope.routines, target, 4, switches))
    for length in range(1, 5):
        expected = naive_candidates(influence, scope.routines, target, length, data_flow)
        assert sorted(map(str, of_length(candidates, length))) == sorted(map(str, expected))
        assert set(of_length(candidates, length)) == expected


@settings(max_examples=40, deadline=None)
@given(programs(), st.integers(0, 3), st.booleans())
def test_of_candidates_that_differ_by_commuting_swaps_exactly_one_is_kept(program, number, grouped):
    text, scope = program
    influence = influence_of([("m", text)], scope)
    target = number % len(scope.routines)
    switches = Switches(True, PartialOrder.YES, grouped)
    candidates = list(CandidateEnumeration(influence, scope.routines, target, 4, switches))
    for length in range(1, 5):
        every = naive_candidates(influence, scope.routines, target, length, data_flow=True)
        here = set(of_length(candidates, length))
        classes = classes_by_swaps(every, influence)
        assert here <= every
        assert [len(one & here) for one in classes] == [1] * len(classes)


@settings(max_examples=30, deadline=None)
@given(programs(), st.integers(0, 3), st.booleans(), st.sampled_from(PartialOrder))
def test_grouping_changes_nothing_but_the_order(program, number, data_flow, partial_order):
    text, scope = program
    influence = influence_of([("m", text)], scope)
    target = number % len(scope.routines)
    one, other = (
        list(CandidateEnumeration(influence, scope.routines, target, 4, Switches(data_flow, partial_order, grouped)))
        for grouped in (False, True)
    )
    assert set(one) == set(other)
    assert len(one) == len(other)
    for length in range(1, 5):
        prefixes = [candidate.calls[: length - 1] for candidate in other if len(candidate) == length]
        changes = [prefix for at, prefix in enumerate(prefixes) if at == 0 or prefixes[at - 1] != prefix]
        assert len(changes) == len(set(changes))


HEAP = CandidateCall(0, "Heap", RoutineKind.CONSTRUCTOR, None, ())


def test_a_candidate_reads_as_the_calls_of_a_test_with_what_is_left_open():
    push = CandidateCall(2, "push", RoutineKind.FUNCTION, 0, (None, 1))
    assert str(CandidateSequence((HEAP, HEAP, push))) == "o0 = Heap(); o1 = Heap(); push(o0, ?, o1)"


WARNING = 4


def grouped(orders: Orders, length: int, begun: Order = ()) -> list[Order]:
    if len(begun) == length:
        return [begun]
    return [whole for routine in orders.forward(begun, length) for whole in grouped(orders, length, (*begun, routine))]


def test_the_temperature_monitor_has_the_orders_of_table_4_3():
    monitor = influence_of([("monitor", TEMPERATURE_MONITOR)], temperature_monitor())
    orders, printed = Orders(monitor, WARNING), Orders(monitor, WARNING, printed_rule=True)
    by_length = [list(orders.backward(length)) for length in range(1, 7)]
    numbers = [[1, 2, 5, 14, 41, 122], [0, 1, 2, 5, 14, 41], [1, 2, 4, 7, 11, 16]]
    assert [len(some) for some in by_length] == numbers[0]
    assert [sum(order[0] == 0 for order in some) for some in by_length] == numbers[1], "can be executed"
    assert [len(list(printed.backward(length))) for length in range(1, 7)] == numbers[2]
    shown = rows_of("docs/candidate_sequences.md", "| length n |")
    assert [[*map(int, cells)] for _, *cells, _ in shown] == numbers


@settings(max_examples=40, deadline=None)
@given(programs(), st.integers(0, 3), st.integers(1, 5), st.booleans())
def test_both_ways_find_exactly_the_orders_that_the_definition_allows(program, target, length, printed_rule):
    text, scope = program
    influence = influence_of([("thing", text)], scope)
    target = target % len(influence.facts)
    orders = Orders(influence, target, printed_rule)
    backward, forward = list(orders.backward(length)), grouped(orders, length)
    expected = naive_orders(influence, target, length, printed_rule)
    assert set(backward) == set(forward) == expected
    assert len(backward) == len(forward) == len(expected)
    assert forward == sorted(forward)
    assert orders.has_any(length) == bool(expected)
