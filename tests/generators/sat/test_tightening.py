"""Tightening finds the values that the shape of an invariant leaves possible, before the whole is encoded."""

from typing import Any

from sat.relational_samples import anything, rings, solved_states
from support.search_trees import search_tree, trees

from harness.generators.sat.encoding import Encoding
from harness.generators.sat.instances import sat_instances
from harness.generators.sat.symmetry import first_bounds
from harness.generators.sat.tightening import conjuncts, is_relaxable, tightened
from harness.kernel.inputs.state_space import PLAIN, StateSpace
from harness.kernel.specs.relational.heap import formula_of
from harness.kernel.specs.relational.terms import Operator, Term
from harness.relational import all_of, closure, count, for_all, no, reflexive_closure, some


def _term(invariant: Any) -> Term:
    return formula_of(invariant, trees(3))


def test_links_of_a_search_tree_lead_to_higher_numbers_only() -> None:
    finitization = trees(7)
    space = StateSpace(finitization)
    bounds = tightened(space, formula_of(search_tree, finitization), first_bounds(space))
    for field in space.fields:
        targets = {field.domain.objects[index] for index in bounds[field.number]} - {PLAIN}
        assert all(target > field.owner for target in targets)


def test_the_pairs_that_are_left_are_the_extension_of_a_search_tree() -> None:
    instances = sat_instances(trees(6), search_tree)
    left = dict.fromkeys(instances.pairs)
    instances.demand(left)
    while (instance := instances.next()) is not None:
        for pair in instance.pairs:
            left.pop(pair, None)
        instances.demand(left)
    assert not left


def test_tightening_loses_no_state() -> None:
    def ring(thiz: Any, heap: Any) -> Any:
        nodes = thiz.first @ reflexive_closure(heap.next)
        return all_of(for_all(nodes, lambda n: n.within(n @ closure(heap.next))), no(thiz.last - nodes))

    def chain(thiz: Any, heap: Any) -> Any:
        nodes = thiz.first @ reflexive_closure(heap.next)
        return all_of(for_all(nodes, lambda n: ~n.within(n @ closure(heap.next))), thiz.last.within(nodes))

    for invariant in (ring, chain, anything):
        assert solved_states(rings(3), invariant) == solved_states(rings(3), invariant, tightened=False)


def test_tightening_saves_clauses() -> None:
    plain = sat_instances(trees(5), search_tree, encoding=Encoding(tightened=False))
    assert sat_instances(trees(5), search_tree).clauses < plain.clauses / 4


def test_conjuncts_are_taken_apart_under_quantifiers() -> None:
    parts = conjuncts(_term(search_tree))
    assert len(parts) == 5
    assert [part.operator for part in parts] == [Operator.FOR_ALL] * 4 + [Operator.EQUAL]


def test_only_what_forbids_by_closures_is_relaxed() -> None:
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
