"""Keys of states: equal only where nothing can tell the states apart."""

import copy
import tracemalloc
from collections.abc import Callable
from types import ModuleType
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from harness.kernel.inputs.routines import ABSENT
from harness.kernel.judging.endless import LARGEST, graph_key
from harness.kernel.naive.equality import equal_values
from harness.kernel.objects.reading import ATOMS
from harness.kernel.program.loader import ModuleText, execute
from harness.kernel.specs.tokens import Token

PROGRAM = execute(
    ModuleText(
        "impl",
        "class Node:\n    def __init__(self, *held):\n        self.held = list(held)\n"
        "class Other(Node):\n    pass\nclass Slotted:\n    __slots__ = ('held',)\n",
        "impl.py",
    )
)
Node, Other = PROGRAM.Node, PROGRAM.Other


def _loop() -> Any:
    node = Node()
    node.held.append(node)
    return node


def _with_mark() -> Any:
    node = Node()
    node.mark = None
    return node


def _shared() -> list[Any]:
    one = Node(1)
    return [one, one]


UNLIKE: list[Callable[[], list[Any]]] = [
    list,
    lambda: [None],
    lambda: [False],
    lambda: [0],
    lambda: [1],
    lambda: [True],
    lambda: [256],
    lambda: [ABSENT],
    lambda: [[]],
    lambda: [()],
    lambda: [{}],
    lambda: [{1: 2}],
    lambda: [{1: 2, 3: 4}],
    lambda: [{3: 4, 1: 2}],
    lambda: [Node()],
    lambda: [Other()],
    lambda: [Node(1)],
    lambda: [Node([1])],
    lambda: [Node(Node())],
    lambda: [_loop()],
    lambda: [Node(_loop())],
    _shared,
    lambda: [Node(1), Node(1)],
    lambda: [Node(1), 1],
    lambda: [[Node()], None],
    lambda: [[None], Node()],
    lambda: [Token("mark", 0)],
    lambda: [Token("mark", 1)],
    lambda: [_with_mark()],
]


def test_states_that_a_program_can_tell_apart_have_different_keys():
    keys = [graph_key(make(), PROGRAM) for make in UNLIKE]
    assert b"" not in keys
    assert len(set(keys)) == len(UNLIKE)
    assert keys == [graph_key(make(), PROGRAM) for make in UNLIKE]


def test_texts_and_large_numbers_have_keys_where_the_caller_tells_them_by_value():
    states = [[257], [258], ["a"], ["b"], [b"a"], [Node("a")]]
    assert len({graph_key(state, PROGRAM, ATOMS - {float}) for state in states} - {b""}) == len(states)
    assert graph_key([1.0], PROGRAM, ATOMS - {float}) == b""


Values = st.recursive(
    st.none() | st.booleans() | st.integers(-3, 5),
    lambda held: st.lists(held, max_size=3) | st.builds(lambda inner: Node(*inner), st.lists(held, max_size=3)),
    max_leaves=8,
)


@settings(max_examples=60, deadline=None)
@given(one=st.lists(Values, max_size=3), other=st.lists(Values, max_size=3), shares=st.booleans())
def test_equal_keys_are_those_of_states_that_are_alike(one, other, shares):
    if shares and one:
        one.append(one[0])
    assert (graph_key(one, PROGRAM) == graph_key(other, PROGRAM)) is equal_values(one, other, by_identity=True)
    assert graph_key(one, PROGRAM) == graph_key(copy.deepcopy(one), PROGRAM)


@pytest.mark.parametrize(
    "value",
    [
        257,
        -6,
        1.0,
        "text",
        b"bytes",
        (1,),  # one that is written in the program is the same object each time
        {1},
        PROGRAM.Slotted(),
        ModuleType("other"),
        Node,
        Node(object()),
        [None] * LARGEST,
    ],
)
def test_a_state_with_anything_else_has_no_key(value):
    assert graph_key([value], PROGRAM) == b""


def test_of_two_classes_of_one_name_the_earlier_has_no_key_nor_an_object_with_a_slot_in_a_class_above():
    text = "class Cell:\n    kind = 1\nOld = Cell\nclass Cell:\n    kind = 2\n"
    module = execute(ModuleText("impl", text, "impl.py"))
    assert graph_key([module.Old()], module) == b""
    assert graph_key([module.Cell()], module) != b""
    derived = type("Derived", (PROGRAM.Slotted,), {"__module__": "impl"})
    assert graph_key([derived()], ModuleType("impl")) == b""


@pytest.mark.parametrize("value", [[None] * 1_000_000, dict.fromkeys(range(200_000))])
def test_a_large_container_is_not_copied_to_find_out_that_it_has_no_key(value):
    tracemalloc.start()
    try:
        assert graph_key([value], PROGRAM) == b""
        assert tracemalloc.get_traced_memory()[1] < 1 << 20
    finally:
        tracemalloc.stop()
