"""With a real solver, suites are made of the states that Korat finds and a walk over real objects numbers."""

from dataclasses import replace

import pytest
from naive_instances import NaiveInstances, task_of

from harness.generators.policies.field_exhaustive import FieldExhaustive
from harness.generators.policies.sat_exhaustive import SatExhaustive
from harness.generators.sat.extension import read
from harness.generators.sat.options import Options, Prefer

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
