"""BinomialHeap behaves as a multiset that gives back its minimum."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from subject_samples import loaded

SUBJECT = loaded("binomial_heap")
KEYS = st.integers(0, 6)
CALLS = st.one_of(
    st.tuples(st.just("insert"), KEYS),
    st.tuples(st.just("extract_min"), st.none()),
    st.tuples(st.just("union"), st.lists(KEYS, max_size=9)),
    st.tuples(st.just("delete"), KEYS),
)


def heap_of(*keys):
    heap = SUBJECT.module.BinomialHeap()
    for key in keys:
        heap.insert(key)
    return heap


@pytest.mark.sweep
@settings(max_examples=200, derandomize=True, deadline=None)
@given(st.lists(CALLS, max_size=30))
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
        assert (heap.find_min().key == model[0]) if model else (heap.find_min() is None)


@pytest.mark.parametrize("keys", [range(8), reversed(range(8)), [3, 3, 1, 1, 2, 2, 0, 0]])
def test_decrease_lets_a_key_rise_to_its_place(keys):
    heap = heap_of(*keys)
    deepest = heap.nodes.child.child.child
    before = list(SUBJECT.abstract(heap))
    before.remove(deepest.key)
    heap.decrease(deepest, -1)
    assert SUBJECT.abstract(heap) == tuple(sorted([-1, *before]))
    assert heap.find_min().key == -1


def test_merge_puts_the_roots_of_two_lists_in_order_of_degree():
    heap, other = heap_of(1, 2, 3, 4, 5), heap_of(6, 7, 8)
    heap.merge(other.nodes)
    degrees, root = [], heap.nodes
    while root is not None:
        degrees.append(root.degree)
        root = root.sibling
    assert degrees == [0, 0, 1, 2]


def test_heaps_with_the_same_keys_in_other_trees_are_equal():
    one, other = heap_of(1, 2, 3), heap_of(3, 2, 1)
    assert one.nodes.key != other.nodes.key
    assert SUBJECT.abstract(one) == SUBJECT.abstract(other) == (1, 2, 3)


def break_parent(heap):
    heap.nodes.child.parent = None


def break_degree(heap):
    heap.nodes.child.degree = 0


def break_size(heap):
    heap.size = 3


def break_order(heap):
    heap.nodes.child.child.key = 0


def break_cycle(heap):
    heap.nodes.child.sibling.sibling = heap.nodes.child


def break_sharing(heap):
    heap.nodes.child.sibling = heap.nodes.child


def break_root_degrees(heap):
    single = heap_of(5).nodes
    heap.nodes.sibling = single
    heap.size = 5


@pytest.mark.parametrize(
    "damage",
    [break_parent, break_degree, break_size, break_order, break_cycle, break_sharing, break_root_degrees],
)
def test_rep_ok_refuses_a_damaged_heap(damage):
    heap = heap_of(1, 2, 3, 4)
    assert SUBJECT.spec.rep_ok(heap)
    damage(heap)
    assert not SUBJECT.spec.rep_ok(heap)
