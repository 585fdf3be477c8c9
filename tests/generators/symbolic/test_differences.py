"""The difference-bound matrix answers as z3 does, and as a look at all values of small domains.

A projection contains the constraints on some variables alone, and two projections are compared by strength.
"""

from itertools import product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from support.symbolic_alone import SolverSystem

from harness.generators.symbolic.concretisation import extremes
from harness.generators.symbolic.formulas import UNKNOWN
from harness.generators.symbolic.systems import Pair, Space, System

VARIABLES = 4
DOMAIN = range(4)

Question = tuple[bool, bool, int, int, int]
questions = st.lists(
    st.tuples(
        st.booleans(), st.booleans(), st.integers(0, VARIABLES), st.integers(0, VARIABLES), st.integers(-3, 3)
    ).filter(lambda one: one[2] != one[3]),
    max_size=14,
)
"""Questions: whether it is an equation, the answer that is wished for, x, y and c."""
slots = st.lists(st.tuples(st.integers(1, VARIABLES), st.integers(-1, 1)), min_size=1, max_size=3).map(tuple)


def answers(system: System, question: Question) -> Pair:
    is_equation, _, x, y, c = question
    return system.equal(x, y, c) if is_equation else system.at_most(x, y, c)


def decided(system: System, asking: list[Question]) -> System:
    for question in asking:
        pair = answers(system, question)
        system = pair[0] if (question[1] and pair[0] is not None) or pair[1] is None else pair[1]
    return system


def holds(values: tuple[int, ...], question: Question) -> bool:
    is_equation, _, x, y, c = question
    cells = (0, *values)
    return cells[x] - cells[y] == c if is_equation else cells[x] - cells[y] <= c


def within_the_domain(system: System) -> System:
    for x in range(1, VARIABLES + 1):
        system = system.bounded(x, 0, DOMAIN[-1]).bounded(0, x, -DOMAIN[0])
    return system


@settings(max_examples=80, deadline=None)
@given(questions)
def test_on_small_domains_the_answers_are_those_of_all_values(asking):
    system: System = within_the_domain(Space(0).free(VARIABLES))
    left = list(product(DOMAIN, repeat=VARIABLES))
    for question in asking:
        yes, no = answers(system, question)
        held = [values for values in left if holds(values, question)]
        counterexamples = [values for values in left if not holds(values, question)]
        assert (yes is not None) == bool(held)
        assert (no is not None) == bool(counterexamples)
        system, left = (yes, held) if (question[1] and held) or not counterexamples else (no, counterexamples)
        assert system.solution() in left


@settings(max_examples=25, deadline=None)
@given(questions)
def test_without_bounds_the_answers_are_those_of_z3(asking):
    own: System = Space().free(VARIABLES)
    other: System = SolverSystem(VARIABLES)
    for question in asking:
        mine, its = answers(own, question), answers(other, question)
        assert [answer is None for answer in mine] == [answer is None for answer in its]
        side = 0 if (question[1] and mine[0] is not None) or mine[1] is None else 1
        own, other = mine[side], its[side]
    solution = own.solution()
    assert all(
        holds(solution, (constraint.relation == "==", True, x, y, c))
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

    assert pigeons(Space(0))[1] is UNKNOWN
    assert pigeons(Space())[1] is None


def test_a_solution_keeps_to_the_ranges_of_variables():
    system = Space(0).free(2).at_most(1, 2, -1)[0]
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
    system, solutions = Space().free(3), VALUES
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
    system = Space().free(3).linear("==", ((1, 1), (2, 1), (3, 1)), -5)[0]
    summed = [row for row in VALUES if sum(row) == 5]
    assert extremes(system, RANGES) == [min(summed), max(summed)]


REACH = range(-2, 3)
few_questions = questions.map(lambda asking: asking[:8])


def is_solution(system: System, values: tuple[int, ...]) -> bool:
    cells = (0, *values)
    bounds = system.bounds
    return all(cells[x] - cells[y] <= bounds[x][y] for x in range(len(cells)) for y in range(len(cells))) and not any(
        cells[x] - cells[y] == d for x, y, d in system.holes
    )


def is_completed(system: System, chosen: tuple[tuple[int, int], ...], values: tuple[int, ...]) -> bool:
    """Return whether the slots can have these values."""
    fixed: System | None = system
    for (x, added), value in zip(chosen, values, strict=True):
        answer = fixed.equal(x, 0, value - added)[0]
        if not isinstance(answer, System):
            return False
        fixed = answer
    return True


@settings(max_examples=60, deadline=None)
@given(few_questions, slots)
def test_a_projection_holds_of_the_slots_of_each_solution_and_if_exact_of_no_others(asking, chosen):
    system = decided(Space(0).free(VARIABLES), asking)
    facts = system.projected(chosen)
    near = [values for values in product(REACH, repeat=VARIABLES) if is_solution(system, values)]
    seen = {tuple(values[x - 1] + added for x, added in chosen) for values in near}
    assert all(is_solution(facts.system, one) for one in seen)
    if facts.is_exact:
        inner = product(range(-1, 2), repeat=len(chosen))
        assert all(is_completed(system, chosen, one) for one in inner if is_solution(facts.system, one))


@pytest.mark.slow
@settings(max_examples=30, deadline=None)
@given(few_questions, few_questions, slots)
def test_entailment_is_that_of_z3(one, other, chosen):
    space = Space()
    mine = [decided(space.free(VARIABLES), asking).projected(chosen) for asking in (one, other)]
    its = [decided(SolverSystem(VARIABLES), asking).projected(chosen) for asking in (one, other)]
    if all(facts.is_exact for facts in mine):
        assert mine[0].entails(mine[1]) == its[0].entails(its[1])


def test_a_hole_of_a_dead_variable_moves_to_the_live_one_that_is_equal_to_it():
    system = Space(0).free(3).fixed(3, 1, 0).holed(3, 2, 0)
    facts = system.projected(((1, 0), (2, 0)))
    assert facts.system.holes == ((1, 2, 0),)
    assert facts.is_exact


def test_a_hole_that_hangs_on_a_dead_variable_between_live_ones_makes_a_projection_inexact():
    system = Space(0).free(4).bounded(1, 3, 0).bounded(3, 2, 0).holed(3, 4, 0)
    assert not system.projected(((1, 0), (2, 0), (4, 0))).is_exact
    assert system.projected(((1, 0), (2, 0))).is_exact


def test_a_hole_can_make_a_bound_follow_that_the_matrix_does_not_have():
    def system(least: int, is_holed: bool) -> System:
        drawn = Space(0).free(4)
        for x, y, c in ((1, 2, 1), (2, 3, 0), (1, 4, 0), (4, 3, 1)):  # 1 - 3 is 1 only if 2 is 3, and 4 is 1
            drawn = drawn.bounded(x, y, c)
        return drawn.holed(2, 4, -1) if is_holed else drawn

    weaker = Space(0).free(4).bounded(1, 3, 0)
    slots = ((1, 0), (2, 0), (3, 0), (4, 0))
    assert not system(1, False).projected(slots).entails(weaker.projected(slots))
    assert system(1, True).projected(slots).entails(weaker.projected(slots))
