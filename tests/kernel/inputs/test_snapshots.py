"""States told as bytes and made again: the same graph, shared references shared, nothing of the program run."""

from __future__ import annotations

import array
import functools
import itertools
import operator
import random
import threading
import weakref
from collections import OrderedDict, defaultdict, deque
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from decimal import Decimal
from fractions import Fraction
from types import ModuleType
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from harness.kernel.inputs.restoring import NotRestorable
from harness.kernel.inputs.snapshots import decode, encode
from harness.kernel.judging.canon import concrete
from harness.kernel.program.loader import ModuleText, execute
from harness.kernel.specs.tokens import the_token

SOURCE = """
import enum
from collections import OrderedDict, defaultdict, deque, namedtuple

FORBIDDEN = []

def guarding(*names):
    # The class, with methods of its own that do what the inherited ones do, unless that is forbidden.
    def decorate(cls):
        for name in names:
            setattr(cls, name, guarded(name, getattr(cls, name)))
        return cls
    return decorate

def guarded(name, inherited):
    def method(*arguments, **keywords):
        if FORBIDDEN:
            raise AssertionError(f"{name} was run")
        return inherited(*arguments, **keywords)
    return staticmethod(method) if name == "__new__" else method

OF_ALL = "__init__", "__new__", "__setattr__", "__getattribute__", "__delattr__"

@guarding(*OF_ALL)
class Plain:
    def method(self):
        return self

@guarding(*OF_ALL)
class Slotted:
    __slots__ = ("left", "__hidden", "right")

class Derived(Slotted):
    __slots__ = ("extra", "__hidden", "__dict__", "__weakref__")

@guarding(*OF_ALL, "__iter__", "__len__", "__getitem__", "__setitem__", "append", "extend", "clear")
class List(list): pass

@guarding(*OF_ALL, "__iter__", "__len__", "__setitem__", "update", "items", "keys", "values")
class Dict(dict):
    __slots__ = ("note",)

@guarding(*OF_ALL, "__setitem__", "update", "items", "keys", "values", "__len__")
class Ordered(OrderedDict): pass

@guarding(*OF_ALL, "__missing__", "__setitem__", "items")
class Default(defaultdict): pass

@guarding(*OF_ALL, "__iter__", "__len__", "add", "update")
class Set(set): pass

@guarding(*OF_ALL, "__iter__", "__len__", "append", "extend")
class Deque(deque): pass

@guarding(*OF_ALL, "__iter__", "__len__", "__getitem__")
class Tuple(tuple): pass

@guarding(*OF_ALL, "__iter__", "__len__")
class Frozen(frozenset): pass

@guarding(*OF_ALL, "__len__", "__setitem__", "extend")
class Bytes(bytearray): pass

@guarding(*OF_ALL, "__int__", "__index__", "__getnewargs__")
class Number(int): pass

@guarding(*OF_ALL, "__str__", "__len__", "__getnewargs__")
class Text(str): pass

@guarding(*OF_ALL, "__getnewargs__")
class Complex(complex): pass

@guarding(*OF_ALL, "__str__")
class Failure(Exception): pass

Pair = namedtuple("Pair", "first second")

class Colour(enum.Enum):
    RED = 1
    GREEN = 2

class Permission(enum.Flag):
    READ = 1
    WRITE = 2

class Keyed:
    def __init__(self, key):
        self.key = key
        self.others = ()

    def __hash__(self):
        return hash(self.key)

    def __eq__(self, other):
        return self.key == other.key

    def by_name(self):
        return self.key

    alias = by_name
    held = lambda self: self.key

    @classmethod
    def made(cls):
        return cls(0)

class Tree:
    NIL = object.__new__(Plain)

    class Node:
        pass

NIL = object.__new__(Plain)
MARK = object()
REGISTRY = {}

def function(x):
    return x
"""
TEXT = ModuleText("snapshot_sample", SOURCE, "snapshot_sample.py")
ORIGINAL, MUTANT = execute(TEXT), execute(TEXT)
ALLOCATED = ("Plain", "Slotted", "Derived", "Keyed", "Tree.Node")
CONTAINERS: dict[str, Callable[[Any], Any]] = {
    "list": lambda held: list(held),
    "deque": lambda held: deque(held, 9),
    "dict": lambda held: dict(enumerate(held)),
    "OrderedDict": lambda held: OrderedDict(zip("dcba", held, strict=False)),
    "defaultdict": lambda held: defaultdict(ORIGINAL.function, enumerate(held)),
    "tuple": lambda held: tuple(held),
    "List": lambda held: _filled(list, "List", held),
    "Deque": lambda held: _filled(deque, "Deque", held),
    "Dict": lambda held: _filled(dict, "Dict", enumerate(held)),
    "Ordered": lambda held: _filled(OrderedDict, "Ordered", []),
    "Default": lambda held: _filled(defaultdict, "Default", ()),
    "Set": lambda held: _filled(set, "Set", range(len(held))),
    "Tuple": lambda held: tuple.__new__(ORIGINAL.Tuple, held),
    "Frozen": lambda held: frozenset.__new__(ORIGINAL.Frozen, map(str, range(len(held)))),
    "Pair": lambda held: tuple.__new__(ORIGINAL.Pair, (held, list(held))),
    "Failure": lambda held: BaseException.__new__(ORIGINAL.Failure, *held),
}
VALUES: list[Callable[[Any], Any]] = [
    lambda module: None, lambda module: 10**30, lambda module: 1.5, lambda module: "text", lambda module: b"\0",
    lambda module: 2j, lambda module: module.Colour.RED, lambda module: module.Permission(3),
    lambda module: module.function, lambda module: module.Plain, lambda module: len, lambda module: operator,
    lambda module: int.__new__(module.Number, 7), lambda module: str.__new__(module.Text, "t"),
    lambda module: complex.__new__(module.Complex, 1, 2), lambda module: Fraction(1, 3),
    lambda module: Decimal("0.10"), lambda module: range(3), lambda module: slice(1, 2), lambda module: ...,
    lambda module: the_token("T", 1), lambda module: module.NIL, lambda module: module.Tree.NIL,
    lambda module: frozenset({1, "a"}), lambda module: functools.partial(module.function, 3),
    lambda module: array.array("i", [1, 2]), lambda module: itertools.count(3),
]  # fmt: skip


