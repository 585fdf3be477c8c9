"""The encoding against the plain evaluator: random formulas, all states of tiny heaps."""

import operator
from collections.abc import Callable
from functools import cache
from itertools import cycle, islice, product
from random import Random
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from sat.relational_samples import facts_of_states, mixed, rings, solved_states, states_of, two_classes, untightened
from support.relational_evaluation import InstanceFacts, holds
from support.search_trees import search_tree, trees
from support.sweeps import examples

from harness.errors import SpecError, UsageError
from harness.generators.sat.instances import Instances, sat_instances
from harness.kernel.specs.relational.expressions import formula_of
from harness.kernel.specs.relational.terms import Operator, Term
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
from harness.spec import Finitization

MOST_TRIES = 60
"""How often a part is drawn anew, as the language refuses terms that have no sense for a heap."""


def values_of_all_types() -> Finitization:
    """Objects with values of several types, True beside 1, and integers beside references."""
    f = Finitization("Root")
    objects = f.objects("Thing", 2)
    f.set("Root.top", None, objects)
    f.set("Root.number", None, 0, 3)
    f.set("Thing.value", None, True, 1, "x", 0.5, -2)
    f.set("Thing.next", None, objects, 1)
    return f


def root_among_others() -> Finitization:
    """The root is of a class that other objects are of, too, and one field's name is that of two classes."""
    f = Finitization("Node")
    nodes = f.objects("Node", 2)
    boxes = f.objects("Box", 1)
    f.set("Node.next", None, nodes, boxes)
    f.set("Node.value", 0, 1)
    f.set("Box.value", 1, 2, None)
    f.set("Box.next", None, nodes)
    return f


def leaves_alone() -> Finitization:
    """Objects without references."""
    f = Finitization("Root")
    leaves = f.objects("Leaf", 3)
    f.set("Root.one", None, leaves)
    f.set("Root.two", None, leaves)
    f.set("Root.three", leaves)
    f.set("Leaf.key", range(-1, 2))
    return f


HEAPS: dict[str, Callable[[], Finitization]] = {
    "rings": lambda: rings(2),
    "two classes": two_classes,
    "references both ways": mixed,
    "values of all types": values_of_all_types,
    "root among others": root_among_others,
    "leaves alone": leaves_alone,
}

_CONSTANTS = (True, False, 1, 0, 3, -2, "x", 0.5)
_EITHER = (operator.eq, operator.ne)
_ORDERS = (operator.lt, operator.le, operator.gt, operator.ge)


