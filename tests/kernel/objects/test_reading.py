"""Fields and contents are read as the naive path reads them, no method of the program is run, and all of it counts."""

from __future__ import annotations

import array
import collections
import contextvars
import enum
import functools
import io
import itertools
import operator
import pathlib
import random
import re
import threading
import types
import weakref
from collections import OrderedDict, defaultdict, deque
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from harness.kernel.naive.equality import attributes, equal_values
from harness.kernel.naive.inputs import call
from harness.kernel.objects.content import MOST_DRAWN, drawn, untold
from harness.kernel.objects.equality import UNTOLD_MARK, canonical, concrete
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


class Part:
    def __init__(self, held: Any) -> None:
        self.held = held

    def add(self, other: int) -> Any:
        return self.held + other

    def steps(self) -> Iterator[Any]:
        for number in range(3):
            yield number + self.held


class Slotted:
    __slots__ = ("__held",)

    def __init__(self, held: Any) -> None:
        self.__held = held


class Listed(list[Any]):
    def __init__(self, held: Any) -> None:
        super().__init__([1])
        self.held = held


class Colour(enum.Flag):
    RED = 1
    BLUE = 2


class Oops(ValueError):
    pass


KEPT: list[Part] = []


def referred(number: int) -> Part:
    KEPT.append(Part(number))
    return KEPT[-1]


def advanced(iterator: Iterator[Any], by: int) -> Iterator[Any]:
    for _ in range(by):
        next(iterator)
    return iterator


def closure(number: int) -> Callable[[int], int]:
    def inner(other: int) -> int:
        return other + number

    return inner


def within_itself(number: int) -> Part:
    part = Part({})
    part.held["n"] = number
    part.view = part.held.values()
    part.held["self"] = part
    return part


OF: dict[str, Callable[[int], Any]] = {
    "keys": lambda n: {n: 0}.keys(),
    "values": lambda n: {0: n}.values(),
    "items": lambda n: {0: n}.items(),
    "keys in order": lambda n: {n: 0, 3 - n: 0}.keys(),
    "keys of an OrderedDict": lambda n: collections.OrderedDict({n: 0}).keys(),
    "reversed keys": lambda n: reversed({n: 0}),
    "a view within what it views": within_itself,
    "memoryview": lambda n: memoryview(bytes([n])),
    "mappingproxy": lambda n: types.MappingProxyType({0: [n]}),
    "StringIO": lambda n: io.StringIO(str(n)),
    "BytesIO by position": lambda n: advanced(io.BytesIO(b"1\n2\n3\n"), n),
    "Match": lambda n: re.match("a*", "a" * n),
    "Pattern": lambda n: re.compile("a" * n),
    "partial": lambda n: functools.partial(int, n),
    "partial by keyword": lambda n: functools.partial(int, base=n),
    "partial of a bound method": lambda n: functools.partial(Part(n).add, 1),
    "partialmethod": lambda n: functools.partialmethod(Part.add, n),
    "bound method": lambda n: Part(n).add,
    "bound method of C": lambda n: [n].append,
    "method wrapper": lambda n: [[1].__len__, [1].__iter__, [1].__repr__][n],
    "lambda by cells": lambda n: lambda: n,
    "lambda by code": lambda n: [lambda: 0, lambda: 1, lambda: 2][n],
    "lambda by defaults": lambda n: lambda x=n: x,
    "function by keyword defaults": lambda n: functools.wraps(closure)(closure(n)),
    "inner function": closure,
    "function of C": lambda n: [len, abs, min][n],
    "lru_cache": lambda n: functools.lru_cache(closure(n)),
    "property": lambda n: property(closure(n)),
    "staticmethod": lambda n: staticmethod(closure(n)),
    "generator": lambda n: Part(n).steps(),
    "generator by position": lambda n: advanced(Part(0).steps(), n - 1),
    "generator expression": lambda n: (x for x in [n]),
    "list iterator by position": lambda n: advanced(iter([1, 2, 3]), n),
    "map": lambda n: map(str, [n]),
    "map by function": lambda n: map(closure(n), [1]),
    "filter": lambda n: filter(None, [n]),
    "zip": lambda n: zip([n], strict=False),
    "enumerate": lambda n: enumerate("a", n),
    "count": itertools.count,
    "cycle": lambda n: itertools.cycle([n]),
    "chain": lambda n: itertools.chain([n], [1]),
    "groupby": lambda n: itertools.groupby([n]),
    "tee": lambda n: itertools.tee([n])[0],
    "callable iterator": lambda n: iter(closure(n), 5),
    "itemgetter": operator.itemgetter,
    "attrgetter": lambda n: operator.attrgetter("a" * n),
    "methodcaller": lambda n: operator.methodcaller("f", n),
    "exception": ValueError,
    "exception of its own": lambda n: Oops("a", n),
    "weak reference": lambda n: weakref.ref(referred(n)),
    "weak set": lambda n: weakref.WeakSet([referred(n)]),
    "defaultdict by factory": lambda n: collections.defaultdict([int, str, list][n]),
    "ChainMap": lambda n: collections.ChainMap({0: n}),
    "SimpleNamespace": lambda n: types.SimpleNamespace(n=n),
    "Flag": Colour,
    "Flag without a name": lambda n: Colour(n - 1),
    "Random": random.Random,
    "array": lambda n: array.array("i", [n]),
    "deque by length": lambda n: collections.deque(maxlen=n),
    "set of partials": lambda n: {functools.partial(int, n)},
    "frozenset of methods": lambda n: frozenset([operator.methodcaller("f", n)]),
    "cell": types.CellType,
    "code": lambda n: compile(str(n), "<text>", "eval"),
    "module": lambda n: [re, io, types][n],
    "path": lambda n: pathlib.PurePath(str(n)),
    "Ellipsis": lambda n: [None, NotImplemented, ...][n],
}  # fmt: skip

