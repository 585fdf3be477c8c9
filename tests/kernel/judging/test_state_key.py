"""Keys of states: equal only where nothing can tell the states apart."""

from collections.abc import Callable
from enum import IntEnum
from types import ModuleType
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from support.sweeps import examples

from harness.kernel.inputs.decode import DecodedState, Decoder
from harness.kernel.inputs.state_space import StateSpace
from harness.kernel.judging.state_key import KeyFunction, key_function, kinds_of
from harness.kernel.objects.equality import concrete
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


def flat() -> Finitization:
    f = Finitization("Ring")
    f.set("Ring.items", f.lists(1, lengths=range(3), elements=range(2)))
    f.set("Ring.size", range(3))
    f.method("m", range(2))
    return f


def compiled(finitization: Finitization, module: ModuleType = MODULE) -> KeyFunction | None:
    kinds = kinds_of(finitization, module)
    return None if kinds is None else key_function(kinds)


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
    key = compiled(ring())
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
        states.append((key(state.root, changeable), state, changeable))
    (left, a, with_a), (right, b, with_b) = states
    if left is not None and left == right:
        assert concrete(a.root, *with_a) == concrete(b.root, *with_b)


def test_most_states_have_a_key_and_what_a_mutant_has_made_otherwise_has_none():
    space = StateSpace(ring())
    key = compiled(ring())
    vector = [1, *[0] * (space.width - 1)]
    without = {
        name
        for name, deed in DEEDS.items()
        for state in [Decoder(space, MODULE).decode(vector)]
        if (deed(state), key(state.root, ()))[1] is None
    }
    assert without == {
        "1 becomes 1.0", "1 becomes an enum", "a number becomes a list", "a number becomes an object",
        "an object becomes its number", "another attribute", "an attribute less", "another attribute instead",
        "another class", "the root is of another class", "another class in its place", "a tuple for a list",
        "a set within", "a new node in a list", "bytes", "bytes that can change", "nested too deeply",
    }  # fmt: skip


@pytest.mark.parametrize(
    "deed",
    [
        "s.items.append(True)",
        "s.items[:] = [[]]",
        "s.extra = 1",
        "s.size = True",
        "del s.size; s.sizes = 0",
        "s.__class__ = Other",
        "s.items = tuple(s.items)",
        "s.size = s.items",
        "s.items, s.size = s.size, s.items",
    ],
)
def test_a_state_of_one_list_is_told_from_all_others(deed):
    space = StateSpace(flat())
    key = compiled(flat())
    plain, changed = (Decoder(space, MODULE).decode([0] * space.width) for _ in range(2))
    assert key(plain.root, ()) is not None
    exec(deed, {"s": changed.root, "Other": MODULE.Other})
    assert key(changed.root, ()) != key(plain.root, ())


def test_a_root_that_is_a_list_has_a_key():
    f = Finitization.of_list(lengths=range(3), elements=range(2))
    f.function("m")
    key = compiled(f)
    keys = [key(root, ()) for root in ([0, 1], [0, True], [0], (0, 1))]
    assert keys[3] is None
    assert len(set(keys)) == 4


@pytest.mark.parametrize(
    "node",
    [
        "class Node:\n    def __getattribute__(self, name): return object.__getattribute__(self, name)",
        "class Node:\n    __slots__ = ('next', 'items', 'mark', 'key')",
        "class Node(list): pass",
        "class Meta(type): pass\nclass Node(metaclass=Meta): pass",
    ],
)
def test_what_is_more_than_its_attributes_has_no_keys(node):
    module = execute(ModuleText("impl", f"class Ring: pass\n{node}\n", "impl.py"))
    assert compiled(ring(), module) is None


@pytest.mark.parametrize("finitization", [flat(), Finitization.of_list(lengths=range(3), elements=range(2))])
def test_a_second_list_has_its_part_in_the_key(finitization):
    key = compiled(finitization)
    state = Decoder(StateSpace(finitization), MODULE).decode([0] * StateSpace(finitization).width)
    items = state.root if isinstance(state.root, list) else state.root.items
    items.append(1)
    keys = {key(state.root, others) for others in ([], [[]], [[1]], [[1, 1]], [items], [[1], [1]])}
    assert len(keys) == 6
    assert None not in keys


@pytest.mark.parametrize("elements", [range(2), (None, "a", 7)])
def test_a_list_that_is_the_only_field_has_its_elements_in_the_key(elements):
    f = Finitization("Ring")
    f.set("Ring.items", f.lists(1, lengths=range(3), elements=elements))
    f.method("m")
    key = compiled(f)
    space = StateSpace(f)
    keys = set()
    for items in ([], [0], [1], [0, 1], [1, 0], [True], [None]):
        state = Decoder(space, MODULE).decode([0] * space.width)
        state.root.items.extend(items)
        keys.add(key(state.root, ()))
    assert len(keys) == 7
    assert None not in keys
