"""A folder to stand in for each test."""

import pytest
from command_line import Place


@pytest.fixture(scope="session")
def few_mutants(tmp_path_factory):
    """A folder `mutants` with a sample of the mutants of search_tree, for runs of a second."""
    place = Place(tmp_path_factory.mktemp("few"))
    place.succeed("mutate", "search_tree", "--pin", "--size", 60)
    return place.folder / "mutants"


@pytest.fixture
def place(tmp_path):
    return Place(tmp_path)
