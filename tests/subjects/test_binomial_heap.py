"""BinomialHeap behaves as a multiset that gives back its minimum."""

import pytest
from subject_samples import loaded

SUBJECT = loaded("binomial_heap")


def heap_of(*keys):
    heap = SUBJECT.module.BinomialHeap()
    for key in keys:
        heap.insert(key)
    return heap


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


DAMAGES = (
    "heap.nodes.child.parent = None",
    "heap.nodes.child.degree = 0",
    "heap.size = 3",
    "heap.nodes.child.child.key = 0",
    "heap.nodes.child.sibling.sibling = heap.nodes.child",
    "heap.nodes.child.sibling = heap.nodes.child",
    "single = heap_of(5).nodes; heap.nodes.sibling = single; heap.size = 5",
)


@pytest.mark.parametrize("damage", DAMAGES)
def test_rep_ok_refuses_a_damaged_heap(damage):
    heap = heap_of(1, 2, 3, 4)
    assert SUBJECT.spec.rep_ok(heap)
    exec(damage, {"heap": heap, "heap_of": heap_of})
    assert not SUBJECT.spec.rep_ok(heap)