PLACES: dict[str, Callable[[Any], Any]] = {
    "result": lambda held: held,
    "field": Part,
    "slot": Slotted,
    "field of a list": Listed,
    "list": lambda held: [held],
    "tuple in a dict": lambda held: (1, {2: held}),
    "deque": lambda held: collections.deque([held]),
    "partial": lambda held: functools.partial(print, held),
    "cell": lambda held: lambda: held,
    "view": lambda held: {0: held}.values(),
}


@pytest.mark.parametrize("name", OF)
def test_values_of_one_type_are_told_apart_by_what_they_hold(name):
    make = OF[name]
    for place in PLACES.values():
        one, again, other = place(make(1)), place(make(1)), place(make(2))
        assert concrete(one) == concrete(again) != concrete(other)
        assert equal_values(one, again, by_identity=True)
        assert not equal_values(one, other, by_identity=True)
        if name != "a view within what it views":
            assert canonical(one) == canonical(again) != canonical(other)
            assert UNTOLD_MARK not in canonical(one)
            assert equal_values(one, again, by_identity=False)
        assert not untold([one])


def test_a_function_with_a_name_in_its_module_is_that_name():
    assert canonical(closure) != canonical(referred)
    assert canonical(closure) == canonical(types.FunctionType(compile_of("closure"), {}))


def compile_of(name: str) -> types.CodeType:
    code = compile(f"def {name}(): return 5", "<text>", "exec")
    return next(part for part in code.co_consts if isinstance(part, types.CodeType))


def test_reading_an_iterator_does_not_consume_it():
    for name in ("generator", "map", "zip", "count", "groupby", "list iterator by position", "tee"):
        iterator, another = OF[name](1), OF[name](1)
        for read in (canonical, concrete):
            read(iterator)
        assert equal_values(iterator, another, by_identity=True)
        assert str(next(iterator))[:9] == str(next(another))[:9]


async def later() -> None: ...


def asynchronous() -> Any:
    async def all_later() -> Any:
        yield 1

    return all_later()


@pytest.mark.parametrize(
    ("make", "kind"),
    [
        (object, "object"), (asynchronous, "async_generator"), (threading.local, "_local"),
        (lambda: open(__file__, encoding="utf-8"), "TextIOWrapper"),  # noqa: SIM115
        (lambda: contextvars.ContextVar("x"), "ContextVar"),
    ],
)  # fmt: skip
def test_what_has_no_content_is_named_with_its_place(make, kind):
    places = [untold([place(make())]) for place in PLACES.values()]
    assert [[*found.items()] for found in places] == [
        [((place, kind), 1)] for place in ("", "Part.held", "Slotted._Slotted__held", "Listed.held", *[""] * 6)
    ]
    assert all(UNTOLD_MARK in canonical(place(make())) for place in PLACES.values())
    assert untold([Part(make()), Part([make()])]) == {("Part.held", kind): 2}
    assert not untold([Part(make())], lambda name: name == "held")


def test_a_coroutine_has_no_content():
    running = later()
    assert untold([running]) == {("", "coroutine"): 1}
    running.close()


def drawn_by_both(make: Callable[[], Any], owners: Callable[[Any], list[Any]] = lambda made: []) -> tuple[Any, Any]:
    one, other = make(), make()
    raised, returned = call(lambda: other, [], owners(other))
    assert raised is None
    return drawn(one, owners(one)), returned


@pytest.mark.parametrize(
    ("make", "elements"),
    [
        (lambda: map(str, [1, 2]), ["1", "2"]),
        (lambda: (x for x in "ab"), ["a", "b"]),
        (lambda: itertools.count(1), [*range(1, MOST_DRAWN + 1)]),
        (lambda: itertools.islice("abc", 2), ["a", "b"]),
        (lambda: re.finditer("a", ""), []),
    ],
)
def test_an_iterator_that_a_call_returns_is_drawn(make, elements):
    for returned in drawn_by_both(make):
        assert canonical(returned) == canonical(iter(elements))
    for returned in drawn_by_both(lambda: [(1, {"a": make()})]):
        assert canonical(returned) == canonical([(1, {"a": iter(elements)})])


def test_iterators_that_an_iterator_makes_are_drawn_in_turn():
    for returned in drawn_by_both(lambda: itertools.groupby("aab")):
        assert [(key, [*group]) for key, group in returned] == [("a", ["a", "a"]), ("b", ["b"])]


def test_one_iterator_in_two_places_is_drawn_once():
    for returned in drawn_by_both(lambda: [iter("ab")] * 2):
        assert returned[0] is returned[1]
        assert [*returned[0]] == ["a", "b"]


def test_an_iterator_that_the_state_needs_is_not_drawn():
    for returned in drawn_by_both(lambda: (x for x in "ab"), lambda made: [Part([made])]):
        assert isinstance(returned, types.GeneratorType)
        assert next(returned) == "a"


def test_what_is_no_iterator_stays_the_object_that_it_is():
    for value in ([1, [2]], (1, Part(2)), {"a": io.StringIO("a")}, io.BytesIO(), 5, Part(map(str, [1]))):
        assert drawn(value, []) is value
        assert call(lambda one=value: one, [])[1] is value
