"""A folder to stand in for each test."""

import pytest
from command_line import Place


@pytest.fixture
def place(tmp_path):
    return Place(tmp_path)
