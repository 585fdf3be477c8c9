"""The request to `harness.kernel.specs.process`."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class SpecToDescribe:
    """A spec as text, with the scopes at which its bounds are wanted, and those at which its sequences are."""

    filename: str
    source: str
    scopes: tuple[int, ...]
    sequences: tuple[int, ...]


@dataclass(frozen=True)
class DescriptionRequest:
    """Describe specs, one after the other."""

    specs: tuple[SpecToDescribe, ...]
