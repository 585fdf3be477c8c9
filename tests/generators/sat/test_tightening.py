"""Before the whole is encoded: the values that an invariant leaves possible, and symmetry breaking by numbers."""

from typing import Any

import pytest
from sat.relational_samples import anything, mixed, numbered_states, rings, solved_states, two_classes, untightened
from support.search_trees import search_tree, trees

from harness.generators.sat.fields import first_bounds
from harness.generators.sat.instances import is_relaxable, sat_instances, tightened
from harness.kernel.inputs.state_space import PLAIN, StateSpace
from harness.kernel.specs.relational.expressions import formula_of
from harness.kernel.specs.relational.terms import Term
from harness.relational import all_of, closure, count, for_all, no, reflexive_closure, some
from harness.spec import Finitization


def _term(invariant: Any) -> Term:
    return formula_of(invariant, trees(3))


def test_links_of_a_search_tree_lead_to_higher_numbers_only():
    finitization = trees(7)
    space = StateSpace(finitization)
    bounds = tightened(space, formula_of(search_tree, finitization), first_bounds(space))
    for field in space.fields:
        targets = {field.domain.objects[index] for index in bounds[field.number]} - {PLAIN}
        assert all(target > field.owner for target in targets)


def test_the_pairs_that_are_left_are_the_extension_of_a_search_tree():
    instances = sat_instances(trees(6), search_tree)
    left = dict.fromkeys(instances.pairs)
    instances.demand(left)
    while (instance := instances.next()) is not None:
        for pair in instance.pairs:
            left.pop(pair, None)
        instances.demand(left)
    assert not left


def test_tightening_loses_no_state():
    def ring(thiz: Any, heap: Any) -> Any:
        nodes = thiz.first @ reflexive_closure(heap.next)
        return all_of(for_all(nodes, lambda n: n.within(n @ closure(heap.next))), no(thiz.last - nodes))

    def chain(thiz: Any, heap: Any) -> Any:
        nodes = thiz.first @ reflexive_closure(heap.next)
        return all_of(for_all(nodes, lambda n: ~n.within(n @ closure(heap.next))), thiz.last.within(nodes))

    for invariant in (ring, chain, anything):
        assert solved_states(rings(3), invariant) == solved_states(rings(3), invariant, untightened)


def test_tightening_saves_clauses():
    plain = untightened(trees(5), search_tree)
    assert sat_instances(trees(5), search_tree).clauses < plain.clauses / 4


def test_only_what_forbids_by_closures_is_relaxed():
    def is_relaxed(body: Any) -> bool:
        return is_relaxable(_term(body))

    assert is_relaxed(lambda thiz, heap: no(thiz.root @ closure(heap.left)))
    assert is_relaxed(lambda thiz, heap: for_all(thiz.root @ closure(heap.left), lambda n: no(n.left)))
    assert is_relaxed(lambda thiz, heap: some(thiz.root) == no(thiz.root.left))
    assert not is_relaxed(lambda thiz, heap: some(thiz.root @ closure(heap.left)))
    assert not is_relaxed(lambda thiz, heap: thiz.root @ closure(heap.left) == thiz.root)
    assert not is_relaxed(lambda thiz, heap: no(thiz.root - thiz.root @ closure(heap.left)))
    assert not is_relaxed(lambda thiz, heap: ~no(thiz.root @ closure(heap.left)))
    assert not is_relaxed(lambda thiz, heap: thiz.size == count(thiz.root))
    assert not is_relaxed(lambda thiz, heap: thiz.root.key < 2)


def _tokens() -> Finitization:
    f = Finitization("Pair")
    tokens = f.tokens("value", 3)
    f.set("Pair.left", None, tokens)
    f.set("Pair.middle", tokens, None)
    f.set("Pair.right", tokens)
    return f


@pytest.mark.parametrize(
    "finitization", [trees(2), rings(3), two_classes(), mixed(), _tokens()], ids=lambda each: each.domains[0].class_name
)
def test_one_state_of_those_that_differ_in_numbers_is_left(finitization):
    assert solved_states(finitization, anything, untightened) == numbered_states(StateSpace(finitization))
