"""A folder to stand in for each test."""

from __future__ import annotations

from pathlib import Path

import pytest
from command_line import Place


@pytest.fixture(scope="session")
def few_mutants(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder `mutants` with a sample of the mutants of search_tree, for runs of a second."""
    place = Place(tmp_path_factory.mktemp("few"))
    place.succeed("mutate", "search_tree", "--pin", "--size", 60)
    return place.folder / "mutants"


@pytest.fixture
def place(tmp_path: Path) -> Place:
    return Place(tmp_path)
