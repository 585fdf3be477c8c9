"""What captions say of scores, everywhere: which mutants count, and which oracle kills them."""

from __future__ import annotations

from collections.abc import Iterable

from harness.model.score import ScorePolicy


def named(oracles: Iterable[str]) -> str:
    """The names of oracles in a caption, as in "oracle differential"."""
    names = sorted(set(oracles))
    return f"oracle{'s' * (len(names) > 1)} {', '.join(names)}"


def killed(policy: ScorePolicy, oracles: Iterable[str], of: str = "") -> str:
    """A sentence for the captions of scores.

    Args:
        oracles: what judged the trials (`RunFrames.oracles`).
        of: the mutants that were made, as in "operator set mujava".
    """
    return f"Mutants killed: {policy.value}{', of ' * bool(of)}{of}; {named(oracles)}."
