"""The meaning of the language on one instance, worked out by hand."""

from collections.abc import Callable
from typing import Any

import pytest
from support.relational_evaluation import Atom, InstanceFacts, holds

from harness.kernel.specs.relational.expressions import formula_of
from harness.kernel.specs.relational.terms import Constant
from harness.model.finitization import Reference
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


def _lists() -> Finitization:
    f = Finitization("List")
    nodes = f.objects("Node", 3)
    f.set("List.first", None, nodes)
    f.set("List.size", range(4))
    f.set("Node.next", None, nodes)
    f.set("Node.key", None, range(1, 4))
    f.set("Node.marked", False, True)
    return f


def _facts() -> InstanceFacts:
    """first -> a -> b -> b; keys 1 and none; a is marked, b is not."""
    root, a, b = Reference(0, 0), Reference(1, 0), Reference(1, 1)
    pairs: dict[str, list[tuple[Atom, Atom]]] = {
        "List.first": [(root, a)],
        "List.size": [(root, Constant.of(2))],
        "Node.next": [(a, b), (b, b)],
        "Node.key": [(a, Constant.of(1))],
        "Node.marked": [(a, Constant.of(True)), (b, Constant.of(False))],
    }
    classes = {"List": frozenset({root}), "Node": frozenset({a, b})}
    return InstanceFacts(root, classes, {name: frozenset(found) for name, found in pairs.items()})


_TRUE: list[Callable[[Any, Any], Any]] = [
    lambda thiz, heap: thiz.size == 2,
    lambda thiz, heap: thiz.size == count(heap["Node"]),
    lambda thiz, heap: count(heap.next) == 2,
    lambda thiz, heap: thiz.first @ closure(heap.next) == thiz.first.next,
    lambda thiz, heap: count(thiz.first @ reflexive_closure(heap.next)) == 2,
    lambda thiz, heap: count(reflexive_closure(heap.next)) == 3,
    lambda thiz, heap: thiz.first.next.within(thiz.first.next.next),
    lambda thiz, heap: ~thiz.first.within(thiz.first @ closure(heap.next)),
    lambda thiz, heap: thiz.first.key == 1,
    lambda thiz, heap: thiz.first.next.key == None,  # noqa: E711 (what a spec author may write)
    lambda thiz, heap: no(thiz.first.next.key) & some(thiz.first.key) & lone(heap.key) & one(heap.first),
    lambda thiz, heap: ~lone(heap.next),
    lambda thiz, heap: for_all(heap["Node"], lambda n: n.key < 2),
    lambda thiz, heap: exists(heap["Node"], lambda n: n.next == n),
    lambda thiz, heap: those(heap["Node"], lambda n: n.marked == True) == thiz.first,  # noqa: E712
    lambda thiz, heap: thiz.first.marked != False,  # noqa: E712
    lambda thiz, heap: thiz.first.next @ ~heap.next == heap["Node"],
    lambda thiz, heap: heap["Node"] - thiz.first == thiz.first.next,
    lambda thiz, heap: (heap["Node"] & thiz.first) | thiz.first.next == heap["Node"],
    lambda thiz, heap: thiz.size - 1 == total(heap["Node"].key),
    lambda thiz, heap: thiz.size * 2 + 1 > 4,
    lambda thiz, heap: 3 - thiz.size >= 1,
    lambda thiz, heap: thiz.first.key <= thiz.size,
    lambda thiz, heap: some(thiz.first.key).implies(thiz.first.key < thiz.size),
    lambda thiz, heap: (thiz.size == 3) == (thiz.size == 1),
    lambda thiz, heap: any_of(thiz.size == 3, thiz.size == 2) & all_of(thiz.size != 1),
]


@pytest.mark.parametrize("invariant", _TRUE)
def test_what_is_true_of_a_list_with_a_loop_is_found_true(invariant):
    assert holds(formula_of(invariant, _lists()), _facts()) is True
    assert holds(formula_of(lambda thiz, heap: ~invariant(thiz, heap), _lists()), _facts()) is False
