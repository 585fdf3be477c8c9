"""A folder to stand in for each test."""

from __future__ import annotations

from pathlib import Path

import pytest
from command_line import Place


@pytest.fixture
def place(tmp_path: Path) -> Place:
    return Place(tmp_path)
