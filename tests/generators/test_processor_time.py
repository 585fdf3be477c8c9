"""Processor seconds of a suite: of the search in all its processes, of compiling, of writing."""

from __future__ import annotations

import subprocess
import sys
import time
from collections import Counter
from pathlib import Path

import pytest
from generator_samples import TREE, module, shared_objects

from harness.generators import processor_time
from harness.generators.generate import generate
from harness.generators.policies.korat.generator import Korat
from harness.generators.processor_time import ProcessorTime
from harness.generators.states import engine
from harness.generators.states.engine import Workshop
from harness.generators.states.packing import Packer
from harness.generators.states.translated import crew
from harness.generators.states.translated.search import CompiledSearch, RunningSearch
from harness.generators.states.translated.sources import keep_source
from harness.kernel.inputs.suites import SuiteHeader
from harness.kernel.specs.spec import load_spec

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
SPIN = "import time\nwhile time.process_time() < 0.2: pass"


def made(folder: Path, jobs: int) -> SuiteHeader:
    keep_source("graded.py", SPEC)
    return generate(
        Korat(),
        load_spec(SPEC, "graded.py"),
        module(CODE),
        source=CODE,
        subject="tree",
        subject_hash="0",
        scope=1,
        seed=0,
        folder=folder,
        workshop=Workshop(shared_objects(), lambda text: None, jobs),
    )


@pytest.fixture(autouse=True)
def _soon_compiled(monkeypatch):
    monkeypatch.setitem(engine.Search.__init__.__kwdefaults__, "beginning", 10)


def test_what_a_child_spent_counts_when_it_has_ended():
    spent = ProcessorTime()
    with spent:
        subprocess.run([sys.executable, "-c", SPIN], check=True)
    assert spent.seconds >= 0.2


@pytest.mark.sweep
def test_each_second_counts_for_what_it_is_spent_on(tmp_path, monkeypatch):
    clock = Counter()
    monkeypatch.setattr(processor_time, "_spent", lambda: clock.total())

    def costing(owner, name, what):
        plain = getattr(owner, name)

        def counted(*arguments, **named):
            clock[what] += 1
            return plain(*arguments, **named)

        monkeypatch.setattr(owner, name, counted)

    costing(RunningSearch, "_step", "search")
    costing(CompiledSearch, "__init__", "compile")
    costing(Packer, "write", "write")
    header = made(tmp_path / "suite", jobs=1)
    assert header.engines == ["compiled"]
    assert header.cpu_seconds == dict(clock)
    assert min(clock.values()) > 0


@pytest.mark.sweep
def test_the_search_counts_in_all_its_processes(tmp_path, monkeypatch):
    searched = crew._searched

    def slowly(*arguments):
        until = time.process_time() + 0.2
        while time.process_time() < until:
            pass
        return searched(*arguments)

    monkeypatch.setattr(crew, "_searched", slowly)
    monkeypatch.setattr(engine, "ALONE", 0)
    monkeypatch.setattr(crew, "PIECES", 1)
    header = made(tmp_path / "suite", jobs=2)
    assert header.cpu_seconds["search"] >= 0.2
