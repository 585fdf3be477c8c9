"""Integers in the order encoding against Python's."""

from itertools import product

import pytest
from sat.circuit_values import value

from harness.generators.sat import numbers
from harness.generators.sat.circuits import FALSE, TRUE, Circuits
from harness.generators.sat.comparisons import Integers, total
from harness.generators.sat.numbers import Unary


def _read(circuits: Circuits, number: Unary, values: dict[int, bool]) -> int:
    reached = [value(circuits, each, values) for each in number.reached]
    assert reached == sorted(reached, reverse=True)
    return number.least + sum(reached)


@pytest.mark.parametrize("size", range(6))
def test_counting_counts(size: int) -> None:
    circuits = Circuits()
    inputs = [circuits.input() for _ in range(size)]
    counted = numbers.counted(circuits, [TRUE, *inputs, FALSE])
    for booleans in product([False, True], repeat=size):
        assert _read(circuits, counted, dict(zip(inputs, booleans, strict=True))) == 1 + sum(booleans)


def test_a_chain_of_implications_is_its_own_count() -> None:
    circuits = Circuits()
    first, second = circuits.input(), circuits.input()
    circuits.imply(second, first)
    assert numbers.counted(circuits, [first, second]) == Unary(0, (first, second))
    assert len(circuits.gates) == 4


def test_arithmetic_and_order_are_those_of_python() -> None:
    circuits = Circuits()
    inputs = [circuits.input() for _ in range(5)]
    one = numbers.counted(circuits, inputs[:2])
    other = numbers.times(numbers.counted(circuits, inputs[2:]), 2)
    difference = numbers.added(circuits, one, numbers.negated(other))
    comparisons = [
        (numbers.equal(circuits, one, other), lambda a, b: a == b),
        (numbers.less(circuits, one, other), lambda a, b: a < b),
        (numbers.not_more(circuits, one, other), lambda a, b: a <= b),
        (numbers.less(circuits, difference, Unary(-1)), lambda a, b: a - b < -1),
    ]
    for booleans in product([False, True], repeat=5):
        values = dict(zip(inputs, booleans, strict=True))
        a, b = sum(booleans[:2]), 2 * sum(booleans[2:])
        assert _read(circuits, one, values) == a
        assert _read(circuits, other, values) == b
        assert _read(circuits, difference, values) == a - b
        for literal, expected in comparisons:
            assert value(circuits, literal, values) is expected(a, b)


@pytest.mark.parametrize("lone", [False, True])
def test_the_total_of_a_set_is_the_sum_of_its_integers(lone: bool) -> None:
    circuits = Circuits()
    held = {each: circuits.input() for each in (-2, -1, 0, 3)}
    sum_of_set = total(circuits, Integers(held, lone))
    for booleans in product([False, True], repeat=4):
        if not lone or sum(booleans) <= 1:
            values = dict(zip(held.values(), booleans, strict=True))
            assert _read(circuits, sum_of_set, values) == sum(
                each for each, here in zip(held, booleans, strict=True) if here
            )
