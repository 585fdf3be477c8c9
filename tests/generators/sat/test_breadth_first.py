"""Breadth-first numbering keeps the structure and depends on nothing but it; pairs are those of a naive walk."""

import random

import pytest
from naive_instances import NaiveInstances, task_of

from harness.generators.sat.pairs import field_names, pairs_of
from harness.generators.states.canonical_form import canonical_form, renumbered
from harness.generators.states.reference.search import KoratSearch
from harness.kernel.inputs.state_space import PLAIN, StateSpace
from harness.model.finitization import Finitization


def relabelled(space: StateSpace, vector, chance: random.Random):
    """Return the same structure with all objects but the root permuted within their class domains."""
    new_number = {}
    for domain in space.finitization.domains:
        same = [owner.number for owner in space.objects if owner.domain.number == domain.number]
        new_number.update(zip(same, chance.sample(same, len(same)), strict=True))
    result = [0] * space.width
    for field in space.fields:
        owner = space.objects[new_number[field.owner]]
        place = owner.first + field.number - space.objects[field.owner].first
        other = field.domain.objects[vector[field.number]]
        index = vector[field.number] if other == PLAIN else field.domain.objects.index(new_number[other])
        result[place] = index
    return tuple(result)


@pytest.mark.parametrize(("name", "scope"), [("search_tree", 3), ("red_black_tree", 3), ("fibonacci_heap", 2)])
def test_isomorphic_states_get_one_numbering_and_others_another_one(name, scope):
    task = task_of(name, scope)
    space = StateSpace(task.finitization)
    chance = random.Random(0)
    pairs_by_vector = {}
    for vector in KoratSearch(space, task.module, task.spec.rep_ok):
        vector_again = renumbered(space, vector)
        assert canonical_form(space, vector_again) == canonical_form(space, vector)
        assert renumbered(space, relabelled(space, vector, chance)) == vector_again
        pairs_by_vector[vector_again] = frozenset(pairs_of(space, field_names(space), vector_again))
    assert pairs_by_vector == {one.vector: one.pairs for one in NaiveInstances(task).instances}


def test_objects_that_only_one_place_can_have_and_lists_keep_their_values():
    f = Finitization("Owner")
    items = f.objects("Item", 3)
    f.set("Owner.items", f.lists(1, lengths=range(3), elements=items))
    f.set("Owner.lock", f.fixed([1]))
    f.set("Item.weight", [4, 5])
    space = StateSpace(f)
    names = field_names(space)
    assert names[:3] == ("Owner.items", "Owner.lock", "Item.weight")
    last_and_first = [0, 0, 0, 0, 1, 2, 2, 0]
    vector_again = renumbered(space, last_and_first)
    assert canonical_form(space, vector_again) == canonical_form(space, last_and_first)
    weights = {pair.owner: pair.value for pair in pairs_of(space, names, vector_again) if pair.field == "Item.weight"}
    assert weights == {0: 1, 1: 0}
