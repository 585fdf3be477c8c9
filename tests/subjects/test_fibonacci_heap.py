"""FibonacciHeap behaves as a multiset that gives back its minimum."""

from subject_samples import loaded
from support.sequence_suites import task_of

from harness.generators.sequences.exploration import Policy, SequenceExploration
from harness.kernel.objects.equality import concrete

SUBJECT = loaded("fibonacci_heap")


def heap_of(*keys, trees=True):
    """A heap of the keys in as few trees as there can be, or each a root of its own."""
    heap = SUBJECT.module.FibonacciHeap()
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
    assert SUBJECT.spec.rep_ok(heap)


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
    assert SUBJECT.spec.rep_ok(heap)


def structures_of_calls(scope, builders):
    """Return the forms of the heaps that these routines make."""
    exploration = SequenceExploration(task_of("fibonacci_heap", scope), Policy(builders=builders))
    sequences = [(exploration.rows.sequence(one.state), one.result) for one in exploration]
    return {concrete(exploration.path.execute(calls)[result]) for calls, result in sequences}


def test_what_union_adds_is_made_without_it_at_the_next_scope():
    without, whole = structures_of_calls(3, ["insert", "extract_min"]), structures_of_calls(3, None)
    assert (len(without), len(whole)) == (64, 82)
    assert without < whole <= structures_of_calls(4, ["insert", "extract_min"])
