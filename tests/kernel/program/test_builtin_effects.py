"""Compares the table of known calls with the containers and builtins of Python."""

import builtins
from collections import Counter, OrderedDict, deque
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from typing import Any

import pytest

from harness.kernel.program.builtin_effects import (
    BUILTINS,
    METHODS,
    REFLECTIVE,
    REFLECTIVE_BUILTINS,
    CallEffects,
    is_exception,
    named,
)

CONTAINERS: list[Callable[[], Any]] = [
    lambda: [3, 1, 2],
    lambda: deque([3, 1, 2]),
    lambda: {1, 2, 3},
    lambda: {3: 1, 1: 2},
    lambda: bytearray([3, 1, 2]),
    lambda: Counter({3: 1, 1: 2}),
    lambda: OrderedDict({3: 1, 1: 2}),
]
ARGUMENTS: list[tuple[Any, ...]] = [
    (), (1,), (9,), (b"9",), (1, 9), (0, 9), ([9],), ([1],), ({9: 9},), ({9},), (3, "last"), (3, True),
]  # fmt: skip


@pytest.mark.parametrize("make", CONTAINERS, ids=lambda make: type(make()).__name__)
def test_a_known_method_changes_its_container_if_and_only_if_the_table_says_so(make):
    changing, returning = set(), set()
    for name in METHODS.keys() & set(dir(make())):
        for arguments in ARGUMENTS:
            container = make()
            with suppress(TypeError, ValueError, KeyError, IndexError, AttributeError, NotImplementedError):
                result = getattr(container, name)(*arguments)
                if list(_content(container)) != list(_content(make())):
                    changing.add(name)
                    returning |= set() if result is None else {name}
    assert changing == named(METHODS, CallEffects.CHANGES) & set(dir(make()))
    assert not returning & named(METHODS, CallEffects.RETURNS_NOTHING)


@pytest.mark.parametrize("kind", [list, set, dict, deque, bytearray, Counter, OrderedDict])
def test_no_public_method_that_changes_a_container_is_left_out(kind):
    public = {name for name in dir(kind) if not name.startswith("_")}
    assert public - {*dir(bytes), "maxlen"} <= METHODS.keys()


def _content(container: Any) -> Any:
    return container.items() if isinstance(container, dict) else container


def test_iterators_and_new_containers_are_those_that_the_table_names():
    special: dict[str, tuple[Any, ...]] = {"map": (abs, [1]), "filter": (None, [1]), "dict": ({1: 1},)}
    results = {}
    for name in BUILTINS.keys() - {"print"}:
        with suppress(TypeError):
            results[name] = getattr(builtins, name)(*special.get(name, ([1],)))
    iterators = {name for name, value in results.items() if hasattr(value, "__next__")}
    assert iterators == named(BUILTINS, CallEffects.ITERATES)
    fresh = {name for name, value in results.items() if hasattr(type(value), "clear")}
    assert fresh == named(BUILTINS, CallEffects.MAKES_CONTAINER)


def test_only_the_result_of_a_memoryview_changes_an_argument():
    lending = set()
    for name in BUILTINS.keys() - {"print"}:
        argument = bytearray([1])
        with suppress(TypeError, ValueError):
            getattr(builtins, name)(argument)[0] = 9
        if argument != bytearray([1]):
            lending.add(name)
    assert lending == named(BUILTINS, CallEffects.LENDS)


class Watched:
    """An object that remembers whether its field was read."""

    def __init__(self) -> None:
        self.reads = 0
        self.held = 1

    @property
    def field(self) -> int:
        self.reads += 1
        return self.held

    @field.setter
    def field(self, value: int) -> None:
        self.held = value

    @field.deleter
    def field(self) -> None:
        self.held = 0


@pytest.mark.parametrize("name", sorted(named(REFLECTIVE, CallEffects.TAKES_FIELD_NAME)))
def test_a_field_that_an_argument_names_is_accessed_as_the_table_says(name):
    watched = Watched()
    access = partial(getattr(builtins, name), watched) if name in REFLECTIVE_BUILTINS else getattr(watched, name)
    with suppress(TypeError):
        access("field")
    with suppress(TypeError):
        access("field", 2)
    expected = {"reads": CallEffects.READS_FIELDS in REFLECTIVE[name], "held": 1}
    expected["held"] = 2 if CallEffects.SETS_FIELDS in REFLECTIVE[name] else expected["held"]
    expected["held"] = 0 if CallEffects.DELETES_FIELDS in REFLECTIVE[name] else expected["held"]
    assert {"reads": watched.reads > 0, "held": watched.held} == expected


@pytest.mark.parametrize("name", sorted(REFLECTIVE_BUILTINS))
def test_a_local_variable_is_looked_at_by_the_builtins_of_which_the_table_says_so(name):
    seen: list[Any] = []
    for arguments in ("", "'secret'", "'seen.append(secret)'"):
        scope: dict[str, Any] = {"seen": seen}
        exec(f"def look(secret):\n    return {name}({arguments})", scope)
        with suppress(TypeError, NameError):
            seen.append(scope["look"]("found"))
    is_found = any(one == "found" or (isinstance(one, list | dict) and "secret" in one) for one in seen)
    assert is_found == (CallEffects.READS_VARIABLES in REFLECTIVE[name])


def test_every_builtin_of_the_table_exists_and_is_no_exception():
    assert all(hasattr(builtins, name) and not is_exception(name) for name in BUILTINS)
    assert is_exception("KeyError")
    assert not is_exception("int")
