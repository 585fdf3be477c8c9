"""A program with classes of every kind, and random graphs of their objects, for tests of snapshots."""

import array
import functools
import itertools
import operator
from collections import OrderedDict, defaultdict, deque
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from decimal import Decimal
from fractions import Fraction
from types import ModuleType
from typing import Any

from hypothesis import strategies as st

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
    instance = base.__new__(getattr(ORIGINAL, name))
    base.__init__(instance, *([None] if base is defaultdict else []), contents)
    return instance


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


def class_of(module: ModuleType, dotted: str) -> Any:
    return operator.attrgetter(dotted)(module)


def _set_attribute(instance: Any, name: str, value: Any) -> None:
    try:
        object.__setattr__(instance, name, value)
    except AttributeError:
        pass  # its class has no such attribute


@st.composite
def graphs(draw: st.DrawFn) -> Any:
    """Draw a list of objects of every kind, which refer to each other at random, in cycles too."""
    objects: list[Any] = [object.__new__(class_of(ORIGINAL, draw(st.sampled_from(ALLOCATED)))) for _ in range(3)]
    for node in objects:
        if type(node) is ORIGINAL.Keyed:
            node.key = len(objects)
    some = st.integers(0, 99).map(lambda number: objects[number % len(objects)])
    for _ in range(draw(st.integers(1, 6))):
        if draw(st.booleans()):
            objects.append(draw(st.sampled_from(VALUES))(ORIGINAL))
        else:
            held = draw(st.lists(some, max_size=4))
            objects.append(CONTAINERS[draw(st.sampled_from(sorted(CONTAINERS)))](held))
    names = ("left", "_Slotted__hidden", "_Derived__hidden", "right", "extra", "note", "any name", "others")
    for node in objects:
        for name in draw(st.lists(st.sampled_from(names), max_size=3, unique=True)):
            if type(node).__module__ == ORIGINAL.__name__ and type(node).__qualname__ not in ("Colour", "Permission"):
                _set_attribute(node, name, draw(some))
        if type(node) in (list, deque) and len(node) < 9:
            node.append(draw(some))
    return objects
