"""The request to `harness.kernel.specs.process`."""

from __future__ import annotations

from dataclasses import dataclass


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


@dataclass(frozen=True)
class DescriptionRequest:
    """Describe specs, one after the other."""

    specs: tuple[SpecToDescribe, ...]
