"""The audit at small scope finds nothing, and says what it did."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = pytest.mark.end_to_end

ROOT = Path(__file__).parents[2]


@pytest.mark.slow
def test_the_audit_finds_nothing_at_small_scope() -> None:
    """Of the part whose small scope is not what other tests do anyway."""
    command = [sys.executable, "-m", "benchmarks.audit", "--small", "--part", "verdicts"]
    ended = subprocess.run(
        command, cwd=ROOT, stdin=subprocess.DEVNULL, capture_output=True, encoding="utf-8", check=False
    )
    assert ended.returncode == 0, ended.stdout + ended.stderr
    assert " verdicts and " in ended.stdout
    assert "**No finding.**" in ended.stdout
