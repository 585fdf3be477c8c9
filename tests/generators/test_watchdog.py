"""The watchdog's signal, and processor seconds of a suite: of searching, compiling and writing."""

import os
import shutil
import signal
import sys
import time
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from generator_samples import TREE, generated_suite

from harness.generators.processor_time import COMPILE, SEARCH, WRITE
from harness.generators.states.engine import Workshop
from harness.generators.states.native import build
from harness.generators.states.translated.search import Pace
from harness.generators.states.translated.sources import keep_source
from harness.generators.watchdog import EndlessCandidate, Watchdog
from harness.kernel.process import limits


def busy(seconds: float) -> int:
    """Spins for so many seconds of processor time, and counts how often it was told that it never ends."""
    calls = 0
    end = time.process_time() + seconds
    while time.process_time() < end:
        try:
            while time.process_time() < end:
                pass
        except EndlessCandidate:
            calls += 1
    return calls


@pytest.mark.slow
def test_code_that_makes_no_headway_is_told():
    with Watchdog(lambda: 0, 0.3, __file__):
        assert busy(1.2) >= 1


def test_it_is_told_once_per_limit(monkeypatch):
    now = [0.0]
    monkeypatch.setattr(limits.time, "process_time", lambda: now[0])
    dog, seconds = Watchdog(lambda: 0, 3, __file__), []
    for second in range(12):
        now[0] = second
        try:
            dog.ring(signal.SIGALRM, sys._getframe())
        except EndlessCandidate:
            seconds.append(second)
    assert seconds == [3, 6, 9]


@pytest.mark.slow
def test_headway_and_innocent_files_are_left_alone():
    with Watchdog(time.monotonic, 0.3, __file__):
        assert busy(0.7) == 0
    with Watchdog(lambda: 0, 0.3, "spec.py"):
        assert busy(0.7) == 0


def test_the_former_handler_comes_back():
    before = signal.getsignal(signal.SIGALRM)
    with Watchdog(lambda: 0, 1, None):
        assert signal.getsignal(signal.SIGALRM) != before
    assert signal.getsignal(signal.SIGALRM) == before
    assert signal.getitimer(signal.ITIMER_REAL) == (0, 0)


def test_code_that_gets_little_of_the_processor_is_not_told(monkeypatch):
    now = [0.0]
    monkeypatch.setattr(limits.time, "monotonic", lambda: now[0])
    monkeypatch.setattr(limits.time, "process_time", lambda: now[0] / 90)
    monkeypatch.setattr(limits.resource, "getrusage", lambda whose: SimpleNamespace(ru_nvcsw=3))
    dog = Watchdog(lambda: 0, 3, __file__)
    for second in range(0, 270, 9):
        now[0] = second
        dog.ring(signal.SIGALRM, sys._getframe())
    now[0] = 270.1
    with pytest.raises(EndlessCandidate, match=r"^3 s of processor time$"):
        dog.ring(signal.SIGALRM, sys._getframe())


SPEC = """
from harness.spec import Finitization

def rep_ok(tree):
    return tree.root is None or tree.root.info >= tree.size

def finitization(scope):
    f = Finitization("SearchTree")
    nodes = f.objects("Node", 2)
    f.set("SearchTree.root", None, nodes)
    f.set("SearchTree.size", range(10))
    f.set("Node.left", None, nodes)
    f.set("Node.right", None, nodes)
    f.set("Node.info", range(10))
    f.method("add", range(1))
    return f
"""
CODE = TREE.replace("\nclass Node", "\n    def add(self, info): ...\n\nclass Node")
SPIN = "import time\nwhile time.process_time() < 0.3: pass"
ARGUMENTS = "range(1)"


def seconds_of(folder: Path, spec: str = SPEC, **options: Any) -> dict[str, float]:
    """Make a suite, and return what its processor time was spent on."""
    keep_source("spec.py", spec)
    pace = Pace(beginning=10)
    workshop = Workshop(folder, pytest.fail, pace=pace, **options)
    return generated_suite(folder / "suite", spec, CODE, workshop=workshop).cpu_seconds


@pytest.mark.slow
@pytest.mark.skipif(shutil.which("cc") is None, reason="no compiler to be slowed down")
def test_what_the_compiler_spends_is_spent_on_compiling(tmp_path, monkeypatch):
    slow = tmp_path / "cc"
    slow.write_text(f"#!/bin/sh\n{sys.executable} -c '{SPIN}'\nexec {shutil.which('cc')} \"$@\"\n")
    slow.chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}{os.pathsep}{os.environ['PATH']}")
    build.compiler.cache_clear()
    spent = seconds_of(tmp_path)
    build.compiler.cache_clear()
    assert spent[COMPILE] >= 0.3 > spent[SEARCH] > 0


@pytest.mark.slow
def test_many_inputs_are_spent_on_writing(tmp_path):
    spent = seconds_of(tmp_path, SPEC.replace(ARGUMENTS, "range(3000)"))
    assert spent[WRITE] > spent[SEARCH]
