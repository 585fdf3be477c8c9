"""Inputs (state, target, arguments) against the naive product, isomorphic pairs counted once."""

from __future__ import annotations

import pytest
from generator_samples import SAMPLES, TREE, Sample, inputs, is_search_tree, module, task, tree_finitization
from hypothesis import HealthCheck, assume, given, settings
from random_samples import RANDOM_SOURCE, random_tasks, small
from support.sweeps import examples

from harness.generators.policies.brute_force import BruteForce, labelled_states
from harness.generators.policies.korat.generator import Korat
from harness.generators.states.arguments import Arguments
from harness.generators.states.layout import Layout
from harness.generators.states.reference.search import KoratSearch
from harness.kernel.inputs.state_space import StateSpace
from harness.kernel.inputs.suites import Call
from harness.model.finitization import Finitization, Structures


def check_inputs(sample: Sample) -> None:
    space = sample.space
    job = task(sample.module, space.finitization, sample.rep_ok)
    expected = inputs(BruteForce().produce(job), space)
    all_inputs = inputs(Korat().produce(job), space)
    assert len(set(expected)) == len(expected)
    assert len(set(all_inputs)) == len(all_inputs), "no two inputs are isomorphic"
    assert set(all_inputs) == set(expected)
    vectors = [tuple(vector) for vector, _ in Korat().produce(job)]
    assert len(set(vectors)) == len(vectors), "no state comes twice"


@pytest.mark.parametrize("sample", SAMPLES, ids=lambda sample: sample.name)
def test_inputs_of_hand_written_structures_come_out_as_by_brute_force(sample):
    check_inputs(sample)


@pytest.mark.sweep
@given(random_tasks())
@settings(max_examples=examples(120), deadline=None, derandomize=True, suppress_health_check=list(HealthCheck))
def test_inputs_of_random_finitizations_come_out_as_by_brute_force(case):
    finitization, walk = case
    assume(small(finitization))
    check_inputs(Sample("random", RANDOM_SOURCE, lambda: finitization, walk))


def test_a_token_argument_is_one_of_the_states_or_the_first_other_one():
    f = Finitization("R")
    tokens = f.tokens("T", 4)
    f.set("R.p", None, tokens)
    f.set("R.q", None)
    f.method("m", tokens, tokens)
    groups = {vector: list(calls) for vector, calls in Korat().produce(task(module(RANDOM_SOURCE), f, lambda r: True))}
    assert [call.arguments for call in groups[0, 0]] == [(0, 0), (0, 1)]
    assert [call.arguments for call in groups[1, 0]] == [(0, 0), (0, 1), (1, 0), (1, 1), (1, 2)]


def test_a_fresh_object_as_argument_brings_all_values_of_its_fields():
    f = Finitization("R")
    f.set("R.p", 0)
    f.set("R.q", 0)
    others_of_class = f.objects("A", 2)
    f.set("A.x", range(3))
    f.set("A.y", None, f.domains[0])
    f.method("m", (None, others_of_class))
    groups = list(Korat().produce(task(module(RANDOM_SOURCE), f, lambda r: True)))
    base, call_none, call_fresh = (0,) * 6, Call(0, (0,)), Call(0, (1,))
    assert groups[0] == (base, [call_none, call_fresh])
    assert sorted(vector[2:4] for vector, calls in groups) == [(x, y) for x in range(3) for y in range(2)]
    assert all(calls == [call_fresh] for vector, calls in groups[1:])


def test_without_isomorphism_breaking_every_labelling_of_arguments_comes():
    f = Finitization("R")
    tokens = f.tokens("T", 3)
    f.set("R.p", tokens)
    f.set("R.q", 0)
    f.method("m", tokens)
    arguments = Arguments(Layout(StateSpace(f)), {}, [0], isomorphism_breaking=False)
    ((_, calls),) = arguments.of((2, 0))
    assert [call.arguments for call in calls] == [(0,), (1,), (2,)]


@pytest.mark.sweep
def test_structures_are_searched_once_and_their_vectors_recorded():
    f = tree_finitization(2)
    small_trees = tree_finitization(1)
    f.method("add_all", Structures(small_trees, is_search_tree))
    job = task(module(TREE), f, is_search_tree)
    production = Korat().produce(job)
    all_inputs = inputs(production, StateSpace(f))
    recorded = [tuple(vector) for vector in production.structures["1:0"]]
    assert len(recorded) == 2
    assert all(state in set(labelled_states(StateSpace(small_trees), job.module, is_search_tree)) for state in recorded)
    assert sorted(all_inputs) == sorted(inputs(BruteForce().produce(job), StateSpace(f)))
    assert sum(target == 1 for _, target, _ in all_inputs) == 5 * 2
    pre_states = KoratSearch(StateSpace(f), job.module, is_search_tree)
    assert len(list(pre_states)) == 5
    assert production.explored == pre_states.explored
