"""Sources to add something to."""

from pathlib import Path

import pytest
from walkthroughs.source_copy import SourceCopy


@pytest.fixture
def sources(tmp_path: Path) -> SourceCopy:
    """A copy of the sources for one test."""
    return SourceCopy(tmp_path)
