"""Equal bytes exactly where values, or graphs, are equal.

The order of sets, and of dicts without an order, whose members are objects never shows; their references always do.
"""

from __future__ import annotations

import math
import weakref
from collections import OrderedDict
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from support.sweeps import examples

from harness.kernel.naive.equality import equal_values
from harness.kernel.objects import equality
from harness.kernel.objects.equality import NotCanonical, canonical, concrete
from harness.model.domains import ComparedFields


@pytest.mark.parametrize(
    ("a", "b"), [(True, 1), (1, 1.0), ((1,), [1]), ({1}, frozenset({1})), ("1", b"1"), (0.0, -0.0)]
)
def test_values_that_python_calls_equal_but_differ_are_told_apart(a, b):
    assert canonical(a) != canonical(b)


class Node:
    def __init__(self, next_: Any = None, info: Any = 0) -> None:
        self.next = next_
        self.info = info


class Slotted:
    __slots__ = ("left", "right")


def test_concrete_structure_tells_shared_from_copied_parts():
    shared = Node()
    a, b = Slotted(), Slotted()
    a.left = a.right = shared
    b.left, b.right = Node(), Node()
    assert concrete(a) != concrete(b)
    inner: list[int] = []
    assert concrete([inner, inner]) != concrete([[], []])
    assert canonical([inner, inner]) == canonical([[], []])


def test_unset_slots_differ_from_none():
    a, b = Slotted(), Slotted()
    b.left = None
    assert concrete(a) != concrete(b)


@pytest.mark.parametrize("write", [canonical, concrete])
def test_a_dict_in_a_field_that_is_unordered_has_no_order(write):
    omits = ComparedFields(unordered=frozenset({"next"}))
    one, other = Node({"a": 1, "b": [2]}), Node({"b": [2], "a": 1})
    assert write(one, omits=omits) == write(other, omits=omits) != write(Node({"a": 1, "b": [3]}), omits=omits)
    assert equal_values(one, other, by_identity=write is concrete, omits=omits)
    nested, turned = Node({0: {"a": 1, "b": 2}}), Node({0: {"b": 2, "a": 1}})
    assert write(nested, omits=omits) == write(turned, omits=omits) != write(nested)
    assert equal_values(nested, turned, by_identity=write is concrete, omits=omits)
    one.info, other.info = {1: 0, 2: 0}, {2: 0, 1: 0}
    assert write(one, omits=omits) != write(other, omits=omits)
    assert not equal_values(one, other, by_identity=write is concrete, omits=omits)


def test_a_list_within_itself_has_no_value():
    cyclic: list[object] = []
    cyclic.append(cyclic)
    with pytest.raises(NotCanonical):
        canonical(cyclic)
    other: list[object] = []
    other.append(other)
    assert concrete(cyclic) == concrete(other)


def test_a_class_derived_from_dict_is_not_asked_past_its_methods():
    class Shy(dict[int, int]):
        def items(self) -> Any:
            return {}.items()

        def __iter__(self) -> Any:
            raise AssertionError

    assert concrete(Shy({1: 2}), past_methods=True) != concrete(Shy({1: 3}), past_methods=True)
    assert concrete(Shy({1: 2, 3: 4}), past_methods=True) != concrete(Shy({3: 4, 1: 2}), past_methods=True)
    ordered = OrderedDict([(1, 2), (3, 4)])
    assert concrete(ordered, past_methods=True) == concrete(ordered)


@pytest.mark.parametrize("base", [list, set, frozenset])
@pytest.mark.parametrize("read", [canonical, concrete])
def test_a_class_derived_from_a_list_or_a_set_is_read_past_its_methods(read, base):
    class Shy(base):
        def __iter__(self) -> Any:
            raise AssertionError

        def __len__(self) -> int:
            return 0

    assert read(Shy([1])) != read(Shy([2]))
    assert read(Shy([1])) == read(Shy([1]))
    assert equal_values(Shy([1]), Shy([1]), by_identity=read is concrete)
    assert not equal_values(Shy([1]), Shy([2]), by_identity=read is concrete)
    one, other = Node(), Node()
    one.next, other.next = Shy([one, 1]), Shy([other, 2])  # a member refers to an object outside: the graph is labelled
    assert read(one) != read(other)


