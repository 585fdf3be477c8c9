"""A pre-state put back in place is what a fresh one is, whatever was done to it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from harness.kernel.inputs.decode import DecodedState, Decoder
from harness.kernel.inputs.state_space import StateSpace
from harness.kernel.program.loader import ModuleText, execute
from harness.model.finitization import Finitization

PLAIN = "class Ring:\n    pass\nclass Node:\n    kind = 1\nclass Other:\n    pass\n"
SLOTS = (
    'class Ring:\n    __slots__ = ("first", "items", "spare")\n'
    'class Node:\n    __slots__ = ("next", "items", "key", "spare")\n'
    'class Other:\n    __slots__ = ("next", "items", "key", "spare")\n'
)
MIXED = (
    'class Base:\n    __slots__ = ("key",)\nclass Ring:\n    __slots__ = ("first", "__dict__")\n'
    "class Node(Base):\n    def __setattr__(self, name, value):\n        raise TypeError(name)\n"
    "    def __getattribute__(self, name):\n        raise TypeError(name)\nclass Other(Base):\n    pass\n"
)
NEW = (
    "class Ring:\n    pass\nclass Node:\n    def __new__(cls):\n        made = object.__new__(cls)\n"
    "        made.born = True\n        return made\nclass Other:\n    pass\n"
)
LISTLIKE = "class Ring:\n    pass\nclass Node(list):\n    pass\nclass Other(list):\n    pass\n"


def space() -> StateSpace:
    f = Finitization("Ring")
    nodes = f.objects("Node", 2)
    lists = f.lists(2, lengths=range(3), elements=[1, 2])
    f.set("Ring.first", None, nodes)
    f.set("Ring.items", lists)
    f.set("Node.next", None, nodes)
    f.set("Node.items", None, lists)
    f.set("Node.key", range(3))
    f.method("m")
    return StateSpace(f)


SPACE = space()
vectors = st.tuples(*(st.integers(0, len(field.domain) - 1) for field in SPACE.fields))

# Each is tried on an object of the state, past whatever its class forbids; what does not apply is left.
get, put, drop = object.__getattribute__, object.__setattr__, object.__delattr__
DEEDS: dict[str, Callable[[Any, Any, Any], object]] = {
    "set a field to a number": lambda made, other, module: put(made, "key", 99),
    "set a field to another object": lambda made, other, module: put(made, "next", other),
    "close a cycle": lambda made, other, module: put(made, "next", made),
    "set a field of any name": lambda made, other, module: put(made, "extra", [other]),
    "delete a field": lambda made, other, module: drop(made, "key"),
    "delete another field": lambda made, other, module: drop(made, "items"),
    "fill a slot that was empty": lambda made, other, module: put(made, "spare", other),
    "change the class": lambda made, other, module: put(made, "__class__", module.Other),
    "change the class of a list's owner": lambda made, other, module: put(made, "items", (1, 2)),
    "replace the attributes": lambda made, other, module: put(made, "__dict__", {"key": 5}),
    "share the attributes": lambda made, other, module: put(made, "__dict__", get(other, "__dict__")),
    "empty the attributes": lambda made, other, module: get(made, "__dict__").clear(),
    "grow a list": lambda made, other, module: get(made, "items").append(other),
    "empty a list": lambda made, other, module: get(made, "items").clear(),
    "put an owner into its list": lambda made, other, module: get(made, "items").insert(0, made),
    "share a list": lambda made, other, module: put(made, "items", get(other, "items")),
    "replace a list by an equal one": lambda made, other, module: put(made, "items", list(get(made, "items"))),
    "grow what is a list itself": lambda made, other, module: list.append(made, 7),
}


def objects_of(state: DecodedState) -> list[Any]:
    """Everything that was made, the root first."""
    return [state.root, *(state.object(number) for number in range(1, 3))]


def picture(state: DecodedState) -> object:
    """The graph below the state's objects, each numbered where it is met first; classes are read past."""
    numbers: dict[int, int] = {}

    def drawn(value: Any) -> object:
        if value is None or type(value) in (bool, int):
            return value
        if id(value) in numbers:
            return f"<{numbers[id(value)]}>"
        numbers[id(value)] = len(numbers)
        content = [drawn(item) for item in value] if type(value) in (list, tuple) else []
        if issubclass(type(value), list) and not content:
            content = [drawn(item) for item in list.__iter__(value)]
        fields = []
        for name in ("first", "next", "items", "key", "extra", "spare", "born"):
            try:
                fields.append((name, drawn(object.__getattribute__(value, name))))
            except AttributeError:
                continue
        return type(value).__name__, content, fields

    return [drawn(made) for made in objects_of(state)]


@pytest.mark.sweep
@pytest.mark.parametrize("source", [PLAIN, SLOTS, MIXED, NEW, LISTLIKE], ids=["plain", "slots", "mixed", "new", "list"])
@given(vectors, st.lists(st.tuples(st.sampled_from(sorted(DEEDS)), st.integers(0, 2), st.integers(0, 2)), max_size=6))
@settings(derandomize=True, max_examples=60, deadline=None)
def test_a_restored_state_is_what_a_fresh_one_is(
    source: str, vector: tuple[int, ...], deeds: list[tuple[str, int, int]]
) -> None:
    module = execute(ModuleText("impl", source, "impl.py"))
    decoder = Decoder(SPACE, module)
    used, fresh = decoder.decode(vector), decoder.decode(vector)
    expected = picture(fresh)
    objects = objects_of(used)
    assert picture(used) == expected
    for _ in range(2):  # once put back, it can be put back again
        for deed, target, other in deeds:
            try:
                DEEDS[deed](objects[target], objects[other], module)
            except (AttributeError, TypeError):
                pass  # this class does not allow it
        if used.restore():
            assert picture(used) == expected
            assert all(now is then for now, then in zip(objects_of(used), objects, strict=True))


def test_a_state_that_cannot_be_put_back_says_so() -> None:
    vector = (1, 0, 2, 0, 0, 1, 1, *[0] * (SPACE.width - 7))
    for source, deed in [(PLAIN, "change the class"), (LISTLIKE, "grow what is a list itself"), (NEW, "empty a list")]:
        module = execute(ModuleText("impl", source, "impl.py"))
        state = Decoder(SPACE, module).decode(vector)
        node = state.object(1)
        try:
            DEEDS[deed](node, state.root, module)
        except AttributeError:
            pass
        assert not state.restore(), source


def test_plain_states_are_put_back_in_place() -> None:
    for source in (PLAIN, SLOTS):
        state = Decoder(SPACE, execute(ModuleText("impl", source, "impl.py"))).decode([0] * SPACE.width)
        root = state.root
        root.first = root
        assert state.restore()
        assert state.root is root
        assert root.first is None
