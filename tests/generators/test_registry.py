"""Generators by name, built in and plugged in, have imported what they need before code of users runs."""

import ast
import inspect
import subprocess
import sys
from importlib.metadata import EntryPoint

import pytest
from support.own_subject import write_subject

from harness import api
from harness.errors import UsageError
from harness.generators import registry
from harness.generators.policies.korat.generator import Korat
from harness.generators.protocol import GeneratorBase
from harness.generators.registry import find_generator, generator_names, makes_sequences
from harness.kernel.inputs.suites import InputKind


class Mine(GeneratorBase):
    name = "mine"
    version = "3"

    def produce(self, task):
        return iter(())


class Counted(GeneratorBase):
    input_kind = InputKind.SEQUENCES
    version = "1"

    def __init__(self, text="1"):
        self.name = "counted" if text == "1" else f"counted:{text}"

    def with_parameter(self, text):
        return Counted(text)

    def explore(self, task):
        return iter(())


class Lacking:
    name = "lacking"


@pytest.fixture
def plug_ins(monkeypatch):
    names = {
        "mine": "Mine",
        "counted": "Counted",
        "lacking": "Lacking",
        "misnamed": "Mine",
        "broken": "NoSuch",
        "korat": "Mine",
    }
    entries = [EntryPoint(name, f"{__name__}:{value}", registry.ENTRY_POINTS) for name, value in names.items()]
    monkeypatch.setattr("importlib.metadata.entry_points", lambda group: entries)


def test_built_in_generators_are_found_by_their_name():
    assert set(registry.BUILT_IN) <= set(generator_names())
    for name in registry.BUILT_IN:
        assert find_generator(name).name == name


@pytest.mark.usefixtures("plug_ins")
def test_a_plug_in_is_found_and_does_not_replace_a_built_in_one():
    assert generator_names() == [*registry.BUILT_IN, "broken", "counted", "lacking", "mine", "misnamed"]
    assert find_generator("mine").version == "3"
    assert type(find_generator("korat")) is Korat


@pytest.mark.usefixtures("plug_ins")
def test_a_plug_in_has_the_parts_of_the_base_that_it_does_not_define():
    mine, counted = find_generator("mine"), find_generator("counted:7")
    assert not makes_sequences(mine)
    assert makes_sequences(counted)
    assert counted.name == "counted:7"
    assert mine.repeating(5) == mine
    with pytest.raises(UsageError, match="generator 'mine' takes nothing behind a colon; leave out ':7'"):
        find_generator("mine:7")


@pytest.mark.usefixtures("plug_ins")
@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("lacking", "lacks version, input_kind, imports, with_parameter, repeating, produce"),
        ("misnamed", "calls itself 'mine'"),
        ("broken", "cannot be loaded: AttributeError"),
    ],
)
def test_an_unusable_plug_in_is_named(name, message):
    with pytest.raises(UsageError, match=message):
        find_generator(name)


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