class Asked:
    """Answers for every attribute that it does not have, and remembers it."""

    __slots__ = ("held", "seen")

    def __init__(self, held: object) -> None:
        self.held = held

    def __getattr__(self, name: str) -> Any:
        self.seen = name
        return {"held": 0}


class Raising(Asked):
    def __getattr__(self, name: str) -> Any:
        raise LookupError(name)


class Guarded:
    def __init__(self, held: object) -> None:
        self.held = held

    def __getattribute__(self, name: str) -> Any:
        if name == "__class__":  # which isinstance asks for
            return Guarded
        raise LookupError(name)


@pytest.mark.parametrize("kind", [Asked, Raising, Guarded])
def test_no_attribute_lookup_of_the_program_is_run(kind):
    one = kind(1)
    assert concrete(one) == concrete(kind(1)) != concrete(kind(2))
    assert canonical([one]) == canonical([kind(1)]) != canonical([kind(2)])
    assert equal_values(one, kind(1), by_identity=True)
    assert not equal_values(one, kind(2), by_identity=True)
    with pytest.raises(AttributeError):
        object.__getattribute__(one, "seen")


def test_a_proxy_is_told_by_what_it_stands_for():
    one, two = Node(info=1), Node(info=2)
    assert canonical(weakref.proxy(one)) != canonical(weakref.proxy(two))
    assert not equal_values(weakref.proxy(one), weakref.proxy(two), by_identity=True)


@pytest.mark.parametrize("written", [canonical, concrete])
def test_a_proxy_of_what_is_gone_is_like_another_such_proxy_only(written):
    one = Node(info=1)
    live, dead, another = weakref.proxy(one), weakref.proxy(Node(info=1)), weakref.proxy(Node(info=2))
    assert written([dead]) == written([another]) != written([live])
    shared, twin, other = Node(info=dead), Node(info=another), Node(info=live)
    assert written([shared, {shared}]) == written([twin, {twin}]) != written([other, {other}])
    for value, is_like in ((another, True), (live, False)):
        assert equal_values([dead], [value], by_identity=True) == is_like
        assert equal_values([value], [dead], by_identity=True) == is_like


@pytest.mark.parametrize("slots", ["info", ["info"], ("info", "__dict__"), 5])
def test_a_slot_that_was_overwritten_in_its_class_has_the_value_of_the_class(slots):
    intact, mutated = (type("Slotted", (), {"__slots__": ("info",)}) for _ in range(2))
    one, two, other = intact(), mutated(), intact()
    one.info, two.info, other.info = 1, 2, 3
    mutated.info, mutated.__slots__ = 1, slots
    is_known = slots != 5
    assert (canonical(one) == canonical(two)) == is_known == equal_values(one, two, by_identity=False)
    assert canonical(other) != canonical(two)
    assert not equal_values(other, two, by_identity=False)


RANKS: dict[int, int] = {}
"""By id: hashes, for they decide the order of small sets."""


class Thing:
    """An object that is compared by identity; `kind` and `links` are all its fields."""

    def __init__(self, rank: int, kind: int = 0, links: Any = None) -> None:
        RANKS[id(self)] = rank
        self.kind = kind
        self.links = links

    def __hash__(self) -> int:
        return RANKS[id(self)]


mapped = partial(canonical, ordered=False)
"""Writes dicts without an order, as a spec means them."""


def test_keys_of_the_same_bytes_do_not_hang_on_the_order_of_insertion():
    one, other = float("nan"), math.nan
    assert mapped({one: 1, other: 2}) == mapped({other: 2, one: 1}) != mapped({one: 1, other: 1})
    assert mapped({len: 1, max: 2}) == mapped({max: 2, len: 1})


# -- against the naive witness -------------------------------------------------------------------