def _filled(base: Any, name: str, contents: Any) -> Any:
    made = base.__new__(getattr(ORIGINAL, name))
    base.__init__(made, *([None] if base is defaultdict else []), contents)
    return made


@contextmanager
def nothing_run() -> Iterator[None]:
    """Within it, methods of the program's classes raise."""
    for module in (ORIGINAL, MUTANT):
        module.FORBIDDEN.append(True)
    try:
        yield
    finally:
        for module in (ORIGINAL, MUTANT):
            module.FORBIDDEN.clear()


def _class(module: ModuleType, dotted: str) -> Any:
    return operator.attrgetter(dotted)(module)


def _put(made: Any, name: str, value: Any) -> None:
    try:
        object.__setattr__(made, name, value)
    except AttributeError:
        pass  # its class has no such attribute


@st.composite
def graphs(draw: st.DrawFn) -> Any:
    """A list of objects of every kind, which refer to each other at random, in cycles too."""
    objects: list[Any] = [object.__new__(_class(ORIGINAL, draw(st.sampled_from(ALLOCATED)))) for _ in range(3)]
    for made in objects:
        if type(made) is ORIGINAL.Keyed:
            made.key = len(objects)
    some = st.integers(0, 99).map(lambda number: objects[number % len(objects)])
    for _ in range(draw(st.integers(1, 6))):
        if draw(st.booleans()):
            objects.append(draw(st.sampled_from(VALUES))(ORIGINAL))
        else:
            held = draw(st.lists(some, max_size=4))
            objects.append(CONTAINERS[draw(st.sampled_from(sorted(CONTAINERS)))](held))
    names = ("left", "_Slotted__hidden", "_Derived__hidden", "right", "extra", "note", "any name", "others")
    for made in objects:
        for name in draw(st.lists(st.sampled_from(names), max_size=3, unique=True)):
            if type(made).__module__ == ORIGINAL.__name__ and type(made).__qualname__ not in ("Colour", "Permission"):
                _put(made, name, draw(some))
        if type(made) in (list, deque) and len(made) < 9:
            made.append(draw(some))
    return objects


