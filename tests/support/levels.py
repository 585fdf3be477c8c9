"""The line in which commands name the levels of containment that this machine lacks."""

from harness.sandbox.levels import missing_levels


def without_line_of_levels(printed: str) -> str:
    """Return what a command printed without the line about levels of containment that this user cannot have."""
    missing = missing_levels()
    return printed if missing is None else printed.replace(f"mutascope: {missing}\n", "")
