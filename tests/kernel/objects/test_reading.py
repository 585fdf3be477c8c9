"""Fields are read as the naive path reads them, and no method of the program is run."""

import operator
from collections import OrderedDict, defaultdict, deque
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from fractions import Fraction
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from harness.kernel.naive.equality import attributes
from harness.kernel.objects.reading import contents, held_contents, held_fields, set_fields, stored_fields, walked
from harness.kernel.program.loader import ModuleText, execute

SOURCE = """
import enum
from collections import OrderedDict, defaultdict, deque, namedtuple

FORBIDDEN = []

def guarding(*names):
    # The class, with methods of its own that do what the inherited ones do, unless that is forbidden.
    def decorate(cls):
        for name in (*OF_ALL, *names):
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

@guarding()
class Plain: pass

@guarding()
class Slotted:
    __slots__ = ("left", "__hidden", "right")

class Derived(Slotted):
    __slots__ = ("extra", "__hidden", "__dict__", "__weakref__")

@guarding("__iter__", "__len__", "__getitem__")
class List(list): pass

@guarding("__iter__", "__len__", "items", "keys", "values")
class Dict(dict):
    __slots__ = ("note",)

@guarding("items", "keys", "values", "__len__")
class Ordered(OrderedDict): pass

@guarding("__missing__", "items")
class Default(defaultdict): pass

@guarding("__iter__", "__len__")
class Set(set): pass

@guarding("__iter__", "__len__")
class Deque(deque): pass

@guarding("__iter__", "__len__", "__getitem__")
class Tuple(tuple): pass

@guarding("__iter__", "__len__")
class Frozen(frozenset): pass

@guarding("__int__", "__index__")
class Number(int): pass

@guarding("__str__", "__len__")
class Text(str): pass

@guarding("__str__")
class Failure(Exception): pass

Pair = namedtuple("Pair", "first second")

class Colour(enum.Enum):
    RED = 1

class Outer:
    class Inner: pass

def function(x):
    return x
"""
PROGRAM = execute(ModuleText("sample", SOURCE, "sample.py"))
ALLOCATED = ("Plain", "Slotted", "Derived", "Outer.Inner")
CONTAINERS: dict[str, Callable[[Any], Any]] = {
    "list": lambda held: list(held),
    "deque": lambda held: deque(held, 9),
    "dict": lambda held: dict(enumerate(held)),
    "OrderedDict": lambda held: OrderedDict(zip("dcba", held, strict=False)),
    "defaultdict": lambda held: defaultdict(PROGRAM.function, enumerate(held)),
    "tuple": lambda held: tuple(held),
    "List": lambda held: _filled(list, "List", held),
    "Deque": lambda held: _filled(deque, "Deque", held),
    "Dict": lambda held: _filled(dict, "Dict", enumerate(held)),
    "Ordered": lambda held: _filled(OrderedDict, "Ordered", []),
    "Default": lambda held: _filled(defaultdict, "Default", ()),
    "Set": lambda held: _filled(set, "Set", range(len(held))),
    "Tuple": lambda held: tuple.__new__(PROGRAM.Tuple, held),
    "Frozen": lambda held: frozenset.__new__(PROGRAM.Frozen, map(str, range(len(held)))),
    "Pair": lambda held: tuple.__new__(PROGRAM.Pair, (held, list(held))),
    "Failure": lambda held: BaseException.__new__(PROGRAM.Failure, *held),
}
VALUES = [
    *(None, 10**30, 1.5, "text", b"\0", Fraction(1, 3), range(3), ..., frozenset({1, "a"}), len, operator),
    *(PROGRAM.Colour.RED, PROGRAM.function, PROGRAM.Plain),
]


def _filled(base: Any, name: str, contents: Any) -> Any:
    instance = base.__new__(getattr(PROGRAM, name))
    base.__init__(instance, *([None] if base is defaultdict else []), contents)
    return instance


@contextmanager
def nothing_run() -> Iterator[None]:
    """Within it, methods of the program's classes raise."""
    PROGRAM.FORBIDDEN.append(True)
    try:
        yield
    finally:
        PROGRAM.FORBIDDEN.clear()


