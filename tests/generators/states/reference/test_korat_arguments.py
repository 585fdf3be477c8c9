"""Inputs (state, target, arguments) against the naive product: isomorphic pairs counted once, preconditions kept."""

from dataclasses import replace

import pytest
from generator_samples import SAMPLES, TREE, Sample, inputs, is_search_tree, module, task, tree_finitization
from hypothesis import HealthCheck, assume, given, settings
from random_samples import RANDOM_SOURCE, random_tasks, small
from support.sweeps import examples

from harness.errors import SpecError
from harness.generators.policies.brute_force import BruteForce, labelled_states
from harness.generators.policies.korat.generator import Korat
from harness.generators.states.reference.search import KoratSearch
from harness.kernel.inputs.state_space import StateSpace
from harness.model.finitization import Finitization, Structures


def check_sample(sample: Sample) -> None:
    job = task(sample.module, sample.space.finitization, sample.rep_ok)
    check_inputs(job.module, job.finitization, job.spec.rep_ok)
    vectors = [tuple(vector) for vector, _ in Korat().produce(job)]
    assert len(set(vectors)) == len(vectors), "no state comes twice"


@pytest.mark.parametrize("sample", SAMPLES, ids=lambda sample: sample.name)
def test_inputs_of_hand_written_structures_come_out_as_by_brute_force(sample):
    check_sample(sample)


@given(random_tasks())
@settings(max_examples=examples(120), deadline=None, derandomize=True, suppress_health_check=list(HealthCheck))
def test_inputs_of_random_finitizations_come_out_as_by_brute_force(case):
    finitization, walk = case
    assume(small(finitization))
    check_sample(Sample("random", RANDOM_SOURCE, lambda: finitization, walk))


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


def check_inputs(code, finitization, rep_ok):
    space = StateSpace(finitization)
    job = task(code, finitization, rep_ok)
    expected = inputs(BruteForce().produce(job), space)
    all_inputs = inputs(Korat().produce(job), space)
    assert len(set(expected)) == len(expected)
    assert len(set(all_inputs)) == len(all_inputs), "no two inputs are isomorphic"
    assert set(all_inputs) == set(expected)
    return all_inputs


@given(random_tasks())
@settings(max_examples=examples(120), deadline=None, derandomize=True, suppress_health_check=list(HealthCheck))
def test_random_preconditions_on_states_and_arguments_give_what_brute_force_gives(case):
    finitization, walk = case
    assume(small(finitization))
    for target in finitization.targets:
        again = replace(target, name=f"{target.name}_too", requires=lambda *objects: walk(list(objects)))
        finitization._targets.append(again)
    check_inputs(module(RANDOM_SOURCE), finitization, walk)


def test_state_and_argument_draw_on_the_same_nodes_and_are_searched_together():
    f = tree_finitization(2)
    other_trees = f.objects("SearchTree", 1)
    f.set("SearchTree.root", None, f.domains[1])
    f.set("SearchTree.size", range(3))

    def other_roots(this, other):
        return is_search_tree(this) and is_search_tree(other) and (this.root is None or this.root is not other.root)

    f.method("add_all", other_trees, requires=other_roots)
    all_inputs = check_inputs(module(TREE), f, is_search_tree)
    # Two empty trees; a node with one of 2 keys in either; one in each, with 2 * 2 keys. Or one of 2 trees of two nodes
    # in either: there the other may be empty or the lower node.
    assert sum(target == 1 for _, target, _ in all_inputs) == 1 + 2 * 2 + 2 * 2 + 2 * 2 * 2


def test_targets_of_any_state_need_no_search_by_rep_ok():
    f = Finitization.of_list(lengths=range(3), elements=range(2))
    f.function("sort", requires=lambda values: True, any_state=True)

    def rep_ok(values):
        raise AssertionError("not to be called")

    production = Korat().produce(task(module(TREE), f, rep_ok))
    assert len(list(production)) == 1 + 2 + 4
    assert production.explored == 1


def test_a_raising_precondition_is_named_with_its_candidate():
    def needs_a_root(tree, key):
        return tree.root.info == key

    f = Finitization("SearchTree")
    f.set("SearchTree.root", None)
    f.set("SearchTree.size", 0)
    f.method("add", range(1, 3), requires=needs_a_root, any_state=True)
    job = task(module(TREE), f, is_search_tree)
    with pytest.raises(SpecError, match=r"^needs_a_root raised AttributeError: .*argument1=1") as caught:
        list(Korat().produce(job))
    assert "Input of add(this=SearchTree(root=None, size=?)" in str(caught.value)
    with pytest.raises(SpecError, match="the precondition of add raised AttributeError"):
        list(BruteForce().produce(job))
