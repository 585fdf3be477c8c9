"""Suites that were exported, run as a user would."""

import os
import re
import subprocess
import sys
from pathlib import Path

from support.documents import ROOT


def outcome(file: Path) -> tuple[int, int]:
    """Return how many tests of a file passed, and how many failed."""
    run = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "--tb=no", "-p", "no:cacheprovider", file.name],
        cwd=file.parent,
        env={**os.environ, "PYTHONPATH": str(ROOT), "PYTHONDONTWRITEBYTECODE": "1"},
        capture_output=True,
        encoding="utf-8",
        timeout=120,
    )
    counts = {word: int(number) for number, word in re.findall(r"(\d+) (passed|failed|error)", run.stdout)}
    assert counts.keys() & {"passed", "failed"} == counts.keys() != set(), run.stdout
    return counts.get("passed", 0), counts.get("failed", 0)
