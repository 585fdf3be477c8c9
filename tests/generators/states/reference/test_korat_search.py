"""Korat against the whole Cartesian product: sound, complete, optimal, whatever the switches."""

from itertools import islice
from math import comb

import pytest
from generator_samples import (
    SAMPLES,
    TREE,
    Sample,
    check_against_brute_force,
    is_search_tree,
    module,
    tree_finitization,
)
from hypothesis import HealthCheck, assume, given, settings
from random_samples import RANDOM_SOURCE, Walk, random_tasks, small
from support.sweeps import examples

from harness.errors import SpecError
from harness.generators.states.reference.search import KoratSearch
from harness.kernel.inputs.state_space import StateSpace
from harness.model.finitization import Finitization


@pytest.mark.parametrize("sample", SAMPLES, ids=lambda sample: sample.name)
def test_hand_written_structures_come_out_as_by_brute_force(sample):
    check_against_brute_force(sample)


@pytest.mark.sweep
@given(random_tasks())
@settings(max_examples=examples(150), deadline=None, derandomize=True, suppress_health_check=list(HealthCheck))
def test_random_predicates_come_out_as_by_brute_force(case):
    finitization, walk = case
    assume(small(finitization))
    check_against_brute_force(Sample("random", RANDOM_SOURCE, lambda: finitization, walk))


@pytest.mark.parametrize(("scope", "explored"), [(3, None), (4, None), (5, 8_308)])
def test_search_trees_are_as_many_as_combinatorics_says_and_no_more_candidates_than_javas(scope, explored):
    search = KoratSearch(StateSpace(tree_finitization(scope)), module(TREE), is_search_tree)
    catalan = [comb(2 * k, k) // (k + 1) for k in range(scope + 1)]
    assert len(list(search)) == sum(comb(scope, k) * catalan[k] for k in range(scope + 1))
    assert explored is None or search.explored <= explored


def test_results_stream_while_the_search_goes_on():
    sample = SAMPLES[0]
    whole = sample.search()
    total = len(list(whole))
    search = sample.search()
    first = list(islice(search, 2))
    assert len(first) == 2 < total
    assert search.explored < whole.explored


def test_fields_that_the_predicate_does_not_read_take_all_values_without_another_execution():
    f = Finitization("R")
    f.set("R.p", range(3))
    f.set("R.q", None, f.objects("A", 2))
    f.set("A.x", range(4))
    f.set("A.y", 0)
    search = KoratSearch(StateSpace(f), module(RANDOM_SOURCE), lambda root: root.p > 0)
    assert len(list(search)) == 2 * (1 + 4)
    assert search.explored == 3


def test_the_root_counts_as_the_first_object_of_its_class_domain():
    f = Finitization("R")
    f.set("R.p", None, f.domains[0])
    f.set("R.q", 0)
    vectors = list(KoratSearch(StateSpace(f), module(RANDOM_SOURCE), lambda root: root.p is root))
    assert vectors == [(1, 0)]


def test_searching_twice_gives_the_same_states_and_leaves_the_classes_as_they_were():
    sample = SAMPLES[0]
    code = sample.module
    before = {name: dict(vars(getattr(code, name))) for name in ("SearchTree", "Node")}
    search = KoratSearch(sample.space, code, sample.rep_ok)
    assert list(search) == list(search)
    abandoned = iter(search)
    next(abandoned)
    abandoned.close()
    assert {name: dict(vars(getattr(code, name))) for name in before} == before
    assert vars(code.Node(1)) == {"info": 1, "left": None, "right": None}


def test_two_searches_at_once_over_the_same_classes_are_refused():
    search = SAMPLES[0].search()
    running = iter(search)
    next(running)
    with pytest.raises(RuntimeError, match="is being searched already"):
        next(iter(search))


def test_a_field_domain_without_values_is_an_error():
    f = Finitization("R")
    f.set("R.p", range(0))
    with pytest.raises(SpecError, match=r"field domain of R.p is empty"):
        KoratSearch(StateSpace(f), module(RANDOM_SOURCE), Walk(0, 1))
