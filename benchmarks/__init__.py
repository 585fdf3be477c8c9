"""Measurements, and comparisons that take minutes: `python -m benchmarks.NAME`."""

from __future__ import annotations

import sys
from pathlib import Path

_TESTS = str(Path(__file__).parents[1] / "tests")
if _TESTS not in sys.path:
    sys.path.insert(0, _TESTS)  # as pytest does: hostile programs and places to stand in are shared with the tests