class FormulaWriter:
    """Writes one random formula.

    Args:
        random: where its choices come from.
        finitization: of the heap that it is about.
        thiz: the root, and `heap` the heap, as an invariant is given them.
    """

    def __init__(self, random: Random, finitization: Finitization, thiz: Any, heap: Any) -> None:
        self._random, self._thiz, self._heap = random, thiz, heap
        domains = finitization.domains
        self._classes = sorted({domain.class_name for domain in domains})
        self._fields = sorted(
            {f"{each.class_name}.{name}" for each in domains for name, _ in finitization.fields_of(each)}
        )
        self._names = sorted({field.partition(".")[2] for field in self._fields})

    def formula(self, depth: int, bound: tuple[Any, ...] = ()) -> Any:
        """A formula with parts within parts, `depth` of them; `bound` are the variables that it may name."""
        less = max(depth - 1, 0)

        def nodes() -> Any:
            return self._nodes(less, bound)

        def edges() -> Any:
            return self._edges(less)

        def number() -> Any:
            return self._number(less, bound)

        def small() -> int:
            return self._random.randint(-3, 4)

        def either(left: Any, right: Any, relations: Any = _EITHER) -> Any:
            return self._random.choice(relations)(left, right)

        def within() -> Any:
            return self.formula(less, bound)

        simple = [
            lambda: self._random.choice((some, no, lone, one))(nodes()),
            lambda: self._random.choice((some, no, lone, one))(edges()),
            lambda: nodes().within(nodes()),
            lambda: nodes().within(self._constant()),
            lambda: edges().within(edges()),
            lambda: either(nodes(), nodes()),
            lambda: either(edges(), edges()),
            lambda: either(nodes(), self._constant()),
            lambda: either(nodes(), None),
            lambda: either(nodes(), number()),
            lambda: either(number(), number()),
            lambda: either(number(), small()),
            lambda: either(nodes(), nodes(), _ORDERS),
            lambda: either(nodes(), number(), _ORDERS),
            lambda: either(number(), nodes(), _ORDERS),
            lambda: either(nodes(), small(), _ORDERS),
            lambda: either(number(), number(), _ORDERS),
            lambda: either(number(), small(), _ORDERS),
        ]
        if depth == 0:
            return self._pick(*simple)
        nested = [
            lambda: ~within(),
            lambda: all_of(within(), within()),
            lambda: any_of(within(), within()),
            lambda: within().implies(within()),
            lambda: either(within(), within()),
            lambda: for_all(nodes(), lambda one_of: self.formula(less, (*bound, one_of))),
            lambda: exists(nodes(), lambda one_of: self.formula(less, (*bound, one_of))),
        ]
        return self._pick(*simple, *nested, *nested)

    def _edges(self, depth: int) -> Any:
        if depth == 0:
            return self._heap[self._random.choice(self._fields)]

        def edges() -> Any:
            return self._edges(depth - 1)

        return self._pick(
            edges,
            lambda: ~edges(),
            lambda: closure(edges()),
            lambda: reflexive_closure(edges()),
            lambda: edges() | edges(),
            lambda: edges() & edges(),
            lambda: edges() - edges(),
            lambda: edges() @ edges(),
        )

    def _nodes(self, depth: int, bound: tuple[Any, ...]) -> Any:
        leaves = [
            lambda: self._thiz,
            lambda: self._heap[self._random.choice(self._classes)],
            lambda: getattr(self._thiz, self._random.choice(self._names)),
        ]
        leaves += [lambda each=each: each for each in (*bound, *bound)]
        if depth == 0:
            return self._pick(*leaves)

        def nodes() -> Any:
            return self._nodes(depth - 1, bound)

        def edges() -> Any:
            return self._edges(depth - 1)

        return self._pick(
            *leaves,
            lambda: nodes() @ edges(),
            lambda: edges() @ nodes(),
            lambda: nodes() @ closure(edges()),
            lambda: reflexive_closure(edges()) @ nodes(),
            lambda: getattr(nodes(), self._random.choice(self._names)),
            lambda: nodes() | nodes(),
            lambda: nodes() & nodes(),
            lambda: nodes() - nodes(),
            lambda: nodes() | self._constant(),
            lambda: nodes() & self._constant(),
            lambda: those(nodes(), lambda one_of: self.formula(depth - 1, (*bound, one_of))),
        )

    def _number(self, depth: int, bound: tuple[Any, ...]) -> Any:
        def nodes() -> Any:
            return self._nodes(depth, bound)

        def few() -> int:
            return self._random.randint(-3, 3)

        simple = [
            lambda: few() + count(nodes()),
            lambda: few() - total(nodes()),
            lambda: -count(nodes()),
            lambda: count(self._edges(depth)),
            lambda: nodes() * few() - count(nodes()),
        ]
        if depth == 0:
            return self._pick(*simple)
        return self._pick(
            *simple,
            lambda: self._number(depth - 1, bound) * few(),
            lambda: self._number(depth - 1, bound) + self._number(depth - 1, bound),
        )

    def _constant(self) -> Any:
        return self._random.choice(_CONSTANTS)

    def _pick(self, *options: Callable[[], Any]) -> Any:
        for _ in range(MOST_TRIES):
            try:
                return self._random.choice(options)()
            except SpecError:  # a term that the language refuses for this heap
                continue
        raise SpecError(f"none of {MOST_TRIES} terms has a sense here")


def random_invariant(seed: int, finitization: Finitization, depth: int) -> Callable[[Any, Any], Any]:
    """An invariant that is the same formula whenever it is asked."""
    return lambda thiz, heap: FormulaWriter(Random(seed), finitization, thiz, heap).formula(depth)


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
