"""FibonacciHeap behaves as a multiset that gives back its minimum."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from subject_samples import loaded
from support.sequence_suites import task_of

from harness.generators.sequences.exploration import Exploration, Policy
from harness.kernel.judging.canon import concrete

SUBJECT = loaded("fibonacci_heap")
KEYS = st.integers(0, 6)
CALLS = st.one_of(
    st.tuples(st.just("insert"), KEYS),
    st.tuples(st.just("extract_min"), st.none()),
    st.tuples(st.just("union"), st.lists(KEYS, max_size=9)),
    st.tuples(st.just("delete"), KEYS),
)


def heap_of(*keys, trees=True):
    """A heap of the keys in as few trees as there can be, or each a root of its own."""
    heap = SUBJECT.module.FibonacciHeap()
    for key in keys:
        heap.insert(key)
    if trees and keys:
        heap.insert(min(keys) - 1)
        heap.extract_min()
    return heap


@pytest.mark.sweep
@settings(max_examples=200, derandomize=True, deadline=None)
@given(st.lists(CALLS, max_size=40))
def test_any_sequence_of_calls_does_what_a_sorted_list_does(calls):
    heap, model = heap_of(), []
    for method, argument in calls:
        if method == "insert":
            assert heap.insert(argument) is None
            model = sorted([*model, argument])
        elif method == "union":
            other = heap_of(*argument)
            assert heap.union(other) is None
            assert SUBJECT.abstract(other) == ()
            model = sorted([*model, *argument])
        elif method == "delete":
            assert heap.delete(argument) is (argument in model)
            if argument in model:
                model.remove(argument)
        elif model:
            assert heap.extract_min() == model.pop(0)
        else:
            with pytest.raises(IndexError):
                heap.extract_min()
        assert SUBJECT.abstract(heap) == tuple(model)
        assert [heap.contains(key) for key in range(7)] == [key in model for key in range(7)]


def roots(heap):
    return list(heap._ring(heap.nodes))


def test_after_extract_min_no_two_roots_have_the_same_degree():
    heap = heap_of(*range(13))
    assert sorted(root.degree for root in roots(heap)) == [0, 2, 3]


def test_a_node_becomes_a_root_when_its_key_falls_below_its_parents():
    heap = heap_of(*range(1, 9))
    child = heap.nodes.child
    heap.decrease(child, 0)
    assert SUBJECT.spec.rep_ok(heap)
    assert child in roots(heap)
    assert heap.min_node is child


def test_a_parent_that_loses_a_second_child_is_cut_as_well():
    heap = heap_of(*range(1, 17))
    (root,) = roots(heap)
    parent = next(node for node in heap._ring(root.child) if node.degree == 3)
    first, second, third = heap._ring(parent.child)
    heap.decrease(first, 0)
    assert parent.mark
    assert parent.parent is root
    heap.decrease(second, -1)
    assert not parent.mark
    assert roots(heap) == [root, first, second, parent]
    assert (root.degree, parent.degree, parent.child) == (3, 1, third)
    assert SUBJECT.spec.rep_ok(heap)


def test_marks_rise_over_several_cuts():
    heap = heap_of(*range(1, 17))
    (root,) = roots(heap)
    upper = next(node for node in heap._ring(root.child) if node.degree == 3)
    lower = next(node for node in heap._ring(upper.child) if node.degree == 2)
    upper.mark = lower.mark = True
    heap.decrease(lower.child, 0)
    assert upper in roots(heap)
    assert lower in roots(heap)
    assert not upper.mark
    assert not lower.mark
    assert SUBJECT.spec.rep_ok(heap)


def test_heaps_with_the_same_keys_in_other_trees_are_equal():
    one, other = heap_of(1, 2, 3, trees=False), heap_of(3, 2, 1)
    assert len(roots(one)) != len(roots(other))
    assert SUBJECT.abstract(one) == SUBJECT.abstract(other) == (1, 2, 3)


def break_parent(heap):
    heap.nodes.child.parent = None


def break_degree(heap):
    heap.nodes.degree = 1


def break_size(heap):
    heap.size = 3


def break_order(heap):
    heap.nodes.child.key = 0


def break_left(heap):
    heap.nodes.child.right.left = heap.nodes


def break_end(heap):
    heap.nodes.child.right = None


def break_sharing(heap):
    heap.nodes.child.child = heap.nodes


def break_minimum(heap):
    heap.min_node = heap.nodes.child


def break_no_minimum(heap):
    heap.min_node = None


def break_smaller_root(heap):
    heap.insert(0)
    heap.min_node = heap.nodes


def break_nodes(heap):
    heap.nodes = None


@pytest.mark.parametrize(
    "damage",
    [
        break_parent,
        break_degree,
        break_size,
        break_order,
        break_left,
        break_end,
        break_sharing,
        break_minimum,
        break_no_minimum,
        break_smaller_root,
        break_nodes,
    ],
)
def test_rep_ok_refuses_a_damaged_heap(damage):
    heap = heap_of(1, 2, 3, 4)
    assert SUBJECT.spec.rep_ok(heap)
    damage(heap)
    assert not SUBJECT.spec.rep_ok(heap)


def made_by_calls(scope, builders):
    """The forms of the heaps that these routines make."""
    exploration = Exploration(task_of("fibonacci_heap", scope), Policy(builders=builders))
    sequences = [(exploration.rows.sequence(one.state), one.result) for one in exploration]
    return {concrete(exploration.path.execute(calls)[result]) for calls, result in sequences}


@pytest.mark.sweep
def test_what_union_adds_is_made_without_it_at_the_next_scope():
    without, whole = made_by_calls(3, ["insert", "extract_min"]), made_by_calls(3, None)
    assert (len(without), len(whole)) == (64, 82)
    assert without < whole <= made_by_calls(4, ["insert", "extract_min"])
