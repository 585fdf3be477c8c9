"""Keys of states: equal only where nothing can tell the states apart."""

import copy
import tracemalloc
from collections.abc import Callable
from enum import IntEnum
from types import ModuleType
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from support.sweeps import examples

from harness.kernel.inputs.decode import DecodedState, Decoder
from harness.kernel.inputs.routines import ABSENT
from harness.kernel.inputs.state_space import StateSpace
from harness.kernel.judging.state_key import LARGEST, graph_key
from harness.kernel.objects.equality import concrete
from harness.kernel.objects.reading import ATOMS
from harness.kernel.program.loader import ModuleText, execute
from harness.kernel.specs.tokens import Token
from harness.model.finitization import Finitization

SOURCE = """
class Ring:
    kind = 1
class Node:
    pass
class Other:
    pass
"""
MODULE = execute(ModuleText("impl", SOURCE, "impl.py"))
BY_VALUE = ATOMS - {float}


def ring() -> Finitization:
    f = Finitization("Ring")
    nodes = f.objects("Node", 2)
    lists = f.lists(2, lengths=range(3), elements=(None, nodes, 7))
    f.set("Ring.first", None, nodes)
    f.set("Ring.items", lists)
    f.set("Node.next", None, nodes, 0, True)
    f.set("Node.items", None, lists)
    f.set("Node.mark", f.tokens("mark", 2))
    f.set("Node.key", range(2))
    f.set("Node.name", None, f.texts("name", 2))
    f.method("m", nodes)
    return f


class Number(IntEnum):
    ONE = 1


def node(state: DecodedState) -> Any:
    return state.object(1)


DEEDS: dict[str, Callable[[DecodedState], object]] = {
    "nothing": lambda s: None,
    "1 becomes True": lambda s: setattr(node(s), "key", True),
    "1 becomes 1": lambda s: setattr(node(s), "key", 1),
    "1 becomes 1.0": lambda s: setattr(node(s), "key", 1.0),
    "1 becomes an enum": lambda s: setattr(node(s), "key", Number.ONE),
    "a number becomes a list": lambda s: setattr(node(s), "key", [1]),
    "a number becomes an object": lambda s: setattr(node(s), "key", s.root),
    "an object becomes its number": lambda s: setattr(s.root, "first", 1),
    "an object becomes None": lambda s: setattr(s.root, "first", None),
    "a plain value among objects": lambda s: setattr(node(s), "next", 0),
    "another plain value among objects": lambda s: setattr(node(s), "next", False),
    "a cycle": lambda s: setattr(node(s), "next", node(s)),
    "the root below": lambda s: setattr(node(s), "next", s.root),
    "another attribute": lambda s: setattr(node(s), "extra", 1),
    "an attribute less": lambda s: delattr(node(s), "key"),
    "another attribute instead": lambda s: (delattr(node(s), "key"), setattr(node(s), "keys", 1)),
    "another class": lambda s: setattr(node(s), "__class__", MODULE.Other),
    "the root is of another class": lambda s: setattr(s.root, "__class__", MODULE.Other),
    "another class in its place": lambda s: setattr(s.root, "first", MODULE.Other()),
    "one list twice": lambda s: setattr(node(s), "items", s.root.items),
    "an equal list": lambda s: setattr(node(s), "items", list(s.root.items)),
    "a tuple for a list": lambda s: setattr(s.root, "items", tuple(s.root.items)),
    "a list within": lambda s: s.root.items.append([1]),
    "the list within itself": lambda s: s.root.items.append(s.root.items),
    "a set within": lambda s: s.root.items.append({1}),
    "True in a list": lambda s: s.root.items.append(True),
    "1 in a list": lambda s: s.root.items.append(1),
    "a node in a list": lambda s: s.root.items.append(node(s)),
    "a new node in a list": lambda s: s.root.items.append(MODULE.Node()),
    "bytes": lambda s: setattr(node(s), "key", b"1"),
    "bytes that can change": lambda s: setattr(node(s), "key", bytearray(b"1")),
    "an equal token": lambda s: setattr(node(s), "mark", Token("mark", 0)),
    "another token": lambda s: setattr(node(s), "mark", Token("mark", 1)),
    "a token that was changed": lambda s: setattr(node(s).mark, "index", 9),
    "nested too deeply": lambda s: setattr(node(s), "key", nested(5000)),
}


