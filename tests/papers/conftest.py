"""Lets these tests use the made-up runs of the analysis tests."""

import sys
from pathlib import Path

sys.path.append(str(Path(__file__).parents[1] / "analysis"))
