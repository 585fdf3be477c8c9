"""Every input of small scopes does what a plain sorted tuple would do."""

from __future__ import annotations

import sys
from collections.abc import Callable
from types import CodeType, FrameType
from typing import Any

import pytest
from subject_samples import NAMES, calls, loaded, states

from harness.generators.korat.search import KoratSearch
from harness.kernel.space import StateSpace

Model = Callable[..., tuple[Any, tuple]]


def without(values: tuple, value: int) -> tuple:
    rest = list(values)
    rest.remove(value)
    return tuple(rest)


def plus(values: tuple, *more: int) -> tuple:
    return tuple(sorted([*values, *more]))


def pop_min(values: tuple) -> tuple[Any, tuple]:
    return (values[0], values[1:]) if values else (IndexError, ())


def pop_max(values: tuple) -> tuple[Any, tuple]:
    return (values[-1], values[:-1]) if values else (IndexError, ())


MODELS: dict[str, dict[str, Model]] = {
    "search_tree": {
        "add": lambda values, key: (key not in values, tuple(sorted({*values, key}))),
        "remove": lambda values, key: (key in values, tuple(sorted({*values} - {key}))),
    },
    "heap_array": {
        "insert": lambda values, value: (None, plus(values, value)) if value != -1 else (ValueError, values),
        "extract_max": pop_max,
    },
    "binomial_heap": {
        "insert": lambda values, key: (None, plus(values, key)),
        "extract_min": pop_min,
        "union": lambda values, other: (None, plus(values, *other)),
        "delete": lambda values, key: (True, without(values, key)) if key in values else (False, values),
    },
    "heapq": {
        "heappush": lambda values, item: (None, plus(values, item)),
        "heappop": pop_min,
        "heapreplace": lambda values, item: (values[0], plus(values[1:], item)) if values else (IndexError, ()),
        "heappushpop": lambda values, item: pop_min(plus(values, item)),
        "heapify": lambda values: (None, values),
    },
}


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("scope", [1, 2, 3, 4, pytest.param(5, marks=pytest.mark.slow)])
def test_every_input_does_what_the_model_does(name, scope):
    subject = loaded(name)
    every_call = list(calls(subject, scope))
    for make_state in states(subject, scope):
        before = subject.abstract(make_state())
        for target, make_arguments in every_call:
            state, arguments = make_state(), [make() for make in make_arguments]
            plain = [a if isinstance(a, int) else subject.abstract(a) for a in arguments]
            returned, after = MODELS[name][target.name](before, *plain)
            assert subject.invoke(target, state, arguments) == returned, (before, target.name, plain)
            assert subject.abstract(state) == after, (before, target.name, plain)
            assert all(subject.abstract(a) == () for a in arguments if not isinstance(a, int))


@pytest.mark.parametrize("name", NAMES)
def test_every_line_of_the_invariant_runs_while_korat_searches_scope_two(name):
    subject = loaded(name)
    space = StateSpace(subject.spec.finitization(2))
    executed: dict[CodeType, set[int]] = {}

    def trace(frame: FrameType, event: str, _: Any) -> Any:
        if frame.f_code.co_filename == subject.spec.module.__file__:
            executed.setdefault(frame.f_code, set()).add(frame.f_lineno)
            return trace
        return None

    before = sys.gettrace()
    sys.settrace(trace)
    try:
        for _ in KoratSearch(space, subject.module, subject.spec.rep_ok):
            pass
    finally:
        sys.settrace(before)
    assert {code.co_name for code in executed} >= {"rep_ok"}
    for code, lines in executed.items():
        assert {line for _, _, line in code.co_lines() if line} <= lines | {code.co_firstlineno}, code.co_name