@given(graphs())
@settings(max_examples=80, deadline=None)
def test_what_is_made_again_is_the_same_graph_of_the_classes_of_another_module(objects: Any) -> None:
    before = concrete(objects)
    with nothing_run():
        data = encode([objects, objects], ORIGINAL)
        one, other = decode(data, MUTANT)
    assert concrete(objects) == before
    assert one is other
    assert concrete(one) == before
    assert concrete(decode(encode([one], MUTANT), ORIGINAL)[0]) == before
    for told, made in zip(objects, one, strict=True):
        if type(told).__module__ == ORIGINAL.__name__:
            assert type(made) is _class(MUTANT, type(told).__qualname__)


def again(value: Any, module: ModuleType = MUTANT) -> Any:
    (made,) = decode(encode([value], ORIGINAL), module)
    return made


def test_shared_references_stay_shared_and_cycles_closed() -> None:
    inner: list[Any] = [1]
    both: Any = (inner, {"a": inner}, deque([inner]))
    inner.append(both)
    made = again(both)
    assert made[0] is made[1]["a"] is made[2][0]
    assert made[0][1] is made


def test_a_key_is_complete_before_its_hash_is_asked_for() -> None:
    inner, outer = ORIGINAL.Keyed(frozenset({1})), ORIGINAL.Keyed(None)
    outer.key = (inner, frozenset({inner}))
    outer.others = frozenset({inner, ORIGINAL.Keyed(3)})
    made = again({outer: [outer], frozenset({outer}): 1})
    (key, held), (frozen, _) = made.items()
    assert held == [key]
    assert made[key] is held
    assert frozen == frozenset({key})
    assert key.key[0] in key.key[1]
    assert len(key.others) == 2


def test_methods_are_bound_to_what_is_made_again_and_run_its_modules_code() -> None:
    keyed = ORIGINAL.Keyed(1)
    held = {1, 2}
    keyed.alias_kept, keyed.lambda_kept, keyed.made_kept = keyed.alias, keyed.held, ORIGINAL.Keyed.made
    keyed.disjoint, keyed.length = held.isdisjoint, held.__len__
    keyed.fresh = dict.fromkeys
    made = again(keyed)
    assert made.alias_kept.__self__ is made.lambda_kept.__self__ is made
    assert made.alias_kept.__func__ is MUTANT.Keyed.by_name
    assert made.lambda_kept.__func__ is MUTANT.Keyed.held
    assert made.made_kept.__self__ is MUTANT.Keyed
    assert made.disjoint.__self__ is made.length.__self__ == {1, 2}
    assert made.fresh([1]) == {1: None}


def test_global_variables_are_those_of_the_other_module_in_the_state_that_they_had() -> None:
    object.__getattribute__(ORIGINAL.NIL, "__dict__").clear()
    object.__setattr__(ORIGINAL.NIL, "left", [ORIGINAL.MARK])
    ORIGINAL.REGISTRY["a"] = ORIGINAL.Tree.NIL
    object.__setattr__(MUTANT.NIL, "right", 3)
    MUTANT.REGISTRY["b"] = 1
    try:
        nil, registry, mark = decode(encode([ORIGINAL.NIL, ORIGINAL.REGISTRY, ORIGINAL.MARK], ORIGINAL), MUTANT)
        assert nil is MUTANT.NIL
        assert registry is MUTANT.REGISTRY
        assert mark is MUTANT.MARK
        assert registry == {"a": MUTANT.Tree.NIL}
        assert object.__getattribute__(nil, "__dict__") == {"left": [mark]}
    finally:
        for module in (ORIGINAL, MUTANT):
            object.__getattribute__(module.NIL, "__dict__").clear()
            module.REGISTRY.clear()


