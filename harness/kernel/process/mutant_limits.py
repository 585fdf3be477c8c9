"""The limits of a mutant's run: seconds for each of its inputs, and how often it may die."""

from __future__ import annotations

import signal

from harness.model.outcome import KillReason

WALL_FACTOR = 10
"""The multiple of the original's time on an input that a mutant gets for it."""
WALL_CONSTANT = 1.0
"""The seconds that a mutant gets in addition, for each input."""
MOST_DEATHS = 10_000
"""The number of deaths of one mutant after which it is not run on: at some milliseconds each, less than a minute."""
DEAR_DEATH = 100
"""The weight of a death that was waited for, or that came from outside and is trusted at the second time."""


def allowed_seconds(original_seconds: float, inputs: int = 1) -> float:
    """Return the seconds that a mutant gets for an input, or several, on which the original takes so many."""
    return WALL_FACTOR * original_seconds + WALL_CONSTANT * inputs


def weight(reason: KillReason, detail: str) -> int:
    """Return the weight with which a death counts towards MOST_DEATHS."""
    return 1 if reason is KillReason.CRASH and detail != signal.SIGKILL.name else DEAR_DEATH
