"""Breadth-first numbering keeps the structure; a real solver finds the states that Korat finds."""

import random
from dataclasses import replace

import pytest
from naive_instances import NaiveInstances, task_of

from harness.generators.policies.field_exhaustive import FieldExhaustive
from harness.generators.policies.sat_exhaustive import SatExhaustive
from harness.generators.sat.extension import read
from harness.generators.sat.options import Options, Prefer
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


SUBJECTS = [("field_sorted_list", 3), ("field_search_tree", 3), ("field_tree_set", 3), ("field_binomial_heap", 3)]


def states(production):
    return list(dict.fromkeys(tuple(vector) for vector, _ in production))


@pytest.mark.parametrize("solver", ["cadical195", "minisat22"])
@pytest.mark.parametrize(("name", "scope"), SUBJECTS)
def test_all_instances_are_the_states_of_korat_in_order(name, scope, solver):
    task = task_of(name, scope)
    assert states(SatExhaustive(Options(solver=solver)).produce(task)) == NaiveInstances(task).vectors


@pytest.mark.parametrize("solver", ["cadical195", "minisat22"])
@pytest.mark.parametrize(("name", "scope"), SUBJECTS)
def test_the_extension_is_the_one_computed_from_the_states_of_korat(name, scope, solver):
    task = task_of(name, scope)
    naive = NaiveInstances(task)
    production = FieldExhaustive(Options(solver=solver)).produce(task)
    suite = states(production)
    pairs = {one.vector: one.pairs for one in naive.instances}
    assert frozenset().union(*(pairs[vector] for vector in suite)) == naive.extension
    feasible = {
        (one.field, owner, value)
        for one in read(production.extension)
        for owner, values in enumerate(one.feasible)
        for value in values
    }
    assert feasible == {(pair.field, pair.owner, pair.value) for pair in naive.extension}
    assert production.solving["solver"] == solver
    assert production.solving["variables"] > 0
    assert production.solving["clauses"] > 0


@pytest.mark.parametrize("solver", ["cadical195", "minisat22"])
@pytest.mark.parametrize("name", ["field_sorted_list", "field_search_tree"])
def test_fewer_states_cover_the_same_extension_where_new_pairs_are_guessed_first(name, solver):
    task = task_of(name, 6)
    guessed, unguided = (FieldExhaustive(Options(prefer=way, solver=solver)).produce(task) for way in Prefer)
    assert len(states(guessed)) < 0.9 * len(states(unguided))
    assert guessed.extension == unguided.extension


def test_another_seed_may_find_other_instances_and_always_the_same_extension():
    task = task_of("field_search_tree", 4)
    productions = [FieldExhaustive().produce(replace(task, seed=seed)) for seed in (0, 1, 2, 3)]
    suites = {tuple(states(production)) for production in productions}
    assert len(suites) > 1
    first, *other_extensions = (production.extension for production in productions)
    assert all(other == first for other in other_extensions)
