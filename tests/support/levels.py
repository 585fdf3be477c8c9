"""What this machine does not contain programs by, which commands say in a line of their own."""

from __future__ import annotations

from harness.sandbox.levels import missing_levels


def without_line_of_levels(printed: str) -> str:
    """Return what a command printed without the line about levels of containment that this user cannot have."""
    missing = missing_levels()
    return printed if missing is None else printed.replace(f"mutascope: {missing}\n", "")
