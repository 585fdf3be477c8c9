"""The encoding against the plain evaluator: random formulas, all states of tiny heaps."""

from functools import cache
from random import Random
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from sat.relational_samples import facts_of_states, rings, solved_states, states_of, two_classes
from support.search_trees import search_tree, trees

from harness.errors import UsageError
from harness.generators.sat.closure import Closure
from harness.generators.sat.cnf import Gates
from harness.generators.sat.encoding import Encoding
from harness.generators.sat.instances import sat_instances
from harness.generators.sat.translation import Order
from harness.kernel.specs.relational.evaluation import holds
from harness.kernel.specs.relational.heap import formula_of
from harness.relational import (
    all_of,
    any_of,
    closure,
    count,
    exists,
    for_all,
    lone,
    no,
    one,
    reflexive_closure,
    some,
    those,
    total,
)

_CHOICES: list[dict[str, Any]] = [
    {"tightened": False},
    {"closure": Closure.LEVELS, "order": Order.ONE_HOT, "gates": Gates.BOTH, "tightened": False},
    {"gates": Gates.BOTH, "tightened": True},
    {"order": Order.ONE_HOT, "tightened": True},
]

_RINGS = rings(2)
_STATES = cache(lambda: facts_of_states(_RINGS))


class _Writer:
    """Writes a random formula about a ring of nodes with values."""

    def __init__(self, random: Random, thiz: Any, heap: Any) -> None:
        self.random, self.thiz, self.heap = random, thiz, heap

    def pick(self, *options: Any) -> Any:
        return self.random.choice(options)()

    def edges(self, depth: int) -> Any:
        heap = self.heap
        if depth == 0:
            return heap.next
        return self.pick(
            lambda: heap.next,
            lambda: ~self.edges(depth - 1),
            lambda: closure(self.edges(depth - 1)),
            lambda: reflexive_closure(self.edges(depth - 1)),
            lambda: self.edges(depth - 1) | self.edges(depth - 1),
            lambda: self.edges(depth - 1) & self.edges(depth - 1),
            lambda: self.edges(depth - 1) - self.edges(depth - 1),
            lambda: self.edges(depth - 1) @ self.edges(depth - 1),
        )

    def nodes(self, depth: int, bound: tuple[Any, ...]) -> Any:
        leaves = [lambda: self.thiz.first, lambda: self.thiz.last, lambda: self.heap["Node"]]
        leaves += [lambda each=each: each for each in bound]
        if depth == 0:
            return self.pick(*leaves)
        return self.pick(
            *leaves,
            lambda: self.nodes(depth - 1, bound) @ self.edges(depth - 1),
            lambda: self.nodes(depth - 1, bound) @ closure(self.edges(0)),
            lambda: self.edges(depth - 1) @ self.nodes(depth - 1, bound),
            lambda: self.nodes(depth - 1, bound) | self.nodes(depth - 1, bound),
            lambda: self.nodes(depth - 1, bound) & self.nodes(depth - 1, bound),
            lambda: self.nodes(depth - 1, bound) - self.nodes(depth - 1, bound),
            lambda: those(self.nodes(depth - 1, bound), lambda n: self.formula(depth - 1, (*bound, n))),
        )

    def number(self, depth: int, bound: tuple[Any, ...]) -> Any:
        return self.pick(
            lambda: self.random.randint(-2, 3) + count(self.nodes(0, bound)),
            lambda: count(self.edges(depth)),
            lambda: total(self.nodes(depth, bound).value),
            lambda: self.nodes(depth, bound).value * 2 - count(self.nodes(depth, bound)),
        )

    def formula(self, depth: int, bound: tuple[Any, ...] = ()) -> Any:
        less = max(depth - 1, 0)
        simple = [
            lambda: some(self.nodes(less, bound)),
            lambda: no(self.edges(less)),
            lambda: lone(self.nodes(less, bound).value),
            lambda: lone(self.nodes(less, bound)),
            lambda: one(self.nodes(less, bound)),
            lambda: one(self.edges(less)),
            lambda: self.nodes(less, bound).within(self.nodes(less, bound)),
            lambda: self.nodes(less, bound) == self.nodes(less, bound),
            lambda: self.nodes(less, bound).value < self.nodes(less, bound).value,
            lambda: self.nodes(less, bound).value <= self.number(0, bound),
            lambda: self.number(less, bound) > self.nodes(less, bound).value,
            lambda: self.nodes(less, bound).value == self.random.randint(-1, 3),
            lambda: self.number(less, bound) == self.number(less, bound),
            lambda: self.number(less, bound) < self.number(less, bound),
        ]
        if depth == 0:
            return self.pick(*simple)
        return self.pick(
            *simple,
            lambda: ~self.formula(less, bound),
            lambda: all_of(self.formula(less, bound), self.formula(less, bound)),
            lambda: any_of(self.formula(less, bound), self.formula(less, bound)),
            lambda: self.formula(less, bound) == self.formula(less, bound),
            lambda: for_all(self.nodes(less, bound), lambda n: self.formula(less, (*bound, n))),
            lambda: exists(self.nodes(less, bound), lambda n: self.formula(less, (*bound, n))),
        )


