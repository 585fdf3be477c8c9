"""Breadth-first symmetry breaking against all states, renumbered by brute force."""

import pytest
from sat.relational_samples import anything, mixed, numbered_states, rings, solved_states, two_classes
from support.search_trees import trees

from harness.generators.sat.symmetry import SlotNumbering, first_bounds
from harness.kernel.inputs.state_space import StateSpace
from harness.spec import Finitization


def _tokens() -> Finitization:
    f = Finitization("Pair")
    tokens = f.tokens("value", 3)
    f.set("Pair.left", None, tokens)
    f.set("Pair.middle", tokens, None)
    f.set("Pair.right", tokens)
    return f


@pytest.mark.parametrize(
    "finitization", [trees(2), rings(3), two_classes(), mixed(), _tokens()], ids=lambda each: each.domains[0].class_name
)
def test_one_state_of_those_that_differ_in_numbers_is_left(finitization: Finitization) -> None:
    assert solved_states(finitization, anything, tightened=False) == numbered_states(StateSpace(finitization))


def test_the_order_in_which_slots_are_met_is_known_where_no_two_classes_refer_to_each_other() -> None:
    assert all(SlotNumbering(StateSpace(two_classes())).is_ordered(number) for number in (1, 2))
    assert not any(SlotNumbering(StateSpace(mixed())).is_ordered(number) for number in (1, 2))


def test_a_slot_refers_to_nothing_beyond_its_place() -> None:
    space = StateSpace(trees(3))
    bounds = first_bounds(space)
    names = {(space.fields[n].owner, space.fields[n].name): sorted(bounds[n]) for n in bounds}
    assert names[0, "root"] == [0, 1]
    assert names[1, "left"] == [0, 1, 2]
    assert names[1, "right"] == [0, 1, 2, 3]
    assert names[2, "left"] == [0, 1, 2, 3]
