"""Detects values that cannot distinguish states, such as functions, and answers that are always true."""

from __future__ import annotations

import collections.abc
from collections.abc import Iterable
from types import (
    AsyncGeneratorType,
    BuiltinFunctionType,
    BuiltinMethodType,
    CoroutineType,
    FunctionType,
    GeneratorType,
    MethodType,
    MethodWrapperType,
)
from typing import Any

from harness.kernel.objects.reading import ATOMS, contents, held_fields, walked
from harness.kernel.specs.tokens import Token

_FUNCTIONS = (FunctionType, MethodType, BuiltinFunctionType, BuiltinMethodType, MethodWrapperType)
_RUNNING = (GeneratorType, CoroutineType, AsyncGeneratorType)


def tells_nothing(value: Any) -> bool:
    """Return whether all values of its type look the same: functions, generators, coroutines, `object()`."""
    kind = type(value)
    return kind not in ATOMS and (kind is object or isinstance(value, (*_FUNCTIONS, *_RUNNING)))


def untold(value: Any) -> str | None:
    """Return the type of a part of `value`, at any depth, that cannot distinguish states; None if there is none."""
    kind = type(value)
    if kind in ATOMS or (kind is tuple and ATOMS.issuperset(map(type, value))):
        return None
    return next((type(part).__name__ for part in walked([value], _parts) if tells_nothing(part)), None)


def is_always_true(answer: Any) -> bool:
    """Return whether a predicate's answer is true of anything: a function not called, an iterator not run."""
    return isinstance(answer, (*_FUNCTIONS, *_RUNNING, collections.abc.Iterator))


def _parts(value: Any) -> Iterable[Any]:
    if type(value) in ATOMS or isinstance(value, (Token, type)):
        return ()
    return [*contents(value), *(held_fields(value) or {}).values()]
