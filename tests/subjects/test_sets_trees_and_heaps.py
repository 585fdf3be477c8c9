"""HashSet is a set, DisjSet a partition, TreeMap a sorted dictionary, FibonacciHeap a multiset with a minimum."""

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from map_counts import black_rooted_trees, red_black_trees
from subject_samples import inputs, loaded
from support.sequence_suites import task_of

from harness.generators.sequences.exploration import Policy, SequenceExploration
from harness.kernel.objects.equality import concrete

SUBJECT = loaded("hash_set")
HashSet, Element = SUBJECT.module.HashSet, SUBJECT.module.Element
ELEMENTS = [None, *(Element(code) for code in (0, 0, 0, 1, 5, 11, 22, 23, 40, 40))]


@settings(max_examples=150, derandomize=True, deadline=None)
@given(st.lists(st.tuples(st.sampled_from(["add", "add", "remove"]), st.sampled_from(ELEMENTS)), max_size=60))
def test_any_sequence_of_calls_does_what_a_set_does(calls):
    hash_set, model = HashSet(), set()
    hash_set.map = SUBJECT.module.HashMap(1)
    for method, element in calls:
        present = element in model
        if method == "add":
            assert hash_set.add(element) is not present
            model.add(element)
        else:
            assert hash_set.remove(element) is present
            model.discard(element)
        assert SUBJECT.abstract(hash_set) == abstract(model)
    assert [hash_set.contains(element) for element in ELEMENTS] == [element in model for element in ELEMENTS]


def abstract(elements: set[Any]) -> tuple[int, ...]:
    return tuple(sorted(-1 if element is None else element.hash_code for element in elements))


def contents(hash_set: Any) -> set[Any]:
    """Return the elements, found without any of the methods under test."""
    elements = set()
    for entry in hash_set.map.table:
        while entry is not None:
            elements.add(entry.key)
            entry = entry.next
    return elements


@pytest.mark.parametrize("scope", [1, 2, 3, 4, pytest.param(5, marks=pytest.mark.slow)])
def test_every_input_does_what_a_set_does(scope):
    for one in inputs(SUBJECT, scope):
        hash_set, (element,) = one.make()
        model = contents(hash_set)
        present = element in model
        if one.target.name == "add":
            assert hash_set.add(element) is not present
            model.add(element)
        else:
            assert hash_set.remove(element) is present
            model.discard(element)
        assert contents(hash_set) == model
        assert SUBJECT.abstract(hash_set) == abstract(model)


DISJ_SET = loaded("disj_set")


def test_find_leads_all_elements_on_its_way_to_the_root():
    sets = DISJ_SET.module.DisjSet(4)
    sets.parent, sets.rank = [1, 2, 3, 3], [0, 1, 2, 3]
    assert sets.find(0) == 3
    assert sets.parent == [3, 3, 3, 3]


def test_the_root_of_lower_rank_goes_below_the_other_and_equal_ranks_grow():
    sets = DISJ_SET.module.DisjSet(4)
    sets.union(0, 1)
    assert (sets.parent, sets.rank) == ([0, 0, 2, 3], [1, 0, 0, 0])
    sets.union(2, 1)
    assert (sets.parent, sets.rank) == ([0, 0, 0, 3], [1, 0, 0, 0])
    sets.union(0, 3)
    assert (sets.parent, sets.rank) == ([0, 0, 0, 0], [1, 0, 0, 0])


BLACK_OR_RED = loaded("tree_map")
STRICT = loaded("tree_map_black_root")


def test_there_are_as_many_red_black_trees_as_the_published_sequence_says():
    assert [red_black_trees(entries) for entries in range(10)] == [1, 2, 2, 3, 8, 14, 20, 35, 64, 122]  # OEIS A001131
    assert [black_rooted_trees(entries) for entries in range(5)] == [1, 1, 2, 2, 4]


@pytest.mark.parametrize("scope", [1, 2, 3, 4, 5])
def test_the_corrected_invariant_accepts_exactly_the_states_with_a_black_root(scope):
    def drawn(entry):
        return entry and (entry.key, entry.color, drawn(entry.left), drawn(entry.right))

    lax, strict = ([one.make()[0].root for one in inputs(subject, scope)] for subject in (BLACK_OR_RED, STRICT))
    assert {drawn(root) for root in strict} == {drawn(root) for root in lax if root is None or root.color}
    assert any(root is not None and not root.color for root in lax)


FIBONACCI_HEAP = loaded("fibonacci_heap")


def heap_of(*keys, trees=True):
    """A heap of the keys in as few trees as there can be, or each a root of its own."""
    heap = FIBONACCI_HEAP.module.FibonacciHeap()
    for key in keys:
        heap.insert(key)
    if trees and keys:
        heap.insert(min(keys) - 1)
        heap.extract_min()
    return heap


def ring(first):
    """Return the nodes of a ring, from the first one to the right."""
    nodes = [first]
    while nodes[-1].right is not first:
        nodes.append(nodes[-1].right)
    return nodes


def roots(heap):
    return ring(heap.nodes)


def test_a_parent_that_loses_a_second_child_is_cut_as_well():
    heap = heap_of(*range(1, 17))
    (root,) = roots(heap)
    parent = next(node for node in ring(root.child) if node.degree == 3)
    first, second, third = ring(parent.child)
    heap.decrease(first, 0)
    assert parent.mark
    assert parent.parent is root
    heap.decrease(second, -1)
    assert not parent.mark
    assert roots(heap) == [root, first, second, parent]
    assert (root.degree, parent.degree, parent.child) == (3, 1, third)
    assert FIBONACCI_HEAP.spec.rep_ok(heap)


def test_marks_rise_over_several_cuts():
    heap = heap_of(*range(1, 17))
    (root,) = roots(heap)
    upper = next(node for node in ring(root.child) if node.degree == 3)
    lower = next(node for node in ring(upper.child) if node.degree == 2)
    upper.mark = lower.mark = True
    heap.decrease(lower.child, 0)
    assert upper in roots(heap)
    assert lower in roots(heap)
    assert not upper.mark
    assert not lower.mark
    assert FIBONACCI_HEAP.spec.rep_ok(heap)


def structures_of_calls(scope, builders):
    """Return the forms of the heaps that these routines make."""
    exploration = SequenceExploration(task_of("fibonacci_heap", scope), Policy(builders=builders))
    sequences = [(exploration.rows.sequence(one.state), one.result) for one in exploration]
    return {concrete(exploration.path.execute(calls)[result]) for calls, result in sequences}


def test_what_union_adds_is_made_without_it_at_the_next_scope():
    without, whole = structures_of_calls(3, ["insert", "extract_min"]), structures_of_calls(3, None)
    assert (len(without), len(whole)) == (64, 82)
    assert without < whole <= structures_of_calls(4, ["insert", "extract_min"])
