"""A pytest plugin that runs expensive tests first."""

import pytest

EXPENSIVE = ("document", "end_to_end", "sweep")
"""Marks of expensive tests; those marked slow are more expensive yet."""


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Order the tests so that no worker is left alone with an expensive one at the end."""
    items.sort(key=lambda item: (item.get_closest_marker("slow") is None, not is_expensive(item)))


def is_expensive(item: pytest.Item) -> bool:
    """Return True for a test with one of the marks of expensive tests."""
    return any(item.get_closest_marker(mark) for mark in EXPENSIVE)
