"""Exported suites pass on the original, fail on a mutant, and hold every input once."""

import os
import runpy
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from support.exported_suites import outcome
from support.own_subject import write_subject
from support.subjects import load_subject

from harness import resources
from harness.errors import BaselineError, UsageError
from harness.kernel.inputs.suites import SuiteReader
from harness.model.experiment import Trial
from harness.report.exported.pytest_suite import MOST_INPUTS, export_pytest
from harness.runner.suites import ensure_suite

ROOT = Path(__file__).parents[3]

LINKED = """
class Node:
    __slots__ = ("next", "item")

    def __init__(self, item):
        self.next = None
        self.item = item

class Ring:
    class Mark:
        pass

    def __init__(self, items):
        self.first = None
        self.both = [items, items]

    def spin(self, node, item):
        if node is None:
            return [self.first, Ring.Mark()]
        node.item = item
        self.first = node.next
        return {"items": (item, 1.5, True), "first": self.first}
"""
LINKED_SPEC = """
from harness.spec import Finitization

def rep_ok(ring):
    seen, node = set(), ring.first
    while node is not None and node not in seen:
        seen.add(node)
        node = node.next
    return len(ring.both[0]) == 1

def finitization(scope):
    f = Finitization("Ring")
    nodes = f.objects("Node", scope)
    items = f.tokens("Item", 2)
    pair = f.lists(1, lengths=[1], elements=items)
    f.set("Ring.first", None, nodes)
    f.set("Ring.both", f.lists(1, lengths=[2], elements=pair))
    f.set("Node.next", None, nodes)
    f.set("Node.item", items)
    f.method("spin", (None, nodes), items)
    return f
"""

CALLER = """
import textwrap

from indents import INDENTS

class Lines:
    def indented(self, by):
        self.done = textwrap.indent("a line", INDENTS[by])
        return self.done
"""
CALLER_SPEC = """
from harness.spec import Finitization

implementation = "textwrap"
driver = "caller.py"
helpers = ["indent"]

def rep_ok(lines):
    return lines.done is None or lines.done.strip() == "a line"

def finitization(scope):
    f = Finitization("Lines")
    f.set("Lines.done", None, "a line")
    f.method("indented", range(scope + 1))
    return f
"""


LAMP = """
from enum import Enum

class Colour(Enum):
    RED = 1
    GREEN = 2
    AMBER = 3

class Lamp:
    def __init__(self, colour=Colour.RED):
        self.colour = colour
        self.tags = frozenset()
    def tag(self, names):
        self.tags = frozenset(names)
        return self.tags
    def paint(self, colour):
        if colour is Colour.AMBER and not self.tags:
            raise ValueError(colour)
        self.colour = colour
        return colour
"""
LAMP_SPEC = """
from harness.spec import Finitization

def rep_ok(lamp):
    return lamp.colour.value >= 1 and len(lamp.tags) <= 2

def amber(module):
    return module.Colour.AMBER

def finitization(scope):
    f = Finitization("Lamp")
    f.set("Lamp.colour", f.members("Colour", "RED", "GREEN"), f.fixed(amber))
    f.set("Lamp.tags", frozenset(), frozenset({"a"}), frozenset({"b"}), frozenset({"a", "b"}))
    f.method("tag", f.sets(1, members="ab"))
    f.method("paint", (f.members("Colour", "RED", "GREEN"), f.fixed(amber)))
    return f
"""

CHAIN = """
from copy import copy

class Node:
    def __init__(self):
        self.next = None

    def __repr__(self):
        return f"Node({self.next!r})"

class Chain:
    def push(self, node):
        setattr(node, "class", 0)
        self.first = node
        return node
"""
CHAIN_SPEC = """
from harness.spec import Finitization

def rep_ok(chain):
    return True

def finitization(scope):
    f = Finitization("Chain")
    nodes = f.objects("Node", 1)
    f.set("Chain.first", None)
    f.set("Node.next", None)
    f.method("push", nodes)
    return f
"""
NODE, RING = "Node(next=None, **{'class': 0})", 'Named("a", Node(next=Same("a"), **{\'class\': 0}))'
UNLIKE = "self.first = copy(node); self.first.next = self.first"


