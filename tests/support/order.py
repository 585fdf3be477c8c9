"""A pytest plugin that decides the order of tests: expensive ones first, or all of them shuffled."""

from __future__ import annotations

from random import Random

import pytest

EXPENSIVE = ("document", "end_to_end", "sweep")
"""Marks of expensive tests; those marked slow are more expensive yet."""


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add the option of this plugin."""
    parser.addoption(
        "--shuffle", metavar="SEED", help="run files in a random order, and the tests of a file in a random order"
    )


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Order the tests so that no worker is left alone with an expensive one at the end, or shuffle them."""
    seed: str | None = config.getoption("--shuffle")
    if seed is None:
        items.sort(key=lambda item: (item.get_closest_marker("slow") is None, not is_expensive(item)))
        return
    random = Random(seed)
    files = sorted({str(item.path) for item in items})
    random.shuffle(files)
    places = {file: place for place, file in enumerate(files)}
    random.shuffle(items)
    items.sort(key=lambda item: places[str(item.path)])


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter, config: pytest.Config) -> None:
    """Print the seed, with which the same order comes again."""
    seed: str | None = config.getoption("--shuffle")
    if seed is not None:
        terminalreporter.line(f"The order was shuffled with --shuffle {seed}.")


def is_expensive(item: pytest.Item) -> bool:
    """Return True for a test with one of the marks of expensive tests."""
    return any(item.get_closest_marker(mark) for mark in EXPENSIVE)
