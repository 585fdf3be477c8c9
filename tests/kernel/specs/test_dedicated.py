"""Dedicated generators outside of a search: plain checks of plain objects."""

from dataclasses import dataclass
from itertools import pairwise, product
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from harness.spec import (
    all_different,
    and_,
    equal,
    field,
    instance_of,
    is_acyclic,
    is_in,
    is_sorted,
    is_tree,
    length,
    less,
    not_,
    or_,
    requirements,
)


@dataclass(eq=False)
class Node:
    left: Any = None
    right: Any = None
    key: int = 0


@st.composite
def graphs(draw):
    """Draw the first of up to four nodes with arbitrary links."""
    nodes = [Node() for _ in range(draw(st.integers(1, 4)))]
    for node in nodes:
        node.left = draw(st.sampled_from([None, *nodes]))
        node.right = draw(st.sampled_from([None, *nodes]))
    return nodes[0]


def paths(node, steps: int) -> list[list[Any]]:
    """Return all ways of at most so many links from a node, each with the nodes on it."""
    if node is None:
        return []
    ways = [[node]]
    if steps:
        ways += [[node, *way] for child in (node.left, node.right) for way in paths(child, steps - 1)]
    return ways


@given(graphs())
@settings(max_examples=200, deadline=None, derandomize=True)
def test_a_tree_has_one_way_to_each_node(root):
    ends = [id(way[-1]) for way in paths(root, 5)]
    assert bool(is_tree(root, ("left", "right"))) is (len(set(ends)) == len(ends))


@given(graphs())
@settings(max_examples=200, deadline=None, derandomize=True)
def test_no_way_through_an_acyclic_structure_meets_a_node_twice(root):
    again = any(len(set(map(id, way))) < len(way) for way in paths(root, 5))
    assert bool(is_acyclic(root, ("left", "right"))) is not again


@given(st.lists(st.integers(0, 3), max_size=4))
def test_lists_are_checked_for_order_and_difference(items):
    assert bool(is_sorted(items)) is (items == sorted(items))
    assert bool(is_sorted(items, strict=True)) is all(a < b for a, b in pairwise(items))
    assert bool(all_different(items)) is (len(set(items)) == len(items))
    nodes = [Node(key=item) for item in items]
    assert bool(is_sorted(field(node, "key") for node in nodes)) is (items == sorted(items))
    assert bool(all_different(field(node, "key") for node in nodes)) is (len(set(items)) == len(items))


def test_basic_conditions_say_what_their_names_say():
    node = Node(key=2)
    assert is_in(field(node, "key"), range(3))
    assert not is_in(field(node, "key"), [])
    assert equal(field(node, "key"), 2)
    assert less(1, field(node, "key"))
    assert not less(field(node, "key"), field(node, "key"))
    assert instance_of(field(node, "key"), int)
    assert instance_of(node, "Node")
    assert not instance_of(node, "Leaf", str)
    assert equal(length([4, 5]), 2)
    assert equal(field([4, 5], 1), 5)
    assert is_in(3, [3]), "an operand may be a value"
    assert is_tree(None, ("left",))
    assert is_acyclic(None, ("left",))


@given(st.lists(st.booleans(), min_size=0, max_size=3))
def test_combinators_are_pythons_own(truths):
    node = Node(key=1)
    parts = [equal(field(node, "key"), int(truth)) for truth in truths]
    assert bool(and_(*parts)) is all(truths)
    assert bool(or_(*parts)) is any(truths)
    assert all(bool(not_(part)) is not truth for part, truth in zip(parts, truths, strict=True))


def test_combinators_take_conditions_on_several_fields_and_whole_checks():
    for left, key in product((None, Node()), (0, 1)):
        node = Node(left=left, key=key)
        tree, one = is_tree(node, ("left", "right")), equal(field(node, "key"), 1)
        leaf = equal(field(node, "left"), None)
        assert bool(and_(tree, one, leaf)) is (key == 1 and left is None)
        assert bool(or_(not_(tree), one, leaf)) is (key == 1 or left is None)


def test_evaluation_stops_where_the_result_is_certain():
    node = Node(key=None)
    assert not and_(not_(equal(field(node, "key"), None)), less(field(node, "key"), 3))
    assert or_(equal(field(node, "key"), None), less(field(node, "key"), 3))
    with pytest.raises(TypeError):
        bool(less(field(node, "key"), 3))


def test_requirements_hold_if_all_that_is_yielded_does():
    @requirements
    def rule(node):
        """As it says."""
        yield node is not None
        yield less(field(node, "key"), 3)

    assert rule(Node(key=2))
    assert not rule(Node(key=3))
    assert not rule(None)
    assert rule.__doc__ == "As it says."


def test_a_field_is_read_when_the_truth_is_asked_for():
    node = Node(key=1)
    condition = equal(field(node, "key"), 2)
    node.key = 2
    assert condition


def test_fields_are_given_as_names():
    with pytest.raises(TypeError, match=r"as in \('left', 'right'\), not 'left'"):
        is_tree(Node(), "left")
    with pytest.raises(ValueError, match="numbered from 0, not -1"):
        field([1], -1)
