"""What numbers say of a claim of a paper."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum


class Outcome(Enum):
    """What the numbers say of a claim."""

    HOLDS = "HOLDS"
    FAILS = "DOES NOT HOLD"
    OPEN = "NOT DECIDABLE"


@dataclass(frozen=True)
class Finding:
    """An outcome with the numbers behind it, in words."""

    outcome: Outcome
    evidence: str
