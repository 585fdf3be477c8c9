"""Orders of routines and the candidates of a target: by definition, with each switch, as reported, and on the page."""

from collections.abc import Iterator, Sequence
from itertools import islice, pairwise, product
from pathlib import Path

import pytest
from candidate_classes import FLAGS, TEMPERATURE_MONITOR, flags, temperature_monitor
from hypothesis import given, settings
from hypothesis import strategies as st
from support.documents import rows_of

from harness.generators.influence.candidate import CandidateCall, CandidateSequence, PartialOrder, Switches
from harness.generators.influence.enumeration import CandidateEnumeration, Order, Orders
from harness.generators.influence.influence import Influence, influence_of
from harness.kernel.specs.spec import load_spec
from harness.model.routines import Routine, RoutineKind
from harness.model.sequence import SequenceScope
from harness.runner.subjects import load_subject

_FIELDS = ("x", "y")


@st.composite
def programs(draw: st.DrawFn) -> tuple[str, SequenceScope]:
    """Draw a text of one or two classes with up to three methods, and the scope of its routines."""
    scope = SequenceScope("Thing")
    scope.constructor()
    with_part = draw(st.booleans())
    if with_part:
        scope.constructor(range(2), name="Part")
    lines = ["total = 0", "class Part:", "    def __init__(self, x): self.x = x", "class Thing:"]
    begun = draw(st.lists(st.sampled_from(_FIELDS), unique=True))
    lines += ["    def __init__(self):", *(f"        self.{name} = 0" for name in begun), "        return None"]
    for number in range(draw(st.integers(1, 3))):
        name = f"m{number}"
        parts = draw(st.sampled_from(["", "thing", "part", "part or value"] if with_part else ["", "thing"]))
        lines.append(f"    def {name}(self{', other' if parts else ''}):")
        lines += [f"        {draw(_statements(bool(parts)))}" for _ in range(draw(st.integers(0, 2)))]
        lines.append("        return 1")
        classes = {"thing": [scope.earlier("Thing")], "part": [scope.earlier("Part")]}
        classes["part or value"] = [(0, scope.earlier("Part"))]
        scope.method(name, *classes.get(parts, []))
    return "\n".join(lines), scope


def _statements(has_other: bool) -> st.SearchStrategy[str]:
    statements = [f"self.{name} = 1" for name in _FIELDS] + [f"self.{name}.real" for name in _FIELDS]
    statements += ["self.x = self.y", "global total; total = 1", "print(total)"]
    if has_other:
        statements += ["other.x = 2", "self.y = other.x"]
    return st.sampled_from(statements)


Calls = tuple[CandidateCall, ...]


def naive_orders(influence: Influence, target: int, length: int, printed_rule: bool = False) -> set[tuple[int, ...]]:
    """Return all tuples of routines, without those in which a routine influences no later one."""
    direct = influence.direct
    every = [(*begun, target) for begun in product(range(len(influence.facts)), repeat=length - 1)]
    return {
        order
        for order in every
        if all(any(later in direct[order[at]] for later in order[at + 1 :]) for at in range(length - 1))
        and not (printed_rule and any(one > other and other not in direct[one] for one, other in pairwise(order)))
    }


def naive_candidates(
    influence: Influence, routines: Sequence[Routine], target: int, length: int, data_flow: bool
) -> set[CandidateSequence]:
    """Each order with each choice of earlier calls for each object, without those of objects of other classes."""
    return {
        CandidateSequence(calls)
        for order in naive_orders(influence, target, length)
        for calls in product(*([*_calls(influence, routines, order, at)] for at in range(length)))
        if not data_flow or all(_influences_some(calls, at, influence) for at in range(length - 1))
    }


def _calls(
    influence: Influence, routines: Sequence[Routine], order: tuple[int, ...], at: int
) -> Iterator[CandidateCall]:
    routine = routines[order[at]]
    takes = [parameter.earlier for parameter in routine.parameters]
    values = [bool(parameter.values) for parameter in routine.parameters]
    for receiver, *arguments in product([*range(at), None], repeat=1 + len(takes)):
        objects = [(receiver, routine.has_receiver, not routine.has_receiver)]
        objects += [(one, bool(classes), has) for one, classes, has in zip(arguments, takes, values, strict=True)]
        slots = [(position, may_be_none) for position, is_object, may_be_none in objects if is_object]
        if any(position is not None for position, is_object, _ in objects if not is_object):
            continue
        if all(
            may_be_none if position is None else influence.passes[order[position]][order[at]][slot]
            for slot, (position, may_be_none) in enumerate(slots)
        ):
            yield CandidateCall(order[at], routine.name, routine.kind, receiver, tuple(arguments))


def _influences_some(calls: Calls, at: int, influence: Influence) -> bool:
    return any(_influences(calls, at, later, influence) for later in range(at + 1, len(calls)))


def _influences(calls: Calls, at: int, later: int, influence: Influence) -> bool:
    one, other = (influence.facts[calls[position].target].effects for position in (at, later))
    return at in calls[later].objects or (one.feeds(other) and _linked(calls, at, later, influence))


def _linked(calls: Calls, at: int, later: int, influence: Influence) -> bool:
    """Return whether results that calls take, or shared objects, connect the two calls."""
    count = len(calls) if later == len(calls) - 1 else len(calls) - 1
    reached, waiting = {at}, [at]
    while waiting:
        here = waiting.pop()
        for other in range(count):
            low, high = min(here, other), max(here, other)
            effects = [influence.facts[calls[position].target].effects for position in (low, high)]
            if other not in reached and (low in calls[high].objects or effects[0].shares(effects[1])):
                reached.add(other)
                waiting.append(other)
    return later in reached


def classes_by_swaps(candidates: set[CandidateSequence], influence: Influence) -> list[set[CandidateSequence]]:
    """Return the candidates in classes: swaps of neighbours that commute, without the last call, connect each class."""
    left = set(candidates)
    classes = []
    while left:
        first = left.pop()
        members, waiting = {first}, [first]
        while waiting:
            for other in _swapped(waiting.pop().calls, influence):
                if other not in members:
                    members.add(other)
                    waiting.append(other)
        classes.append(members)
        left -= members
    return classes


def _swapped(calls: Calls, influence: Influence) -> Iterator[CandidateSequence]:
    for at in range(len(calls) - 2):
        one, other = (influence.facts[calls[position].target].effects for position in (at, at + 1))
        if at in calls[at + 1].objects:
            continue
        if one.commutes_with(other) or not _linked(calls, at, at + 1, influence):
            order = list(range(len(calls)))
            order[at], order[at + 1] = at + 1, at
            yield CandidateSequence(tuple(_moved(calls[position], order) for position in order))


def _moved(call: CandidateCall, order: Sequence[int]) -> CandidateCall:
    def place(position: int | None) -> int | None:
        return None if position is None else order[position]

    arguments = tuple(place(position) for position in call.arguments)
    return CandidateCall(call.target, call.name, call.kind, place(call.receiver), arguments)


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
