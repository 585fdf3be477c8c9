"""The difference-bound matrix answers as z3 does, and as a look at all values of small domains."""

from itertools import product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from support.symbolic_alone import SolverSystem

from harness.generators.symbolic.concretisation import extremes
from harness.generators.symbolic.differences import Differences, Space
from harness.generators.symbolic.hybrid_system import mixed_space
from harness.generators.symbolic.systems import UNKNOWN, Pair, System

VARIABLES = 4
DOMAIN = range(4)

Question = tuple[bool, int, int, int]
questions = st.lists(
    st.tuples(st.booleans(), st.integers(0, VARIABLES), st.integers(0, VARIABLES), st.integers(-3, 3)).filter(
        lambda one: one[1] != one[2]
    ),
    min_size=1,
    max_size=14,
)


def answers(system: System, question: Question) -> Pair:
    is_equation, x, y, c = question
    return system.equal(x, y, c) if is_equation else system.at_most(x, y, c)


def holds(values: tuple[int, ...], question: Question) -> bool:
    is_equation, x, y, c = question
    cells = (0, *values)
    return cells[x] - cells[y] == c if is_equation else cells[x] - cells[y] <= c


def within_the_domain(system: Differences) -> Differences:
    for x in range(1, VARIABLES + 1):
        system = system.bounded(x, 0, DOMAIN[-1]).bounded(0, x, -DOMAIN[0])
    return system


@settings(max_examples=80, deadline=None)
@given(questions, st.lists(st.booleans(), min_size=14, max_size=14))
def test_on_small_domains_the_answers_are_those_of_all_values(asking, wishes):
    system: System = within_the_domain(Space().free(VARIABLES))
    left = list(product(DOMAIN, repeat=VARIABLES))
    for question, wish in zip(asking, wishes, strict=False):
        yes, no = answers(system, question)
        held = [values for values in left if holds(values, question)]
        counterexamples = [values for values in left if not holds(values, question)]
        assert (yes is not None) == bool(held)
        assert (no is not None) == bool(counterexamples)
        system, left = (yes, held) if (wish and held) or not counterexamples else (no, counterexamples)
        assert system.solution() in left


@settings(max_examples=25, deadline=None)
@given(questions, st.lists(st.booleans(), min_size=14, max_size=14))
def test_without_bounds_the_answers_are_those_of_z3(asking, wishes):
    own: System = mixed_space().free(VARIABLES)
    other: System = SolverSystem(VARIABLES)
    for question, wish in zip(asking, wishes, strict=False):
        mine, its = answers(own, question), answers(other, question)
        assert [answer is None for answer in mine] == [answer is None for answer in its]
        side = 0 if (wish and mine[0] is not None) or mine[1] is None else 1
        own, other = mine[side], its[side]
    solution = own.solution()
    assert all(
        holds(solution, (constraint.relation == "==", x, y, c))
        for constraint in other.constraints
        if constraint.relation != "!="
        for x, y, c in [_as_difference(constraint.coefficients, constraint.constant)]
    )


def _as_difference(coefficients: tuple[tuple[int, int], ...], constant: int) -> tuple[int, int, int]:
    x = next((x for x, weight in coefficients if weight > 0), 0)
    y = next((y for y, weight in coefficients if weight < 0), 0)
    return x, y, -constant


def test_what_takes_too_many_cases_goes_to_the_solver_or_is_unknown():
    def pigeons(space: Space) -> Pair:
        system: System = space.free(7)
        for x in range(1, 8):
            for question in ((x, 0, 5), (0, x, 0)):
                system = system.at_most(*question)[0]
        for x in range(1, 8):
            for y in range(1, x):
                if (x, y) == (7, 6):
                    return system.equal(x, y, 0)
                system = system.equal(x, y, 0)[1]
                if not isinstance(system, System):
                    return (None, system)
        raise AssertionError

    assert pigeons(Space())[1] is UNKNOWN
    assert pigeons(mixed_space())[1] is None


def test_a_solution_keeps_to_the_ranges_of_variables():
    system = Space().free(2).at_most(1, 2, -1)[0]
    assert system.solution(((1, 3), (1, 3))) == (1, 2)
    assert system.solution(((3, 3), (1, 3))) is None
    assert system.solution() == (0, 1)


RANGES = ((0, 4), (-2, 2), (1, 3))
VALUES = list(product(*(range(low, high + 1) for low, high in RANGES)))
CONSTRAINTS = st.lists(
    st.tuples(st.sampled_from(["most", "equal"]), st.booleans(), st.permutations(range(4)), st.integers(-3, 3)),
    max_size=5,
)


@given(CONSTRAINTS)
def test_each_variable_in_turn_has_the_least_or_the_greatest_value_of_all_solutions(constraints):
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


def test_a_sum_is_solved_to_its_least_and_greatest_values():
    pytest.importorskip("z3")
    system = mixed_space().free(3).linear("==", ((1, 1), (2, 1), (3, 1)), -5)[0]
    summed = [row for row in VALUES if sum(row) == 5]
    assert extremes(system, RANGES) == [min(summed), max(summed)]