@st.composite
def graphs(draw: st.DrawFn) -> Any:
    """Draw a list of objects of every kind, which refer to each other at random, in cycles too."""
    allocated = st.sampled_from(ALLOCATED).map(lambda name: object.__new__(operator.attrgetter(name)(PROGRAM)))
    objects: list[Any] = [draw(allocated) for _ in range(3)]
    objects += [int.__new__(PROGRAM.Number, 7), str.__new__(PROGRAM.Text, "t")]
    some = st.integers(0, 99).map(lambda number: objects[number % len(objects)])
    for _ in range(draw(st.integers(1, 6))):
        if draw(st.booleans()):
            objects.append(draw(st.sampled_from(VALUES)))
        else:
            held = draw(st.lists(some, max_size=4))
            objects.append(CONTAINERS[draw(st.sampled_from(sorted(CONTAINERS)))](held))
    names = ("left", "_Slotted__hidden", "_Derived__hidden", "right", "extra", "note", "any name", "others")
    for node in objects:
        for name in draw(st.lists(st.sampled_from(names), max_size=3, unique=True)):
            if type(node).__module__ == PROGRAM.__name__ and type(node) is not PROGRAM.Colour:
                with suppress(AttributeError):  # its class has no such attribute
                    object.__setattr__(node, name, draw(some))
        if type(node) in (list, deque) and len(node) < 9:
            node.append(draw(some))
    return objects


@given(graphs())
@settings(derandomize=True, max_examples=40, deadline=None)
def test_fields_are_those_that_the_naive_path_finds(objects):
    for value in objects:
        with nothing_run():
            fields, stored = held_fields(value), stored_fields(value)
        assert _are_same(fields or {}, attributes(value))
        assert _are_same(stored, attributes(value))


def _are_same(one: dict[str, Any], other: dict[str, Any]) -> bool:
    return one.keys() == other.keys() and all(one[name] is other[name] for name in one)


@given(graphs(), st.integers(0, 3))
@settings(derandomize=True, max_examples=20, deadline=None)
def test_fields_that_were_read_are_given_to_another_object(objects, dropped):
    fields = stored_fields(objects[0])
    other = object.__new__(type(objects[0]))
    for chosen in (fields, dict([*fields.items()][dropped:]), fields):
        with nothing_run():
            set_fields(other, chosen)
            assert _are_same(stored_fields(other), chosen)


@given(graphs())
@settings(derandomize=True, max_examples=20, deadline=None)
def test_held_contents_are_a_list_or_a_dict_in_the_order_of_the_container(objects):
    for value in objects:
        expected: Any = None
        if isinstance(value, dict):
            expected = list(value.items())
        elif isinstance(value, (list, tuple, set, frozenset, deque)):
            expected = list(value)
        with nothing_run():
            held, elements = held_contents(value), contents(value)
        assert type(held) is (type(None) if expected is None else dict if isinstance(value, dict) else list)
        assert (list(held.items()) if isinstance(held, dict) else held) == expected
        assert elements == ([*held, *held.values()] if isinstance(held, dict) else held or [])


def test_an_ordered_dict_is_read_in_its_own_order():
    ordered = OrderedDict(a=1, b=2)
    ordered.move_to_end("a")
    assert list(held_contents(ordered) or {}) == ["b", "a"]


@given(graphs())
@settings(derandomize=True, max_examples=20, deadline=None)
def test_each_object_is_walked_once_after_one_that_refers_to_it(objects):
    def inner(value: Any) -> list[Any]:
        return [*contents(value), *stored_fields(value).values()]

    order = list(walked(objects[:1], inner))
    assert len({id(value) for value in order}) == len(order)
    assert all(
        any(later is held for earlier in order[:place] for held in inner(earlier))
        for place, later in enumerate(order)
        if place
    )
    assert {id(held) for value in order for held in inner(value)} <= {id(value) for value in order}


@given(st.lists(st.sampled_from(["left", "right", "other"]), unique=True))
@settings(derandomize=True, max_examples=20)
def test_a_slot_that_is_overwritten_after_its_class_was_read_is_noticed(names):
    cls: Any = type("Slotted", (), {"__slots__": ("left", "right", "other")})
    value = cls()
    value.left = 1
    assert held_fields(value) == {"left": 1}
    for name in names:
        setattr(cls, name, 2)
    assert held_fields(value) == ({} if "left" in names else {"left": 1}) | dict.fromkeys(names, 2)
