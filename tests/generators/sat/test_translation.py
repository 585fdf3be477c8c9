"""The encoding against the plain evaluator: random formulas, all states of tiny heaps."""

from collections.abc import Callable
from functools import cache
from itertools import cycle, islice, product
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from sat.random_formulas import HEAPS, random_invariant
from sat.relational_samples import facts_of_states, rings, solved_states, states_of, two_classes, untightened
from support.relational_evaluation import InstanceFacts, holds
from support.search_trees import search_tree, trees
from support.sweeps import examples

from harness.errors import UsageError
from harness.generators.sat.instances import Instances, sat_instances
from harness.kernel.specs.relational.expressions import formula_of
from harness.kernel.specs.relational.terms import Operator, Term
from harness.relational import all_of, closure, count, lone, no, some, those, total
from harness.spec import Finitization

_WAYS = [sat_instances, untightened]

_RINGS = rings(2)


@cache
def _heap(name: str) -> tuple[Finitization, list[tuple[tuple[int, ...], InstanceFacts]]]:
    """Return a small heap with all its states."""
    finitization = HEAPS[name]()
    return finitization, facts_of_states(finitization)


def _assert_found_as_evaluated(name: str, seed: int, depth: int, opened: Callable[..., Instances]) -> Term:
    finitization, states = _heap(name)
    invariant = random_invariant(seed, finitization, depth)
    term = formula_of(invariant, finitization)
    assert solved_states(finitization, invariant, opened) == [vector for vector, facts in states if holds(term, facts)]
    return term


@pytest.mark.slow
@settings(max_examples=examples(60), derandomize=True, suppress_health_check=list(HealthCheck))
@given(st.integers(0, 2**40), st.sampled_from(sorted(HEAPS)), st.sampled_from(_WAYS))
def test_a_solver_finds_the_states_of_which_a_formula_is_true(seed, heap, opened):
    _assert_found_as_evaluated(heap, seed, 3, opened)


@pytest.mark.slow
def test_hundreds_of_formulas_with_every_operator_are_found_as_they_are_evaluated():
    used: set[Operator] = set()
    draws = product(sorted(HEAPS), range(1, 4), _WAYS)
    for seed, (heap, depth, opened) in enumerate(islice(cycle(draws), examples(480))):
        waiting = [_assert_found_as_evaluated(heap, seed, depth, opened)]
        for term in waiting:
            used.add(term.operator)
            waiting += term.parts
    assert used == set(Operator)


@pytest.mark.parametrize("opened", _WAYS)
def test_each_way_has_the_same_search_trees(opened):
    assert len(solved_states(trees(3), search_tree, opened)) == 15
    assert solved_states(trees(2), search_tree, opened) == states_of(trees(2), search_tree)


def test_booleans_and_two_classes_are_encoded():
    def invariant(thiz: Any, heap: Any) -> Any:
        full = those(heap["Box"], lambda box: box.full == True)  # noqa: E712
        return all_of(lone(full), some(thiz.top).implies(some(heap.box)), no(thiz.top.box & full))

    expected = states_of(two_classes(), invariant)
    assert solved_states(two_classes(), invariant) == expected
    assert expected


@pytest.mark.parametrize("opened", _WAYS)
def test_several_nodes_may_lead_to_one(opened):
    def shared(thiz: Any, heap: Any) -> Any:
        return ~lone(heap.next @ thiz.first)

    expected = states_of(rings(3), shared)
    assert len(expected) > 10
    assert solved_states(rings(3), shared, opened) == expected


@pytest.mark.parametrize(
    ("compare", "has_states"),
    [
        (lambda heap: count(heap["Node"]) <= 10**9, True),
        (lambda heap: count(heap["Node"]) >= 10**9, False),
        (lambda heap: count(heap["Node"]) > -(10**9), True),
        (lambda heap: count(heap["Node"]) + 10**9 == count(heap["Node"]), False),
    ],
)
def test_an_integer_far_from_all_others_takes_no_time(compare, has_states):
    assert bool(solved_states(_RINGS, lambda thiz, heap: compare(heap))) is has_states


@pytest.mark.parametrize(
    "invariant",
    [lambda thiz, heap: thiz.first.value * 10**9 == 0, lambda thiz, heap: total(heap["Node"].value) * 10**9 < 5],
)
def test_an_integer_of_too_many_values_is_refused(invariant):
    with pytest.raises(UsageError, match=r"may have \d+ values, more than 1000000; use smaller factors"):
        sat_instances(_RINGS, invariant)


def test_equal_subterms_make_no_further_clauses():
    def once(thiz: Any, heap: Any) -> Any:
        return thiz.root @ closure(heap.left | heap.right) == thiz.root

    def twice(thiz: Any, heap: Any) -> Any:
        return all_of(once(thiz, heap), once(thiz, heap))

    assert untightened(trees(4), once).clauses == untightened(trees(4), twice).clauses
