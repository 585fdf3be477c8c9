"""All bad uses that the tests know, as the tests try them."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

from benchmarks.audit.finding import Found, Scale, told

_ROOT = Path(__file__).parents[2]
_FILES = ("test_bad_uses.py", "test_wrong_use.py", "test_bad_subjects.py", "test_damaged_files.py")


def audit(scale: Scale) -> Found:
    """Findings are tests that fail."""
    told("bad uses")
    files = [str(path) for name in _FILES if (path := _ROOT / "tests" / "e2e" / name).exists()]
    files = files[: scale.of(len(files), 1)]
    ended = subprocess.run(
        [sys.executable, "-m", "pytest", "-o", "addopts=", "-q", "-rfE", "-p", "no:cacheprovider", *files],
        cwd=_ROOT,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        encoding="utf-8",
        check=False,
    )
    findings = [line for line in ended.stdout.splitlines() if line.startswith(("FAILED", "ERROR"))]
    counts = {word: int(number) for number, word in re.findall(r"(\d+) (passed|failed|error)", ended.stdout)}
    if not findings and (ended.returncode or not counts):
        findings.append(f"the tests could not be run: {ended.stdout.strip()[-200:]}{ended.stderr.strip()[-200:]}")
    return Found("Bad uses", [f"{sum(counts.values())} bad uses, {len(findings)} findings"], findings)
