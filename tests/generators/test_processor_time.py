"""Processor seconds of a suite: of the search in all its processes, of compiling, of writing."""

import os
import shutil
import sys
from pathlib import Path
from typing import Any

import pytest
from generator_samples import TREE, generated_suite

from harness.generators.processor_time import COMPILE, SEARCH, WRITE
from harness.generators.states.engine import Workshop
from harness.generators.states.native import build
from harness.generators.states.translated.search import Pace
from harness.generators.states.translated.sources import keep_source

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
