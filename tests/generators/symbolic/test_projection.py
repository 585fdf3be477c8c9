"""A projection contains the constraints on some variables alone, and two projections are compared by strength."""

from itertools import product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from support.symbolic_alone import SolverSystem

from harness.generators.symbolic.differences import Differences, Space
from harness.generators.symbolic.hybrid_system import mixed_space
from harness.generators.symbolic.systems import System

VARIABLES = 4
REACH = range(-2, 3)

questions = st.lists(
    st.tuples(
        st.booleans(), st.booleans(), st.integers(0, VARIABLES), st.integers(0, VARIABLES), st.integers(-2, 2)
    ).filter(lambda one: one[2] != one[3]),
    max_size=8,
)
slots = st.lists(st.tuples(st.integers(1, VARIABLES), st.integers(-1, 1)), min_size=1, max_size=3).map(tuple)


def decided(system: System, asking: list[tuple[bool, bool, int, int, int]]) -> System:
    for is_equation, wish, x, y, c in asking:
        pair = system.equal(x, y, c) if is_equation else system.at_most(x, y, c)
        chosen = pair[0] if (wish and pair[0] is not None) or pair[1] is None else pair[1]
        system = chosen
    return system


def is_solution(system: Differences, values: tuple[int, ...]) -> bool:
    cells = (0, *values)
    bounds = system.bounds
    return all(cells[x] - cells[y] <= bounds[x][y] for x in range(len(cells)) for y in range(len(cells))) and not any(
        cells[x] - cells[y] == d for x, y, d in system.holes
    )


def is_completed(system: Differences, chosen: tuple[tuple[int, int], ...], values: tuple[int, ...]) -> bool:
    """Return whether the slots can have these values."""
    fixed: System | None = system
    for (x, added), value in zip(chosen, values, strict=True):
        answer = fixed.equal(x, 0, value - added)[0]
        if not isinstance(answer, System):
            return False
        fixed = answer
    return True


@settings(max_examples=60, deadline=None)
@given(questions, slots)
def test_a_projection_holds_of_the_slots_of_each_solution_and_if_exact_of_no_others(asking, chosen):
    system = decided(Space().free(VARIABLES), asking)
    facts = system.projected(chosen)
    near = [values for values in product(REACH, repeat=VARIABLES) if is_solution(system, values)]
    seen = {tuple(values[x - 1] + added for x, added in chosen) for values in near}
    assert all(is_solution(facts.system, one) for one in seen)
    if facts.is_exact:
        inner = product(range(-1, 2), repeat=len(chosen))
        assert all(is_completed(system, chosen, one) for one in inner if is_solution(facts.system, one))


@pytest.mark.slow
@settings(max_examples=30, deadline=None)
@given(questions, questions, slots)
def test_entailment_is_that_of_z3(one, other, chosen):
    space = mixed_space()
    mine = [decided(space.free(VARIABLES), asking).projected(chosen) for asking in (one, other)]
    its = [decided(SolverSystem(VARIABLES), asking).projected(chosen) for asking in (one, other)]
    if all(facts.is_exact for facts in mine):
        assert mine[0].entails(mine[1]) == its[0].entails(its[1])


def test_a_hole_of_a_dead_variable_moves_to_the_live_one_that_is_equal_to_it():
    system = Space().free(3).fixed(3, 1, 0).holed(3, 2, 0)
    facts = system.projected(((1, 0), (2, 0)))
    assert facts.system.holes == ((1, 2, 0),)
    assert facts.is_exact


def test_a_hole_that_hangs_on_a_dead_variable_between_live_ones_makes_a_projection_inexact():
    system = Space().free(4).bounded(1, 3, 0).bounded(3, 2, 0).holed(3, 4, 0)
    assert not system.projected(((1, 0), (2, 0), (4, 0))).is_exact
    assert system.projected(((1, 0), (2, 0))).is_exact


def test_a_hole_can_make_a_bound_follow_that_the_matrix_does_not_have():
    def system(least: int, is_holed: bool) -> Differences:
        drawn = Space().free(4)
        for x, y, c in ((1, 2, 1), (2, 3, 0), (1, 4, 0), (4, 3, 1)):  # 1 - 3 is 1 only if 2 is 3, and 4 is 1
            drawn = drawn.bounded(x, y, c)
        return drawn.holed(2, 4, -1) if is_holed else drawn

    weaker = Space().free(4).bounded(1, 3, 0)
    slots = ((1, 0), (2, 0), (3, 0), (4, 0))
    assert not system(1, False).projected(slots).entails(weaker.projected(slots))
    assert system(1, True).projected(slots).entails(weaker.projected(slots))
