"""Objects in memory are read as the graphs that candidate vectors of the same states are."""

from __future__ import annotations

from collections import deque
from typing import Any

from harness.report.states.graph import graph_of, without_absent
from harness.report.states.text import state_lines


class Node:
    def __init__(self, **fields: Any) -> None:
        self.__dict__.update(fields)


class Slim:
    __slots__ = ("left", "right")

    def __init__(self, left: Any) -> None:
        self.left = left


class Bag(list[Any]):
    pass


def lines(root: Any) -> list[str]:
    return state_lines(graph_of(root, {"count"}.__contains__))


def test_objects_are_numbered_as_they_are_met_and_named_where_they_are_met_again() -> None:
    root, below = Node(count=3), Node(key=1)
    root.first, root.again, below.up, below.own = below, below, root, below
    assert lines(root) == ["Node(again=Node0)", "└─ first: Node0(key=1, up=Node, own=Node0)"]


def test_containers_of_values_are_values_unless_two_refer_to_them() -> None:
    shared = [1, 2]
    assert lines(Node(one=[1], two=(), three={"a": None}, four=deque([0]))) == [
        "Node(one=[1], two=(), three={'a': None}, four=deque([0]))"
    ]
    assert lines(Node(one=shared, two=shared)) == ["Node(two=list)", "└─ one: list [1, 2]"]
    assert lines(shared) == ["list [1, 2]"]
    assert lines([]) == ["list []"]


def test_what_containers_hold_is_followed() -> None:
    inner = Node(key=1)
    assert lines(Node(held=[inner, 5], named={"x": inner})) == [
        "Node()",
        "├─ held: list([1]=5)",
        "│  └─ [0]: Node0(key=1)",
        "└─ named: dict(['x']=Node0)",
    ]
    assert lines(Node(held=[inner, Node(key=2)])) == [
        "Node()",
        "└─ held: list of 2",
        "   ├─ [0]: Node0(key=1)",
        "   └─ [1]: Node1(key=2)",
    ]
    bag = Bag([inner])
    bag.limit = 3  # type: ignore[attr-defined]
    assert lines(bag) == ["Bag(limit=3)", "└─ [0]: Node0(key=1)"]


def test_sets_are_told_in_no_order_of_their_own() -> None:
    assert lines(Node(held={"b", "a", "c"})) == lines(Node(held={"c", "b", "a"})) == ["Node(held={'a', 'b', 'c'})"]


def test_slots_that_are_filled_are_fields() -> None:
    assert lines(Slim(Slim(None))) == ["Slim()", "└─ left: Slim0(left=None)"]


def test_none_is_left_out_where_an_object_could_be() -> None:
    full, empty = without_absent([graph_of(Node(next=Node(next=None), key=None)), graph_of(Node(next=None, key=None))])
    assert state_lines(full) == ["Node(key=None)", "└─ next: Node0()"]
    assert state_lines(empty) == ["Node(key=None)"]
    assert empty.root.absent == ("next",)


def test_a_chain_may_be_longer_than_the_stack() -> None:
    first = last = Node(key=0)
    for _ in range(5000):
        last.next = last = Node(key=0)
    assert len(graph_of(first).nodes) == 5001
