"""What the header of a suite tells of a solver."""

from __future__ import annotations


def is_solving(told: object) -> bool:
    """Whether something that a process wrote is what `solving` is."""
    if not isinstance(told, dict) or not all(type(told.get(name)) is str for name in ("solver", "version")):
        return False
    counts = ("variables", "clauses", "calls", "instances", "kept")
    return all(type(told.get(name)) is int for name in counts) and told.get("proven_minimal") in (None, True, False)
