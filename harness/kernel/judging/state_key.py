"""Makes keys of states: no program can distinguish object graphs with the same key."""

from __future__ import annotations

import marshal
from collections.abc import Sequence
from types import ModuleType
from typing import Any

from harness.kernel.inputs.routines import ABSENT
from harness.kernel.objects.object_creation import is_plain
from harness.kernel.specs.tokens import Token

LARGEST = 1 << 12
"""The greatest number of objects and values in a state: comparing larger ones takes longer than their calls do."""

SINGLE = frozenset({type(None), bool})
"""Types whose values exist once each, so that `is` distinguishes them no better than their values."""
_SMALL = range(-5, 257)
"""Integers of which the same is true."""
_CONTAINERS = frozenset({list, dict})

_FORMAT = 2
"""The version of marshal's format in which equal values give equal bytes."""


def graph_key(roots: Sequence[Any], module: ModuleType, by_value: frozenset[type] = SINGLE) -> bytes:  # noqa: C901 (a hot loop)
    """Return a key of the object graph below `roots`.

    The graph may contain plain instances of the module's classes, exact lists and dicts, tokens, and values that exist
    once each; of tuples, the empty one. Objects are numbered in order of first visit, with class and content.

    Args:
        by_value: types of values that are distinguished by value alone, besides small integers.

    Returns:
        b"" if the graph contains anything else.
    """
    numbers: dict[int, int] = {}
    values: list[Any] = list(roots)
    description: list[Any] = [len(values)]
    plain: dict[type, bool] = {}
    at = 0
    while at < len(values):
        if len(values) > LARGEST:
            return b""
        value = values[at]
        at += 1
        kind = type(value)
        if kind in by_value or (kind is int and value in _SMALL) or (kind is tuple and not value):
            description.append(value)
            continue
        if value is ABSENT:
            description.append(("absent",))
            continue
        number = numbers.get(id(value))
        if number is not None:
            description.append((number,))
            continue
        numbers[id(value)] = len(numbers)
        if kind in _CONTAINERS and len(value) > LARGEST:
            return b""  # before it is copied, which might take more memory than there is
        if kind is list:
            held = value
            description.append(("list", len(value)))
        elif kind is dict:
            held = [*value, *value.values()]
            description.append(("dict", len(value)))
        elif kind is Token:
            held = ()
            description.append(("token", value.domain, value.index))
        else:
            if kind not in plain:
                # Of two classes with one name, the module has the later one.
                own = kind.__module__ == module.__name__ and vars(module).get(kind.__qualname__) is kind
                plain[kind] = own and is_plain(kind, ())
            if not plain[kind]:
                return b""
            fields = object.__getattribute__(value, "__dict__")
            held = fields.values()
            description.append((kind.__qualname__, *fields))
        values.extend(held)
    return marshal.dumps(description, _FORMAT)
