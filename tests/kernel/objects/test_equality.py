"""Equal bytes exactly where values, or graphs, are equal."""

import weakref
from collections import OrderedDict
from typing import Any

import pytest

from harness.kernel.naive.equality import equal_values
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