@settings(max_examples=60, deadline=None, derandomize=True, suppress_health_check=list(HealthCheck))
@given(st.integers(0, 2**40), st.sampled_from(_CHOICES))
def test_a_solver_finds_the_states_of_which_a_formula_is_true(seed: int, choices: dict[str, Any]) -> None:
    def invariant(thiz: Any, heap: Any) -> Any:
        return _Writer(Random(seed), thiz, heap).formula(3)

    term = formula_of(invariant, _RINGS)
    expected = [vector for vector, facts in _STATES() if holds(term, facts)]
    assert solved_states(_RINGS, invariant, **choices) == expected


@pytest.mark.parametrize("choices", _CHOICES, ids=str)
def test_each_choice_of_encoding_has_the_same_search_trees(choices: dict[str, Any]) -> None:
    assert len(solved_states(trees(3), search_tree, **choices)) == 15
    assert solved_states(trees(2), search_tree, **choices) == states_of(trees(2), search_tree)


def test_booleans_and_two_classes_are_encoded() -> None:
    def invariant(thiz: Any, heap: Any) -> Any:
        full = those(heap["Box"], lambda box: box.full == True)  # noqa: E712
        return all_of(lone(full), some(thiz.top).implies(some(heap.box)), no(thiz.top.box & full))

    expected = states_of(two_classes(), invariant)
    assert solved_states(two_classes(), invariant) == expected
    assert expected


@pytest.mark.parametrize("choices", _CHOICES, ids=str)
def test_several_nodes_may_lead_to_one(choices: dict[str, Any]) -> None:
    def shared(thiz: Any, heap: Any) -> Any:
        return ~lone(heap.next @ thiz.first)

    expected = states_of(rings(3), shared)
    assert len(expected) > 10
    assert solved_states(rings(3), shared, **choices) == expected


@pytest.mark.parametrize(
    ("compare", "found"),
    [
        (lambda heap: count(heap["Node"]) <= 10**9, True),
        (lambda heap: count(heap["Node"]) >= 10**9, False),
        (lambda heap: count(heap["Node"]) > -(10**9), True),
        (lambda heap: count(heap["Node"]) + 10**9 == count(heap["Node"]), False),
    ],
)
def test_an_integer_far_from_all_others_takes_no_time(compare: Any, found: bool) -> None:
    assert bool(solved_states(_RINGS, lambda thiz, heap: compare(heap))) is found


@pytest.mark.parametrize(
    "invariant",
    [
        lambda thiz, heap: thiz.first.value * 10**9 == 0,
        lambda thiz, heap: total(heap["Node"].value) * 10**9 < 5,
    ],
)
def test_an_integer_of_too_many_values_is_refused(invariant: Any) -> None:
    with pytest.raises(UsageError, match=r"may have \d+ values, more than 1000000; use smaller factors"):
        sat_instances(_RINGS, invariant)


def test_equal_subterms_make_no_further_clauses() -> None:
    def once(thiz: Any, heap: Any) -> Any:
        return thiz.root @ closure(heap.left | heap.right) == thiz.root

    def twice(thiz: Any, heap: Any) -> Any:
        return all_of(once(thiz, heap), once(thiz, heap))

    plain = Encoding(tightened=False)
    assert (
        sat_instances(trees(4), once, encoding=plain).clauses == sat_instances(trees(4), twice, encoding=plain).clauses
    )
