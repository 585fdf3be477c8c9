"""HeapArray behaves as a multiset that gives back its maximum."""

import pytest
from subject_samples import loaded

SUBJECT = loaded("heap_array")


def heap_of(*values, capacity=0):
    heap = SUBJECT.module.HeapArray(capacity)
    for value in values:
        heap.insert(value)
    return heap


def test_the_marker_of_unused_cells_is_no_value():
    heap = heap_of(3, 1)
    with pytest.raises(ValueError, match="cannot hold -1"):
        heap.insert(-1)
    assert SUBJECT.abstract(heap) == (1, 3)


def test_capacity_and_arrangement_do_not_count_for_equality():
    assert SUBJECT.abstract(heap_of(1, 2, 3)) == SUBJECT.abstract(heap_of(3, 1, 2, capacity=9)) == (1, 2, 3)


def test_rep_ok_refuses_a_size_beyond_the_array_a_used_tail_a_gap_and_a_child_above_its_parent():
    beyond, tail, gap, order = (heap_of(3, 2, 1, capacity=4) for _ in range(4))
    beyond.size = 5
    tail.array[3] = 0
    gap.array[2] = -1
    order.array[1] = 4
    assert not any(map(SUBJECT.spec.rep_ok, [beyond, tail, gap, order]))
