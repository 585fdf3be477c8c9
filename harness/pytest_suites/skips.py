"""Tests that pass on the original and say nothing of a mutant: they are skipped, stop as xfailed, or are not there."""

from __future__ import annotations

from collections.abc import Collection

SKIPPED, XFAILED, MISSING = "skipped", "xfailed", "not collected"
"""The details of mutants on which a test is skipped, calls `pytest.xfail`, or is not among those collected."""


def is_skipped(test: str, skipped: Collection[str]) -> bool:
    """Return whether a test is among the skipped node ids, or within one of them."""
    return any(test == node or test.startswith((f"{node}::", f"{node}/")) for node in skipped)
