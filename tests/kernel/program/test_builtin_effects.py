"""Compares the table of known calls with the containers and builtins of Python."""

from __future__ import annotations

import builtins
from collections import Counter, OrderedDict, deque
from collections.abc import Callable
from contextlib import suppress
from typing import Any

import pytest

from harness.kernel.program.builtin_effects import BUILTINS, METHODS, CallEffects, is_exception, named

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
def test_a_known_method_changes_its_container_if_and_only_if_the_table_says_so(make: Callable[[], Any]) -> None:
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
def test_no_public_method_that_changes_a_container_is_left_out(kind: type) -> None:
    public = {name for name in dir(kind) if not name.startswith("_")}
    assert public - {*dir(bytes), "maxlen"} <= METHODS.keys()


def _content(container: Any) -> Any:
    return container.items() if isinstance(container, dict) else container


def test_iterators_and_new_containers_are_those_that_the_table_names() -> None:
    special: dict[str, tuple[Any, ...]] = {"map": (abs, [1]), "filter": (None, [1]), "dict": ({1: 1},)}
    results = {}
    for name in BUILTINS.keys() - {"print"}:
        with suppress(TypeError):
            results[name] = getattr(builtins, name)(*special.get(name, ([1],)))
    iterators = {name for name, value in results.items() if hasattr(value, "__next__")}
    assert iterators == named(BUILTINS, CallEffects.ITERATES)
    fresh = {name for name, value in results.items() if hasattr(type(value), "clear")}
    assert fresh == named(BUILTINS, CallEffects.MAKES_CONTAINER)


def test_every_builtin_of_the_table_exists_and_is_no_exception() -> None:
    assert all(hasattr(builtins, name) and not is_exception(name) for name in BUILTINS)
    assert is_exception("KeyError")
    assert not is_exception("int")


def test_names_are_selected_by_what_they_have_and_by_what_they_lack() -> None:
    table = {"one": CallEffects.READS, "two": CallEffects.READS | CallEffects.CHANGES, "three": CallEffects.NOTHING}
    assert named(table, CallEffects.READS) == {"one", "two"}
    assert named(table, has=CallEffects.READS, lacks=CallEffects.CHANGES | CallEffects.CALLS_BACK) == {"one"}
