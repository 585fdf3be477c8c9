"""The naive witness: what it counts by hand, its canonical form, and what it refuses."""

from itertools import permutations

import pytest
from generator_samples import TREE, is_search_tree, module, task, tree_finitization

from harness.errors import SpecError, UsageError
from harness.generators.policies.brute_force import BruteForce, canonical_form, labelled_states
from harness.kernel.inputs.state_space import StateSpace
from harness.model.finitization import Finitization


def test_a_canonical_form_is_the_same_for_all_namings_of_the_nodes_and_for_no_other_tree():
    space = StateSpace(tree_finitization(3))
    forms = set()
    for a, b, c in permutations((1, 2, 3)):
        vector = [0] * space.width
        vector[:2] = a, 3
        vector[space.objects[a].first : space.objects[a].first + 3] = b, c, 1
        forms.add(canonical_form(space, vector))
    assert len(forms) == 1
    vector[space.objects[a].first : space.objects[a].first + 2] = b, b
    assert canonical_form(space, vector) not in forms


def test_fields_of_objects_that_are_not_reachable_do_not_count():
    space = StateSpace(tree_finitization(2))
    assert canonical_form(space, [0, 0, 1, 2, 1, 0, 0, 0]) == canonical_form(space, [0] * 8) == ((0,) * 8, ())


def test_trees_of_scope_two_are_five():
    groups = list(BruteForce().produce(task(module(TREE), tree_finitization(2), is_search_tree)))
    assert len(groups) == 5
    assert all(len(calls) == 2 for _, calls in groups)


def test_labelled_trees_of_scope_two():
    # Empty: the 4 * 4 * ... values of both nodes' fields; one node: two names; two nodes: two orders, two names.
    labelled = list(labelled_states(StateSpace(tree_finitization(2)), module(TREE), is_search_tree))
    node = 3 * 3 * 2
    assert len(labelled) == node * node + 2 * 2 * node + 2 * 2


def test_a_space_too_large_is_refused():
    production = BruteForce().produce(task(module(TREE), tree_finitization(5), is_search_tree))
    with pytest.raises(UsageError, match="more than 2,000,000; take a smaller scope or korat"):
        list(production)


def test_a_raising_rep_ok_is_named_with_its_candidate():
    f = Finitization("SearchTree")
    f.set("SearchTree.root", None)
    f.set("SearchTree.size", range(2))
    with pytest.raises(SpecError, match=r"ZeroDivisionError: .* on candidate SearchTree\(root=None, size=0\)"):
        list(BruteForce().produce(task(module(TREE), f, lambda tree: 1 / tree.size)))
