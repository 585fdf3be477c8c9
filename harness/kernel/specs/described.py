"""Describes specs as plain data, which crosses from the process that executes them to the orchestrator."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, fields, is_dataclass
from enum import Enum
from inspect import unwrap
from types import FunctionType
from typing import Any

from harness.codec.codec import Codec, Json, codec_of
from harness.errors import SpecError
from harness.kernel.specs.spec import SPEC_MODULE
from harness.model.domains import Absence, ClassDomain, DomainKind, Reference
from harness.model.finitization import CallKind, Finitization, Structures, Target
from harness.model.routines import ArgumentDomain, Fixed, Made, Routine, RoutineKind, TokenValue
from harness.model.sequence import SequenceScope


def mutated_scope(profile_scope: int | None) -> int:
    """Return the scope whose targets are mutated: the `profile_scope` of a spec, or 1."""
    return profile_scope or 1


@dataclass(frozen=True)
class SpecToDescribe:
    """A spec as text, with the scopes at which its bounds are wanted, and those at which its sequences are.

    Attributes:
        mutated: its bounds are wanted at the scope whose targets are mutated, too.
    """

    filename: str
    source: str
    scopes: tuple[int, ...] = ()
    sequences: tuple[int, ...] = ()
    mutated: bool = False

    def scopes_with(self, profile_scope: int | None) -> tuple[int, ...]:
        """Return all scopes at which the bounds of a spec with this `profile_scope` are wanted."""
        return tuple(dict.fromkeys([*self.scopes, mutated_scope(profile_scope)])) if self.mutated else self.scopes


SPECS: Codec[tuple[SpecToDescribe, ...]] = codec_of(tuple[SpecToDescribe, ...])
"""The request to describe specs, one after the other."""


@dataclass(frozen=True)
class SpecConstants:
    """The constants of a spec. `origin` is the source file of an installed module, where there is one.

    Without `has_finitization` the spec has sequences only.
    """

    title: str | None
    implementation: str
    blocked: tuple[str, ...]
    helpers: tuple[str, ...] | None
    origin: str | None = None
    has_finitization: bool = True
    driver: str | None = None
    profile_scope: int | None = None


@dataclass(frozen=True)
class NotHere:
    """A stand-in for a function of the spec, `name` in spec.py (empty: a lambda, or from elsewhere)."""

    name: str

    @classmethod
    def of(cls, function: Callable[..., Any]) -> NotHere:
        """Return the stand-in for a function."""
        bare = unwrap(function)
        is_known = isinstance(bare, FunctionType) and bare.__module__ == SPEC_MODULE
        return cls(bare.__qualname__ if is_known and "<" not in bare.__qualname__ else "")

    def __call__(self, *_arguments: object) -> Any:
        """Raise SpecError: functions of a spec are executed in the sandbox only."""
        raise SpecError(f"{self.name or 'a function of the spec'} is not to be called outside of the sandbox")


def preconditions(finitization: Finitization) -> list[str]:
    """Return the names of the functions in spec.py that some target of a described finitization requires."""
    required = (target.requires for target in finitization.targets)
    return [function.name for function in required if isinstance(function, NotHere) and function.name]


_BOUNDS: dict[str, type] = {cls.__name__: cls for cls in (Finitization, SequenceScope)}
_COLLECTIONS: dict[str, Any] = {cls.__name__: cls for cls in (list, tuple, set, frozenset, deque)}
_ENUMS: dict[str, type[Enum]] = {cls.__name__: cls for cls in (Absence, CallKind, DomainKind, RoutineKind)}
_PARTS = (ClassDomain, Reference, Target, Structures, ArgumentDomain, Routine, TokenValue, Fixed, Made, NotHere)
_CLASSES: dict[str, Any] = {cls.__name__: cls for cls in _PARTS}


@dataclass(frozen=True)
class DescribedBounds:
    """The bounds of states or of sequences as JSON, in which `NotHere` stands for functions.

    Everything but atoms is marked by its type: `{"Reference": [2, 0]}`, `{"tuple": [1, 2]}`.
    """

    data: Json

    @classmethod
    def of(cls, bounds: Finitization | SequenceScope) -> DescribedBounds:
        """Describe bounds."""
        return cls(Json(_data_of(bounds)))

    def bounds(self) -> Any:
        """Return the bounds, a Finitization or a SequenceScope.

        Raises:
            ValueError: the data are of something else: the program under test may have written them.
        """
        try:
            bounds = _value_of(self.data)
        except (TypeError, KeyError, AttributeError) as error:
            raise ValueError(f"no bounds: {error}") from None
        if type(bounds) not in _BOUNDS.values():
            raise ValueError(f"a {type(bounds).__name__} as bounds")
        return bounds


def _data_of(value: Any) -> Any:
    kind = type(value)
    if kind in _BOUNDS.values():
        return {kind.__name__: {name: _data_of(held) for name, held in vars(value).items()}}
    if isinstance(value, Enum):
        return {kind.__name__: value.value}
    if is_dataclass(value) and kind.__name__ in _CLASSES:
        return {kind.__name__: [_data_of(getattr(value, field.name)) for field in fields(value)]}
    if callable(value):
        return _data_of(NotHere.of(value))
    if isinstance(value, dict):
        return {"dict": [[_data_of(key), _data_of(held)] for key, held in value.items()]}
    for name, collection in _COLLECTIONS.items():
        if isinstance(value, collection):
            items = [_data_of(item) for item in value]
            # The order of a set's items is not left to their hashes.
            return {name: sorted(items, key=repr) if isinstance(value, (set, frozenset)) else items}
    return value


def _value_of(data: Any) -> Any:
    if type(data) is not dict:
        if type(data) is list:
            raise ValueError("a list that is not marked as one")
        return data
    ((kind, inner),) = data.items()
    if kind in _BOUNDS:
        bounds: object = object.__new__(_BOUNDS[kind])
        vars(bounds).update({name: _value_of(held) for name, held in inner.items()})
        return bounds
    if kind in _ENUMS:
        return _ENUMS[kind](inner)
    if kind == "dict":
        return {_value_of(key): _value_of(held) for key, held in inner}
    return _COLLECTIONS[kind](map(_value_of, inner)) if kind in _COLLECTIONS else _CLASSES[kind](*map(_value_of, inner))
