"""A generator has imported what it needs before code of users runs, which may change the standard library."""

import ast
import inspect
import subprocess
import sys

import pytest
from support.own_subject import write_subject

from harness import api
from harness.generators.registry import find_generator

SOURCE = """
import itertools

del itertools.product

class Counter:
    def __init__(self):
        self.value = 0

    def up(self, by):
        self.value = min(self.value + by, 3)
"""
SPEC = """
from harness.spec import Finitization, SequenceScope

def rep_ok(counter):
    return counter.value >= 0

def finitization(scope):
    f = Finitization("Counter")
    f.set("Counter.value", range(4))
    f.method("up", range(4))
    return f

def sequences(scope):
    s = SequenceScope("Counter")
    s.constructor()
    s.method("up", range(4))
    return s
"""


@pytest.mark.parametrize("generator", ["korat", "beapi", "rostra"])
def test_a_program_may_take_apart_what_a_generator_imports(generator, tmp_path, monkeypatch):
    monkeypatch.setenv("MUTASCOPE_CACHE", str(tmp_path / "cache"))
    assert len(api.generate(write_subject(tmp_path / "counter", SOURCE, SPEC), generator, 1)) > 0


@pytest.mark.parametrize("name", ["korat", "korat-outcome", "beapi", "rostra", "symstra", "css"])
def test_what_a_generator_imports_late_is_imported_for_a_run_beforehand(name):
    generator = find_generator(name)
    source = inspect.getsource(sys.modules[type(generator).__module__])
    functions = [node for node in ast.walk(ast.parse(source)) if isinstance(node, ast.FunctionDef)]
    late = {inner.module for node in functions for inner in ast.walk(node) if isinstance(inner, ast.ImportFrom)}
    code = f"import sys; from importlib import import_module; [*map(import_module, {generator.imports})]"
    process = subprocess.run(
        [sys.executable, "-c", f"{code}; print(*sys.modules)"], capture_output=True, encoding="utf-8", check=True
    )
    assert late
    assert late <= {*process.stdout.split()}
