"""Lets these tests use the made-up trials of the store's tests."""

import sys
from pathlib import Path

sys.path.append(str(Path(__file__).parents[1] / "store"))
