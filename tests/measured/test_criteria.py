"""Selections by a criterion are those that one makes by hand, class by class."""

from dataclasses import dataclass
from types import SimpleNamespace

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from harness.kernel.inputs.suites import Call
from harness.measured.scored_criteria import MeasuredCriterion, criteria_of
from harness.measuring.job import BRANCHES, CONDITIONS, EQ_CLASS
from harness.measuring.measurement import InputClasses


@st.composite
def criteria(draw) -> MeasuredCriterion:
    """Draw classes of up to twelve units, with one to three inputs each."""
    of_units = draw(st.lists(st.integers(0, 3), min_size=1, max_size=12))
    numbers = {value: number for number, value in enumerate(sorted(set(of_units)))}
    inputs = [draw(st.integers(1, 3)) for _ in of_units]
    units = np.repeat(np.arange(len(of_units)), inputs)
    return MeasuredCriterion("made up", np.array([numbers[of_units[unit]] for unit in units]), units)


def by_hand(criterion: MeasuredCriterion) -> dict[int, dict[int, list[int]]]:
    """Return the inputs by class and unit."""
    numbers_by_class: dict[int, dict[int, list[int]]] = {}
    for number, (cls, unit) in enumerate(zip(criterion.classes.tolist(), criterion.units.tolist(), strict=True)):
        numbers_by_class.setdefault(cls, {}).setdefault(unit, []).append(number)
    return numbers_by_class


def chosen(mask) -> list[int]:
    return np.flatnonzero(mask).tolist()


@settings(derandomize=True, max_examples=60, deadline=None)
@given(criteria(), st.integers(0, 5))
def test_the_first_unit_of_each_class_is_selected_or_one_that_is_drawn(criterion, seed):
    numbers_by_class = by_hand(criterion)
    assert criterion.count == len(numbers_by_class)
    assert chosen(criterion.first_of_each()) == sorted(n for of in numbers_by_class.values() for n in of[min(of)])
    drawn = chosen(criterion.drawn(seed))
    units = {criterion.units[number] for number in drawn}
    assert len(units) == len(numbers_by_class)
    assert {criterion.classes[number] for number in drawn} == set(numbers_by_class)
    assert drawn == [number for number, unit in enumerate(criterion.units) if unit in units]


@settings(derandomize=True, max_examples=60, deadline=None)
@given(criteria(), st.integers(0, 5), st.data())
def test_inputs_in_turn_come_from_all_classes_before_a_second_one_comes_from_any(criterion, seed, data):
    inputs = len(criterion.units)
    size = data.draw(st.integers(1, inputs))
    plain = []
    numbers_by_class = by_hand(criterion)
    for turn in range(inputs):
        units = [of[sorted(of)[turn]] for of in numbers_by_class.values() if turn < len(of)]
        plain += sorted(number for of_unit in units for number in of_unit)
    assert chosen(criterion.in_turn([size])[0]) == sorted(plain[:size])
    (at_random,) = criterion.in_turn([size], seed)
    assert at_random.sum() == size
    units = {(criterion.classes[number], criterion.units[number]) for number in chosen(at_random)}
    per_class = [sum(cls == one for one, _ in units) for cls in numbers_by_class]
    full = [len(of) for of in numbers_by_class.values()]
    missing = [count for count, most in zip(per_class, full, strict=True) if count < most]
    assert max(per_class) - min(missing, default=max(per_class)) <= 1


def test_every_unit_of_a_class_is_drawn_by_some_seed():
    criterion = MeasuredCriterion("made up", np.array([0, 0, 0, 1]), np.arange(4))
    assert {tuple(chosen(criterion.drawn(seed))) for seed in range(20)} == {(0, 3), (1, 3), (2, 3)}


@dataclass(frozen=True)
class SampleSuite:
    """Two states with a call of each of two targets, of which the second has a precondition of its own."""

    calls: tuple[Call, ...] = (Call(0, ()), Call(1, ()))

    def __len__(self) -> int:
        return 4

    def input(self, number: int) -> tuple[int, int]:
        return divmod(number, 2)


def test_criteria_of_states_select_states_and_those_that_look_at_calls_inputs():
    input_classes = InputClasses({EQ_CLASS: [0, 0, 0, 0], CONDITIONS: [0, 0, 1, 0], BRANCHES: [0, 1, 0, 0]}, {}, {})
    bounds = SimpleNamespace(targets=[SimpleNamespace(requires=None), SimpleNamespace(requires="is_sorted")])
    criteria = {criterion.name: criterion for criterion in criteria_of(input_classes, SampleSuite(), bounds)}
    selected = {name: chosen(criterion.first_of_each()) for name, criterion in criteria.items()}
    assert selected == {
        "eq_class": [0, 1],
        "conditions": [0, 1, 2],
        "branches": [0, 1, 3],
        "eq_class & conditions": [0, 1, 2],
        "eq_class & branches": [0, 1, 3],
        "conditions & branches": [0, 1, 2, 3],
        "eq_class & conditions & branches": [0, 1, 2, 3],
    }


def test_all_calls_on_a_state_are_one_unit():
    bounds = SimpleNamespace(targets=[SimpleNamespace(requires=None)] * 2)
    (criterion,) = criteria_of(InputClasses({EQ_CLASS: [0, 0, 0, 0]}, {}, {}), SampleSuite(), bounds)
    assert chosen(criterion.first_of_each()) == [0, 1]


def test_sequences_are_units_on_their_own():
    (criterion,) = criteria_of(InputClasses({BRANCHES: [0, 0, 0, 1]}, {}, {}), SampleSuite(), None)
    assert chosen(criterion.first_of_each()) == [0, 1, 3]