pytestmark = pytest.mark.usefixtures("cache_of_these_tests")


def export(subject: str, scope: int, path: Path) -> SuiteReader:
    loaded, _ = load_subject(subject)
    suite = ensure_suite(loaded, Trial(subject, "korat", scope))
    assert export_pytest(loaded, suite, path) == path
    return suite


@pytest.mark.slow
@pytest.mark.parametrize(("generator", "inputs"), [("korat", 12 * (4 + 3)), ("beapi", 1 + 12 * (4 + 3))])
def test_members_of_enumerations_and_frozensets_are_written_by_name(tmp_path, generator, inputs):
    subject = write_subject(tmp_path / "lamp", LAMP, LAMP_SPEC)
    loaded, _ = load_subject(subject)
    suite = ensure_suite(loaded, Trial(subject, generator, 1))
    file = export_pytest(loaded, suite, tmp_path / "test_lamp.py")
    assert (len(suite), outcome(file)) == (inputs, (inputs, 0))
    assert {"korat": "Lamp(colour=impl.Colour.GREEN, ", "beapi": "lamp.paint(impl.Colour.GREEN)"}[
        generator
    ] in file.read_text()


@pytest.mark.slow
@pytest.mark.parametrize(
    ("subject", "original", "replacement"),
    [
        ("search_tree", "parent.left = node", "parent.right = node"),
        ("binomial_heap", "other.nodes = None", "other.nodes = other.nodes"),
        ("heap_array", "raise IndexError", "raise KeyError"),
    ],
)
def test_all_cases_pass_on_the_original_and_some_fail_on_a_mutant(tmp_path, subject, original, replacement):
    folder = tmp_path / subject
    shutil.copytree(resources.subject_folder(subject), folder)
    file = tmp_path / "test_mutant.py"
    suite = export(str(folder), 2, file)
    assert outcome(file) == (len(suite), 0)
    source = (folder / "impl.py").read_text()
    assert original in source
    (folder / "impl.py").write_text(source.replace(original, replacement))
    passed, failed = outcome(file)
    assert failed > 0
    assert passed + failed == len(suite)


@pytest.mark.parametrize(
    ("abstraction", "mutated", "message"),
    [
        ("", "self.first = node.next = node", f"the outcome is {RING}, not {NODE}"),
        ("", "return print", f"the outcome is <builtin_function_or_method>, not {NODE}"),
        ("", "return 10**5000", f"the outcome is <int>, not {NODE}"),
        ("", UNLIKE, f"the post-state is Chain(first={RING}), not Chain(first={NODE})"),
        ("def abstraction(chain): return [chain.first]", UNLIKE, f"the post-state is [{RING}], not [{NODE}]"),
        (
            "",
            "self.first = copy(node); node.next = node; return self.first",
            f"an argument afterwards is {RING}, not {NODE}",
        ),
    ],
)
def test_a_message_shows_both_sides_past_the_programs_repr(tmp_path, abstraction, mutated, message):
    subject = write_subject(tmp_path / "chain", CHAIN, CHAIN_SPEC + abstraction)
    export(subject, 1, tmp_path / "test_chain.py")
    (tmp_path / "chain" / "impl.py").write_text(CHAIN.replace("self.first = node", mutated))
    found = runpy.run_path(str(tmp_path / "test_chain.py"))
    (case,) = found["push_cases"]
    with pytest.raises(AssertionError) as failure:
        found["test_push"](case)
    assert str(failure.value) == message


@pytest.mark.slow
def test_shared_objects_cycles_tokens_and_structures_without_abstraction_are_rebuilt(tmp_path):
    subject = write_subject(tmp_path / "ring", LINKED, LINKED_SPEC)
    file = tmp_path / "test_ring.py"
    suite = export(subject, 1, file)
    text = file.read_text()
    for written in ('Same("a")', 'Token("Item", 0)', "Ring_Mark()"):
        assert written in text
    assert outcome(file) == (len(suite), 0)
    # Another type of an equal value; then other sharing of equal contents.
    unshared = "self.both[1] = self.both[1][:]; node.item ="
    for original, replacement in [("1.5, True", "1.5, 1"), ("node.item =", unshared)]:
        assert original in LINKED
        (tmp_path / "ring" / "impl.py").write_text(LINKED.replace(original, replacement))
        assert outcome(file)[1] > 0, replacement


