"""Targets: the functions and methods called on a pre-state, with their arguments and preconditions."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from enum import Enum
from typing import Any, Protocol, TypeAlias

from harness.model.domains import ClassDomain, DomainPiece, DomainValue


class StateBounds(Protocol):
    """The bounds of a state space and the targets on it, as search engines read them; `Finitization` has them."""

    @property
    def domains(self) -> tuple[ClassDomain, ...]:
        """Class domains by number; number 0 holds the root alone."""

    @property
    def targets(self) -> tuple[Target, ...]:
        """Targets in declaration order."""

    def fields_of(self, domain: ClassDomain) -> tuple[tuple[str, tuple[DomainValue, ...]], ...]:
        """Field names and field domains of every object of `domain`, in declaration order."""


@dataclass(frozen=True)
class Structures:
    """A field domain of whole structures: every valid input of another finitization.

    Its objects are its own; they never alias those of the pre-state.
    """

    finitization: StateBounds
    rep_ok: Callable[..., Any]


Parameter: TypeAlias = DomainPiece | tuple[DomainPiece, ...] | Structures
Precondition: TypeAlias = Callable[..., Any]


class CallKind(Enum):
    """The way in which a target is called on the pre-state."""

    METHOD = "method"
    FUNCTION = "function"


@dataclass(frozen=True)
class Target:
    """A target method (or module function taking the pre-state first) and its arguments' field domains.

    Its inputs are the valid states and arguments for which `requires(pre_state, *arguments)` is true; None: all of
    them. With `any_state`, the precondition alone decides, and states need not be valid.
    `keywords` are the names by which the last of the parameters are passed.
    """

    name: str
    kind: CallKind
    parameters: tuple[tuple[DomainValue, ...] | Structures, ...]
    requires: Precondition | None = None
    keywords: tuple[str, ...] = ()
    any_state: bool = False


@dataclass(frozen=True)
class WithoutState:
    """A precondition of arguments alone, called as if there were a pre-state."""

    requires: Precondition

    @property
    def __wrapped__(self) -> Precondition:
        return self.requires

    def __call__(self, _state: object, *arguments: Any) -> Any:
        return self.requires(*arguments)
