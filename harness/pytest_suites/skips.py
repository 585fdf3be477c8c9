"""Which tests are skipped where something that holds tests is: a class, a file or a folder."""

from __future__ import annotations

from collections.abc import Collection

SKIPPED = "skipped"
"""What is said of a test that is skipped on a mutant."""


def is_skipped(test: str, skipped: Collection[str]) -> bool:
    """Return whether a test is among the skipped node ids, or within one of them."""
    return any(test == node or test.startswith((f"{node}::", f"{node}/")) for node in skipped)
