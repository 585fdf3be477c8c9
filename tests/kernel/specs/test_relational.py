"""The relational language as spec authors write it: what it builds, what it refuses in one line, and what it means."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from support.relational_evaluation import Atom, InstanceFacts, holds
from support.search_trees import search_tree, trees

from harness.errors import SpecError
from harness.kernel.specs.relational.expressions import formula_of
from harness.kernel.specs.relational.terms import Constant, Operator, Term
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


def test_figure_4_of_the_paper_is_a_formula():
    term = formula_of(search_tree, trees(3))
    assert term.operator is Operator.ALL
    assert [part.operator for part in term.parts] == [Operator.FOR_ALL, Operator.EQUAL]
    assert term.free == frozenset()


def test_a_subterm_written_twice_is_one_term():
    term = formula_of(
        lambda thiz, heap: some(thiz.root @ closure(heap.left)) & no(thiz.root @ closure(heap.left)), trees(3)
    )
    assert term.parts[0].parts[0] is term.parts[1].parts[0]


def test_a_field_of_two_classes_joins_with_the_class_at_hand():
    f = trees(3)
    f.objects("Other", 1)
    f.set("Other.left", 1, 2)
    term = formula_of(lambda thiz, heap: no(thiz.root.left), f)
    assert str(term) == "no(thiz.root.left)"
    assert term.parts[0].columns == (frozenset({"Node"}),)
    with pytest.raises(
        SpecError, match=r'several classes have a field .left.; write heap\["Node.left"\] or heap\["Other'
    ):
        formula_of(lambda thiz, heap: no(heap.left), f)


_REFUSED: list[tuple[Callable[[Any, Any], Any], str]] = [
    (
        lambda thiz, heap: no(thiz.rot),
        "thiz.rot: there is no field 'rot' in the finitization; did you mean 'Tree.root'",
    ),
    (
        lambda thiz, heap: no(heap["Node.lft"]),
        "there is no field 'Node.lft' in the finitization; did you mean 'Node.left'",
    ),
    (
        lambda thiz, heap: no(heap["Nodes"]),
        "there is no class or field 'Nodes' in the finitization; did you mean 'Node'",
    ),
    (lambda thiz, heap: no(thiz.left), "thiz.left is always empty: thiz holds Tree, and 'left' is a field of Node"),
    (
        lambda thiz, heap: no(heap.left) and no(heap.right),
        r"asks whether no\(heap\[.Node.left.\]\) is true.*write & | ~",
    ),
    (lambda thiz, heap: thiz.root in heap.left, r"asks whether something is in .*; write x.within\("),
    (lambda thiz, heap: [no(n) for n in thiz.root], r"loops over thiz.root; write for_all\(thiz.root, lambda n: ...\)"),
    (lambda thiz, heap: no(closure(thiz.root)), "closure of thiz.root, a set: only a relation of two columns"),
    (lambda thiz, heap: no(~thiz.root), "~ of thiz.root, a set: only a relation of two columns can be transposed"),
    (lambda thiz, heap: no(heap.left | thiz.root), "the left side is a relation of two columns, the right one a set"),
    (lambda thiz, heap: no(thiz @ thiz.root), "joins a set with a set; a join needs a relation of two columns"),
    (lambda thiz, heap: no(thiz @ heap.left), r"is always empty: the one ends in Tree, the other begins with Node"),
    (lambda thiz, heap: thiz.size == True, "thiz.size == True is never true: thiz.size holds no bool but int"),  # noqa: E712
    (
        lambda thiz, heap: ~(thiz.root == count(thiz)),
        r"thiz.root == count\(thiz\) is never true: .* holds no int but Node",
    ),
    (
        lambda thiz, heap: for_all(thiz.root, lambda node: node.key != "a"),
        "node.key == 'a' is never true: node.key holds no str but int",
    ),
    (lambda thiz, heap: thiz.root < 3, "thiz.root holds no integers but Node; only a set of integers"),
    (lambda thiz, heap: for_all(thiz.root, lambda n: n.key), r"its function takes a formula .*, not a set, n.key"),
    (
        lambda thiz, heap: for_all(heap.left, lambda n: no(n)),
        "a variable ranges over a set; a relation has two columns",
    ),
    (lambda thiz, heap: all_of(thiz.root is None), "takes a formula .*, not False; write no.x. for x is None"),
    (lambda thiz, heap: any_of(), r"any_of\(\) has no formula to speak of"),
    (
        lambda thiz, heap: count(thiz.size == 1) == 1,
        "count takes a set or relation of harness.relational, not the formula",
    ),
    (lambda thiz, heap: thiz.size == "a" * count(thiz), "is multiplied by a whole number only"),
    (lambda thiz, heap: 3, "invariant returned int, not a formula; return all_of"),
    (
        lambda thiz, heap: all_of(*(some(each) for each in heap)),
        "the invariant loops over the heap; name what is meant",
    ),
    (lambda thiz, heap: 1 / 0, "invariant raised ZeroDivisionError: division by zero; correct the spec"),
]


@pytest.mark.parametrize(("invariant", "message"), _REFUSED)
def test_what_makes_no_sense_is_refused_in_one_line(invariant, message):
    with pytest.raises(SpecError, match=message) as error:
        formula_of(invariant, trees(3))
    assert "\n" not in str(error.value)


def test_a_variable_does_not_leave_its_function():
    def invariant(thiz: Any, heap: Any) -> Any:
        variables = []
        ahead = for_all(thiz.root, lambda n: (variables.append(n), some(n))[1])
        return ahead & some(variables[0])

    with pytest.raises(SpecError, match=r"uses a variable of for_all, exists or those outside the function"):
        formula_of(invariant, trees(3))


def test_a_field_is_not_assigned_but_compared():
    def invariant(thiz: Any, heap: Any) -> Any:
        thiz.size = 3
        return some(thiz)

    with pytest.raises(SpecError, match=r"the invariant assigns thiz.size; write thiz.size == \.\.\."):
        formula_of(invariant, trees(3))


def test_finitizations_with_containers_are_refused():
    f = Finitization("Tree")
    f.set("Tree.items", f.lists(1, lengths=[1], elements=[1]))
    with pytest.raises(SpecError, match=r"knows objects, tokens and plain values, not list"):
        formula_of(lambda thiz, heap: some(thiz), f)


def test_numbers_are_written_with_the_usual_operators():
    def term(body: Callable[[Any], Any]) -> Term:
        return formula_of(lambda thiz, heap: body(thiz), trees(3))

    assert (
        str(term(lambda thiz: thiz.size + 1 == 2 * count(thiz.root)))
        == "((total(thiz.size) + 1) == count(thiz.root) * 2)"
    )
    assert str(term(lambda thiz: thiz.size >= count(thiz))) == "(count(thiz) <= thiz.size)"
    assert str(term(lambda thiz: thiz.size - 1 <= -count(thiz))) == "((total(thiz.size) + -1) <= -count(thiz))"


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
