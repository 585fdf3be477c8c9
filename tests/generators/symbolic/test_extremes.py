"""The least and the greatest values of a path, against all solutions within its ranges."""

from __future__ import annotations

from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from harness.generators.symbolic.concretisation import extremes
from harness.generators.symbolic.hybrid_system import mixed_space
from harness.generators.symbolic.systems import System

RANGES = ((0, 4), (-2, 2), (1, 3))
VALUES = list(product(*(range(low, high + 1) for low, high in RANGES)))
CONSTRAINTS = st.lists(
    st.tuples(st.sampled_from(["most", "equal"]), st.booleans(), st.permutations(range(4)), st.integers(-3, 3)),
    max_size=5,
)


@given(CONSTRAINTS)
def test_each_variable_in_turn_has_the_least_or_the_greatest_value_of_all_solutions(constraints: list) -> None:
    system, solutions = mixed_space().free(3), VALUES
    for kind, answer, (x, y, *_), c in constraints:
        decided = (system.at_most if kind == "most" else system.equal)(x, y, c)[0 if answer else 1]
        if not isinstance(decided, System):
            return
        system = decided
        differences = {row: (0, *row)[x] - (0, *row)[y] for row in solutions}
        solutions = [
            row for row in solutions if answer == (differences[row] <= c if kind == "most" else differences[row] == c)
        ]
    expected = {min(solutions), max(solutions)} if solutions else set()
    assert set(extremes(system, RANGES)) == expected


def test_a_sum_is_solved_to_its_least_and_greatest_values() -> None:
    pytest.importorskip("z3")
    system = mixed_space().free(3).linear("==", ((1, 1), (2, 1), (3, 1)), -5)[0]
    assert isinstance(system, System)
    summed = [row for row in VALUES if sum(row) == 5]
    assert extremes(system, RANGES) == [min(summed), max(summed)]
