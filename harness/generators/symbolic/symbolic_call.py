"""A call with symbolic arguments."""

from __future__ import annotations

from dataclasses import dataclass

from harness.generators.sequences.calls import CallChoice


@dataclass(frozen=True, slots=True)
class SymbolicCall:
    """A call with variables for its symbolic arguments: the parameters for which the choice has no index, in order."""

    choice: CallChoice
    variables: tuple[int, ...]
