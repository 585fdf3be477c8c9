"""Every input of small scopes does what a plain sorted tuple would do."""

from __future__ import annotations

import sys
from collections.abc import Callable
from types import CodeType, FrameType
from typing import Any

import pytest
from subject_samples import NAMES, inputs, loaded, number_of_inputs

from harness.kernel.specs.tokens import Token

Model = Callable[..., tuple[Any, tuple]]


def without(values: tuple, value: Any) -> tuple:
    rest = list(values)
    rest.remove(value)
    return tuple(rest)


def plus(values: tuple, *more: int) -> tuple:
    return tuple(sorted([*values, *more]))


def pop_min(values: tuple) -> tuple[Any, tuple]:
    return (values[0], values[1:]) if values else (IndexError, ())


def pop_max(values: tuple) -> tuple[Any, tuple]:
    return (values[-1], values[:-1]) if values else (IndexError, ())


class OneOf(frozenset):
    """Equal to each of its members."""

    __hash__ = frozenset.__hash__

    def __eq__(self, other: object) -> bool:
        return other in self


def find(labels: tuple, element: int) -> tuple[Any, tuple]:
    """Any member may represent a set; the labels say which is the smallest."""
    if element >= len(labels):
        return IndexError, labels
    return OneOf(e for e, label in enumerate(labels) if label == labels[element]), labels


def union(labels: tuple, first: int, second: int) -> tuple[Any, tuple]:
    if max(first, second) >= len(labels):
        return IndexError, labels
    low, high = sorted((labels[first], labels[second]))
    return low != high, tuple(low if label == high else label for label in labels)


def drop(values: tuple, value: Any) -> tuple[bool, tuple]:
    """What a list does on remove."""
    return (True, without(values, value)) if value in values else (False, values)


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
        "delete": drop,
    },
    "disj_set": {"find": find, "union": union},
    "fibonacci_heap": {
        "insert": lambda values, key: (None, plus(values, key)),
        "extract_min": pop_min,
        "union": lambda values, other: (None, plus(values, *other)),
        "delete": drop,
    },
    "linked_list": {
        "add": lambda values, element: (True, (*values, element)),
        "remove": drop,
        "reverse": lambda values: (None, values[::-1]),
    },
    "sorted_list": {
        "insert": lambda values, element: (None, plus(values, element)),
        "remove": drop,
        "sort": lambda values: (None, plus(values)),
        "merge": lambda values, other: (None, plus(values, *other)),
    },
    "heapq": {
        "heappush": lambda values, item: (None, plus(values, item)),
        "heappop": pop_min,
        "heapreplace": lambda values, item: (values[0], plus(values[1:], item)) if values else (IndexError, ()),
        "heappushpop": lambda values, item: pop_min(plus(values, item)),
        "heapify": lambda values: (None, values),
    },
}


MODELS["tree_map"] = MODELS["tree_map_black_root"] = {
    "put": lambda items, key, value: (dict(items).get(key), tuple(sorted({**dict(items), key: value}.items()))),
    "remove": lambda items, key: (dict(items).get(key), tuple(item for item in items if item[0] != key)),
}


def test_every_subject_has_a_model_or_a_test_of_its_own():
    assert {*MODELS, "hash_set", "av_tree"} == {*NAMES}


def plain(value: Any) -> Any:
    """Tokens by their name, as those of two copies of a state are different objects."""
    return repr(value) if isinstance(value, Token) else tuple(map(plain, value)) if isinstance(value, tuple) else value


@pytest.mark.parametrize("name", MODELS)
@pytest.mark.parametrize("scope", [1, 2, 3, pytest.param(4, marks=pytest.mark.slow)])
def test_every_input_does_what_the_model_does(name, scope):
    subject = loaded(name)
    for one in inputs(subject, scope):
        state, arguments = one.make()
        valid = one.target.requires(state, *arguments) if one.target.requires else subject.spec.rep_ok(state)
        assert valid is True
        before = plain(subject.spec.abstraction(state))
        others = [argument for argument in arguments if type(argument) is type(state)]
        values = [plain(subject.abstract(a)) if a in others else plain(a) for a in arguments]
        returned, after = MODELS[name][one.target.name](before, *values)
        assert subject.invoke(one.target, state, arguments) == returned, (before, one.target.name, values)
        assert plain(subject.abstract(state)) == after, (before, one.target.name, values)
        assert all(subject.abstract(other) == () for other in others)


@pytest.mark.parametrize("name", NAMES)
def test_every_line_of_the_predicates_runs_while_korat_searches_scope_two(name):
    subject = loaded(name)
    executed: dict[CodeType, set[int]] = {}

    def trace(frame: FrameType, event: str, _: Any) -> Any:
        if frame.f_code.co_filename == subject.spec.module.__file__ and frame.f_code.co_name not in NOT_PREDICATES:
            executed.setdefault(frame.f_code, set()).add(frame.f_lineno)
            return trace
        return None

    before = sys.gettrace()
    sys.settrace(trace)
    try:
        number_of_inputs(subject, 2)
    finally:
        sys.settrace(before)
    own = {target.requires.__name__ for target in subject.spec.finitization(2).targets if target.requires}
    assert {code.co_name for code in executed} >= {"rep_ok", *own}
    for code, lines in executed.items():
        assert {line for _, _, line in code.co_lines() if line} <= lines | {code.co_firstlineno}, code.co_name


NOT_PREDICATES = ("finitization", "_heaps")