@pytest.mark.slow
def test_a_driver_is_loaded_in_the_place_of_the_installed_module_that_it_calls(tmp_path):
    folder = tmp_path / "called"
    subject = write_subject(folder, CALLER, CALLER_SPEC)
    (folder / "impl.py").rename(folder / "caller.py")
    (folder / "indents.py").write_text('INDENTS = ("", "  ")')
    file = tmp_path / "test_called.py"
    assert len(export(subject, 1, file)) == 4
    (folder / "indents.py").write_text('INDENTS = ("", " ")')
    assert outcome(file) == (2, 2)


@pytest.mark.slow
def test_the_file_tells_the_name_of_a_grouped_subject_with_its_group(tmp_path):
    export("real/fraction", 1, tmp_path / "test_fraction.py")
    assert "\nmutascope suite real/fraction --generator korat" in (tmp_path / "test_fraction.py").read_text()


@pytest.mark.slow
def test_the_interpreters_own_heapq_stays_in_place(tmp_path):
    file = tmp_path / "test_heapq.py"
    suite = export("heapq", 2, file)
    assert outcome(file) == (len(suite), 0)
    code = f"import heapq, runpy; found = runpy.run_path({str(file)!r}); import heapq as after\n"
    code += "assert after is heapq and found['impl'] is not heapq\n"
    code += "assert hasattr(found['impl'].heappush, '__code__') and not hasattr(heapq.heappush, '__code__')"
    subprocess.run([sys.executable, "-c", code], env={**os.environ, "PYTHONPATH": str(ROOT)}, check=True, timeout=60)


@pytest.mark.slow
def test_the_same_suite_gives_the_same_bytes_and_a_neighbour_is_found_by_relative_path(tmp_path):
    folder = tmp_path / "search_tree"
    shutil.copytree(resources.subject_folder("search_tree"), folder)
    export(str(folder), 2, tmp_path / "tests" / "test_a.py")
    export(str(folder), 2, tmp_path / "tests" / "test_b.py")
    text = (tmp_path / "tests" / "test_a.py").read_text()
    assert text == (tmp_path / "tests" / "test_b.py").read_text()
    assert 'Path(__file__).parent / "../search_tree/impl.py"' in text


def test_a_suite_too_large_to_be_read_as_a_file_is_refused(tmp_path, monkeypatch):
    loaded, _ = load_subject("search_tree")
    suite = ensure_suite(loaded, Trial("search_tree", "korat", 2))
    suite.header.inputs = MOST_INPUTS + 1
    with pytest.raises(UsageError, match=r"50,001 inputs cannot be exported .* choose a lower scope"):
        export_pytest(loaded, suite, tmp_path / "test_large.py")
    assert list(tmp_path.iterdir()) == []


def test_a_value_without_literal_form_is_refused_with_its_input(tmp_path):
    source = LINKED.replace("return {", "return (lambda: 0) or {")
    subject = write_subject(tmp_path / "ring", source, LINKED_SPEC)
    with pytest.raises(UsageError, match=r"input \d+, Ring.*: a function cannot be written into a test file"):
        export(subject, 1, tmp_path / "test_ring.py")


@pytest.mark.parametrize(
    ("broken", "message"),
    [("import os; os._exit(3)", "ended with exit status 3"), ("self.both = [[], []]", "does not satisfy rep_ok")],
)
def test_an_original_that_fails_its_own_inputs_is_reported(tmp_path, broken, message):
    subject = write_subject(tmp_path / "ring", LINKED.replace("node.item = item", broken), LINKED_SPEC)
    with pytest.raises(BaselineError, match=message):
        export(subject, 1, tmp_path / "test_ring.py")
