"""Runs one call of a program with as many frames as it may use on the fast path, and notes what it did."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from types import ModuleType
from typing import Any

from harness.kernel.naive.equality import attributes, elements, is_lazy
from harness.kernel.program import steps
from harness.kernel.specs.tokens import Token

_NO_OBJECTS = (type(None), bool, int, float, complex, str, bytes, tuple, frozenset, Token, type)
"""Types of values whose identity does not matter."""

MOST_DRAWN = 1000
"""The number of elements that are drawn of an iterator that a call returns."""


def call(function: Callable[..., Any], passed: Sequence[Any], owners: Sequence[Any] = ()) -> tuple[str | None, Any]:
    """Run a call. Return the type of the exception that it raises, if it does, and the value that it returns.

    Iterators that it returns, also in lists, tuples and dicts, are replaced by those over their first elements, unless
    an owner or an argument holds one.
    """
    limit_recursion()
    try:
        returned = function(*passed)
        lazy = [one for one in below([returned], in_objects=False) if is_lazy(one)]
        if lazy:
            held = below([*owners, *passed], in_objects=True)
            if not any(one is other for one in lazy for other in held):
                returned = _drawn(returned, [])
        return None, returned
    except BaseException as error:
        return type(error).__qualname__, None


@dataclass(frozen=True)
class PerformedCall:
    """A call that has run, with the objects behind it.

    Attributes:
        raised: the type of the exception that it raised, if it did.
        returned: the value that it returned.
        root: the object that it was called on, or the one that it constructed.
        arguments: its other arguments.
        changeable: the arguments that it can have changed, and that are no `objects`.
        objects: by the number of the call that gave them, all objects of a sequence; of a state, its root alone.
        constructs: True if it was a constructor's call.
    """

    raised: str | None
    returned: Any
    root: Any
    arguments: Sequence[Any]
    changeable: Sequence[Any]
    objects: Mapping[int, Any]
    constructs: bool = False

    @property
    def other_objects(self) -> list[Any]:
        """The objects besides the root."""
        return [held for held in self.objects.values() if held is not self.root]


def is_object(value: Any) -> bool:
    """Return whether the identity of a value matters."""
    return not isinstance(value, _NO_OBJECTS)


def below(roots: list[Any], *, in_objects: bool) -> list[Any]:
    """Return all values below roots, each once: below lists, tuples and dicts only, or below all objects."""
    found: dict[int, Any] = {}
    while roots:
        value = roots.pop()
        kind = type(value)  # not `isinstance`, which asks the program
        if id(value) in found or issubclass(kind, (str, bytes, int, float, type(None), type, ModuleType)):
            continue
        found[id(value)] = value
        if kind in (list, tuple) or (in_objects and issubclass(kind, (list, tuple, set, frozenset, deque))):
            roots.extend(elements(value))
        if kind is dict or (in_objects and issubclass(kind, dict)):
            roots.extend([*dict.keys(value), *dict.values(value)])
        if in_objects:
            roots.extend(attributes(value).values())
    return list(found.values())


def _drawn(value: Any, pairs: list[tuple[Any, Any]]) -> Any:
    """Return a copy of lists, tuples and dicts in which iterators are replaced; `pairs` has those that were."""
    if type(value) is dict:
        return {key: _drawn(held, pairs) for key, held in value.items()}
    if type(value) in (list, tuple):
        return type(value)([_drawn(held, pairs) for held in value])
    if not is_lazy(value):
        return value
    for before, after in pairs:
        if before is value:
            return after
    pairs.append((value, iter([_drawn(held, pairs) for held in islice(value, MOST_DRAWN)])))
    return next(after for before, after in pairs if before is value)


def limit_recursion(more: int = 0) -> None:
    """Allow as many frames as the fast path does, which counts its limit from three frames above the caller.

    Args:
        more: how many more frames than on the fast path there are between the caller and the program.
    """
    steps.limit_recursion(more - 4)  # which counts from its own frame, one below this one