def test_weak_references_lead_to_what_is_made_again() -> None:
    keyed = ORIGINAL.Keyed(5)
    made = again([keyed, weakref.ref(keyed), weakref.proxy(keyed)])
    assert made[1]() is made[0]
    assert made[2].key == 5
    assert type(made[2]) is weakref.ProxyType


def test_locks_are_free_and_conditions_are_on_them() -> None:
    lock = threading.Lock()
    made_lock, condition, own = again([lock, threading.Condition(lock), threading.Condition()])
    assert condition._lock is made_lock
    assert made_lock.acquire(blocking=False)
    with own:
        own.notify_all()


def test_a_long_list_is_made_again_without_deep_recursion() -> None:
    first: Any = None
    for _ in range(6_000):
        node = ORIGINAL.Tree.Node()
        node.next, node.pair = first, (first,)
        first = node
    made, length = again(first), 0
    while made is not None:
        assert made.pair[0] is made.next
        made, length = made.next, length + 1
    assert length == 6_000


def test_tokens_are_the_same_in_all_states() -> None:
    assert again([the_token("T", 0)]) == [the_token("T", 0)]


def test_a_tuple_of_a_container_that_holds_it_is_made_first() -> None:
    held: dict[Any, Any] = {}
    held["a"] = (held, frozenset({1}))
    made = again((held["a"], held))
    assert made[1]["a"] is made[0]
    assert made[0][0] is made[1]


def _nested() -> Any:
    class Inner:
        pass

    return Inner()


@pytest.mark.parametrize(
    ("value", "message"),
    [
        ((number for number in range(3)), "the root.field is a builtins.generator, an object of C"),
        ([random.Random(0)], "the root.field, an element is a random.Random, an object of C"),
        (lambda x: x, "the root.field is <lambda>, or made by it, which has no name in its module"),
        (_nested(), "is _nested.<locals>.Inner, or made by it, which has no name"),
        ({ORIGINAL.Tree.Node(), ORIGINAL.Tree.Node()}, "the root.field is a set of Tree.Node objects, whose order"),
        (frozenset({(1, ORIGINAL.Tree.Node()), 2}), "the root.field is a set of tuple objects, whose order is chance"),
        (weakref.ref(ORIGINAL.Tree.Node()), "the root.field is a weak reference to what is no more"),
        (memoryview(b""), "the root.field is a builtins.memoryview, an object of C"),
    ],
)
def test_what_cannot_be_made_again_is_told_with_its_place(value: Any, message: str) -> None:
    node = ORIGINAL.Tree.Node()
    node.field = value
    with pytest.raises(NotRestorable) as caught:
        encode([node], ORIGINAL)
    assert message in str(caught.value)


def test_a_held_lock_cannot_be_made_again() -> None:
    with threading.Lock() as _, threading.RLock() as __:
        pass
    lock = threading.RLock()
    with lock, pytest.raises(NotRestorable, match="the root is a lock that is held"):
        encode([lock], ORIGINAL)


def test_a_set_of_one_object_has_no_order() -> None:
    (made,) = again({ORIGINAL.Tree.Node()})
    assert type(made) is MUTANT.Tree.Node


@pytest.mark.parametrize(
    ("source", "message"),
    [
        ("class Tree: pass", "there is no snapshot_sample.Tree.Node"),
        ("class Tree:\n    class Node:\n        __slots__ = ()", "objects of class Tree.Node have no attribute 'a'"),
        ("class Tree:\n    class Node(int): pass", "have no attribute"),
    ],
)
def test_a_module_that_lacks_what_the_state_needs_is_told(source: str, message: str) -> None:
    node = ORIGINAL.Tree.Node()
    node.a = 1
    data = encode([node], ORIGINAL)
    other = execute(ModuleText("snapshot_sample", source, "snapshot_sample.py"))
    if "int" in source:
        assert decode(data, other)[0].a == 1
    else:
        with pytest.raises(NotRestorable, match=message.replace(".", r"\.")):
            decode(data, other)
