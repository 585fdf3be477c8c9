"""The marks of expensive tests."""

from __future__ import annotations

import pytest

SAMPLED = ("document", "end_to_end", "sweep")
"""The marks of tests of which `make test` runs a sample."""


def is_expensive(item: pytest.Item) -> bool:
    """Return True for a test with one of the marks of which a sample is run."""
    return any(item.get_closest_marker(mark) for mark in SAMPLED)