SHAPES: dict[str, Callable[[list[Any]], Any]] = {
    "nothing": lambda things: None,
    "one": lambda things: things[0],
    "tuple": tuple,
    "list": list,
    "set": set,
    "frozenset": frozenset,
    "dict": lambda things: {thing: number // 2 for number, thing in enumerate(things)},
    "values": lambda things: dict(enumerate(things)),
    "sets": lambda things: (frozenset(things[:2]), frozenset(things[1:])),
    "pairs": lambda things: {(thing, things[0]) for thing in things},
}

Plan = list[tuple[int, str, list[int]]]
"""Per thing: its kind, the shape of its links, and whom they lead to; the first one is the root's."""


@st.composite
def plans(draw: st.DrawFn) -> Plan:
    count = draw(st.integers(2, 5))
    target = st.integers(0, count - 1)
    links = st.tuples(st.integers(0, 1), st.sampled_from(sorted(SHAPES)), st.lists(target, min_size=1, max_size=4))
    return draw(st.lists(links, min_size=count, max_size=count))


def built(plan: Plan, ranks: Sequence[int]) -> Any:
    objects = [Thing(rank, kind) for rank, (kind, _, _) in zip(ranks, plan, strict=True)]
    for node, (_, shape, targets) in zip(objects, plan, strict=True):
        node.links = SHAPES[shape]([objects[target] for target in targets])
    _, shape, targets = plan[0]
    return SHAPES["set" if shape == "nothing" else shape]([objects[target] for target in targets])


def changed(draw: st.DrawFn, plan: Plan) -> Plan:
    """Draw a plan with the things in another order, and perhaps one link or kind changed."""
    order = [0, *draw(st.permutations(range(1, len(plan))))]
    place = {old: new for new, old in enumerate(order)}
    moved = [(plan[old][0], plan[old][1], [place[target] for target in plan[old][2]]) for old in order]
    if draw(st.booleans()):
        at = draw(st.integers(0, len(plan) - 1))
        _, shape, targets = moved[at]
        position = draw(st.integers(0, len(targets) - 1))
        targets = [*targets[:position], draw(st.integers(0, len(plan) - 1)), *targets[position + 1 :]]
        moved[at] = (draw(st.integers(0, 1)), shape, targets)
    return moved


@given(st.data())
@settings(derandomize=True, max_examples=examples(600), deadline=None)
def test_bytes_are_equal_exactly_for_what_is_alike(data):
    RANKS.clear()
    plan = data.draw(plans())
    other = changed(data.draw, plan)
    ranks = data.draw(st.permutations(range(len(plan))))
    left, right = built(plan, range(len(plan))), built(other, ranks)
    assert (canonical(left) == canonical(right)) == equal_values(left, right, by_identity=False)
    assert (mapped(left) == mapped(right)) == equal_values(left, right, by_identity=False, ordered=False)
    assert (concrete(left) == concrete(right)) == equal_values((left,), (right,), by_identity=True)


# -- symmetry ------------------------------------------------------------------------------------


def friends(count: int, whom: Callable[[int, int], bool]) -> set[Thing]:
    objects = [Thing(rank) for rank in range(count)]
    for number, node in enumerate(objects):
        node.links = {other for place, other in enumerate(objects) if whom(number, place)}
    return set(objects)


def test_many_members_that_are_all_alike_are_no_trouble():
    everybody = canonical(friends(12, lambda a, b: a != b))
    assert everybody == canonical(friends(12, lambda a, b: a != b))
    assert everybody != canonical(friends(12, lambda a, b: a != b and {a, b} != {3, 5}))
    six = canonical(friends(6, lambda a, b: (a - b) % 6 in (1, 5)))
    assert six != canonical(friends(6, lambda a, b: (a - b) % 3 != 0 and a // 3 == b // 3))  # two triangles


def test_members_that_take_too_long_to_be_put_in_order_are_refused(monkeypatch):
    monkeypatch.setattr(equality, "MOST_VISITS", 500)
    with pytest.raises(NotCanonical, match="refer to each other in too many like ways"):
        canonical(friends(5, lambda a, b: a != b))
