"""Describes a spec as plain data, which crosses from the process that executes it to the orchestrator."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from inspect import unwrap
from types import FunctionType
from typing import Any

from harness.errors import SpecError
from harness.kernel.specs.spec import SPEC_MODULE, Spec
from harness.model.targets import StateBounds


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

    @classmethod
    def of(cls, spec: Spec, origin: str | None) -> SpecConstants:
        """Return the constants of a spec."""
        return cls(
            spec.title,
            spec.implementation,
            spec.blocked,
            spec.helpers,
            origin,
            spec.finitization_of is not None,
            spec.driver,
            spec.profile_scope,
        )


@dataclass(frozen=True)
class NotHere:
    """A stand-in for a function of the spec, `name` in spec.py (empty: a lambda, or from elsewhere)."""

    name: str

    def __call__(self, *_arguments: object) -> Any:
        """Raise SpecError: functions of a spec are executed in the sandbox only."""
        raise SpecError(f"{self.name or 'a function of the spec'} is not to be called outside of the sandbox")


def preconditions(finitization: StateBounds) -> list[str]:
    """Return the names of the functions in spec.py that some target of a described finitization requires."""
    required = (target.requires for target in finitization.targets)
    return [function.name for function in required if isinstance(function, NotHere) and function.name]


def name_in_spec(function: Callable[..., Any]) -> str:
    """Return the name of a function in spec.py; an empty text for a lambda, or for a function from elsewhere."""
    bare = unwrap(function)
    is_known = isinstance(bare, FunctionType) and bare.__module__ == SPEC_MODULE
    return bare.__qualname__ if is_known and "<" not in bare.__qualname__ else ""
