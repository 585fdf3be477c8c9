"""What sequences cannot be made of is told in one line, with exit status 2 or 1 and without a traceback."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

IMPL = """
import itertools, random, time
class Box:
    def __init__(self, start=0):
        {init}
    def put(self, value):
        {put}
class Abstract:
    def __init__(self):
        raise OSError("no disk")
"""
SPEC = """
from harness.spec import SequenceScope
def sequences(scope):
    s = SequenceScope("{root}")
    s.method("{method}", range(scope))
    s.attempts(2000)
    return s
"""
CASES = {
    "a routine that does not exist": ("self.held = 0", "pass", "Box", "push", "no such"),
    "a class that does not exist": ("self.held = 0", "pass", "Bag", "put", "'Bag'"),
    "a class that cannot be constructed": ("self.held = 0", "pass", "Abstract", "put", "OSError"),
    "a counter": ("self.held = 0", "self.held += 1", "Box", "put", "held"),
    "random state": ("self.held = 0", "self.held = random.random()", "Box", "put", "chance"),
    "time in the state": ("self.held = 0", "self.held = time.perf_counter()", "Box", "put", "chance"),
    "an endless call": ("self.held = 0", "while True: pass", "Box", "put", "did not return within 1 s"),
    "a failing call": ("self.held = 0", "self.gone", "Box", "put", "AttributeError"),
    "an unhashable member": ("self.held = set()", "self.held.add([value])", "Box", "put", "TypeError"),
    "a generator in the state": ("self.held = None", "self.held = (i for i in range(value))", "Box", "put", "held"),
    "a file in the state": ("self.held = None", "self.held = open('/dev/null')", "Box", "put", "held"),
}


@pytest.mark.parametrize("name", CASES)
def test_it_is_told_in_one_line(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    init, put, root, method, expected = CASES[name]
    (tmp_path / "impl.py").write_text(IMPL.format(init=init, put=put))
    (tmp_path / "spec.py").write_text(SPEC.format(root=root, method=method))
    monkeypatch.setenv("MUTASCOPE_CANDIDATE_SECONDS", "1")
    monkeypatch.setenv("MUTASCOPE_CACHE", str(tmp_path / "cache"))
    command = [sys.executable, "-m", "harness.cli", "generate", str(tmp_path), "--generator", "beapi", "--scope", "2"]
    done = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)
    lines = [line for line in done.stderr.splitlines() if line.startswith("mutascope: ")]
    assert done.returncode in (1, 2), done.stdout + done.stderr
    assert len(lines) == 1, done.stderr
    assert "Traceback" not in done.stderr
    assert expected in lines[0], lines[0]
    assert not list((tmp_path / "cache").rglob("states.bin"))