def nested(depth: int) -> tuple[Any, ...]:
    value: tuple[Any, ...] = ()
    for _ in range(depth):
        value = (value,)
    return value


@pytest.mark.sweep
@given(
    st.lists(st.sampled_from(sorted(DEEDS)), max_size=3),
    st.lists(st.sampled_from(sorted(DEEDS)), max_size=3),
    st.integers(0, 1),
    st.integers(0, 1),
)
@settings(derandomize=True, max_examples=examples(600), deadline=None)
def test_states_with_the_same_key_have_the_same_concrete_form(one, other, first, second):
    space = StateSpace(ring())
    states = []
    for deeds, argument in ((one, first), (other, second)):
        # the root has the first node and list, the node the second list: empty ones
        state = Decoder(space, MODULE).decode([1, *[0] * (space.width - 1)])
        for deed in deeds:
            try:
                DEEDS[deed](state)
            except AttributeError:
                pass  # an earlier deed has taken what this one needs
        changeable = [node(state)] * argument
        states.append((graph_key([state.root, *changeable], MODULE, BY_VALUE), state, changeable))
    (left, a, with_a), (right, b, with_b) = states
    if left and left == right:
        assert concrete(a.root, *with_a) == concrete(b.root, *with_b)


def test_states_have_a_key_unless_they_hold_floats_foreign_objects_or_containers_that_have_none():
    space = StateSpace(ring())
    without = set()
    for name, deed in DEEDS.items():
        state = Decoder(space, MODULE).decode([1, *[0] * (space.width - 1)])
        deed(state)
        if not graph_key([state.root], MODULE, BY_VALUE):
            without.add(name)
    assert without == {
        "1 becomes 1.0", "1 becomes an enum", "a set within", "bytes that can change", "nested too deeply",
    }  # fmt: skip


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
    lambda: [{2: 1}],
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
]


def test_states_that_a_program_can_tell_apart_have_different_keys():
    keys = [graph_key(make(), PROGRAM) for make in UNLIKE]
    assert b"" not in keys
    assert len(set(keys)) == len(UNLIKE)
    assert keys == [graph_key(make(), PROGRAM) for make in UNLIKE]


Values = st.recursive(
    st.none() | st.booleans() | st.integers(-3, 5),
    lambda held: st.lists(held, max_size=3) | st.builds(lambda inner: Node(*inner), st.lists(held, max_size=3)),
    max_leaves=8,
)


def _are_isomorphic(one: Any, other: Any, pairs: dict[int, int]) -> bool:
    """Return whether a walk through both at once meets equal values and the same objects at the same places."""
    if type(one) is not type(other):
        return False
    if type(one) not in (list, Node):
        return bool(one == other)
    if id(one) in pairs or id(other) in pairs.values():
        return pairs.get(id(one)) == id(other)
    pairs[id(one)] = id(other)
    mine, theirs = (one, other) if type(one) is list else (one.held, other.held)
    if type(one) is Node:
        return _are_isomorphic(mine, theirs, pairs)
    return len(mine) == len(theirs) and all(_are_isomorphic(a, b, pairs) for a, b in zip(mine, theirs, strict=True))


@settings(max_examples=60, deadline=None)
@given(one=st.lists(Values, max_size=3), other=st.lists(Values, max_size=3), shares=st.booleans())
def test_equal_keys_are_those_of_states_that_are_alike(one, other, shares):
    if shares and one:
        one.append(one[0])
    assert (graph_key(one, PROGRAM) == graph_key(other, PROGRAM)) is _are_isomorphic(list(one), list(other), {})
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
