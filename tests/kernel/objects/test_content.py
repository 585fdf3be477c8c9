"""What a value holds besides its fields tells it from others of its type, in both judges, wherever it is held."""

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
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from harness.kernel.naive.equality import equal_values
from harness.kernel.naive.inputs import call
from harness.kernel.objects.content import MOST_DRAWN, drawn, untold
from harness.kernel.objects.equality import UNTOLD_MARK, canonical, concrete


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
