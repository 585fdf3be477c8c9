"""Write the part of a caption that every table and figure of scores has: which mutants count, under which oracle."""

from __future__ import annotations

from collections.abc import Iterable

from harness.model.outcome import ScorePolicy


def named(oracles: Iterable[str]) -> str:
    """Return the names of oracles as a caption has them, as in "oracle differential"."""
    names = sorted(set(oracles))
    return f"oracle{'s' * (len(names) > 1)} {', '.join(names)}"


def killed(policy: ScorePolicy, oracles: Iterable[str], of: str = "") -> str:
    """Return the sentence of a caption that says which mutants count and what killed them.

    Args:
        oracles: what judged the trials (`RunFrames.oracles`).
        of: the mutants that were made, as in "operator set mujava".
    """
    return f"Mutants killed: {policy.value}{', of ' * bool(of)}{of}; {named(oracles)}."
