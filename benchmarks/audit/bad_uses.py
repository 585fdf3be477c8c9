"""Tries all bad uses that the tests know, by running these tests."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

from benchmarks.audit.finding import Found, Scale, told

_TESTS = Path(__file__).parents[2] / "tests" / "e2e"
_SMALL = 60
"""At small scope one in so many is tried, drawn by the commit."""
_NOTHING_DRAWN = 5
"""The exit status of pytest if all tests are left out."""

KINDS = {
    "options, experiments, specs, suites": ("test_bad_uses.py",),
    "the command line as processes": ("test_wrong_use.py",),
    "subjects": ("test_bad_subjects.py", "test_bad_sequences.py"),
    "damaged files": ("test_damaged_files.py",),
}
"""Files of tests."""


def audit(scale: Scale, kind: str) -> Found:
    """Run the tests. Findings are tests that fail."""
    told(f"bad uses: {kind}")
    sample = ("--sample", f"end_to_end={_SMALL}") if scale.small else ()
    result = subprocess.run(
        [sys.executable, "-m", "pytest", "-o", "addopts=", "-q", "-rfE", "-p", "no:cacheprovider", *sample,
         *(str(_TESTS / name) for name in KINDS[kind])],
        cwd=_TESTS.parents[1],
        stdin=subprocess.DEVNULL,
        capture_output=True,
        encoding="utf-8",
        check=False,
    )  # fmt: skip
    findings = [line for line in result.stdout.splitlines() if line.startswith(("FAILED", "ERROR"))]
    counts = {
        word: int(number) for number, word in re.findall(r"(\d+) (passed|failed|error|deselected)", result.stdout)
    }
    if not findings and (result.returncode not in (0, _NOTHING_DRAWN) or not counts):
        findings.append(f"the tests could not be run: {result.stdout.strip()[-200:]}{result.stderr.strip()[-200:]}")
    return Found({"bad uses": sum(counts.values()) - counts.get("deselected", 0)}, findings)
