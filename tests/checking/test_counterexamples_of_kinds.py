"""Counterexamples with containers, contents, locks and no pre-state are programs that end with the failure."""

import subprocess
import sys
from pathlib import Path

import pytest
from support.random_classes import PREAMBLE

from harness import api
from harness.errors import SpecError

IMPLEMENTATION = (
    PREAMBLE + "\n\nclass Box(list):\n    def put(self, item, *, twice=False):\n"
    "        with self.lock:\n            self.seen.add(item)\n            self.nodes[item] = Node(item, None)\n"
    "            self.last.append(item)\n            self.append(item)\n            return twice\n\n"
    "    def take(self, others):\n        others.clear()\n\n\ndef double(number, *, by=2):\n    return number * by\n"
)
SPEC = """
import threading
from harness.spec import Finitization

def rep_ok(b):
    return all(node.value < 2 for node in b.nodes.values())

def abstraction(b):
    return sorted(b.seen), list(b.last), list(b), b.at

def finitization(scope):
    f = Finitization("Box")
    nodes = f.objects("Node", 1)
    f.set("Node.value", range(2))
    f.set("Node.next", None)
    f.contents("Box", lengths=[1], elements=[7])
    f.set("Box.seen", f.sets(1, members=range(2)))
    f.set("Box.nodes", f.dicts(1, keys=["k"], values=nodes))
    f.set("Box.last", f.deques(1, lengths=range(2), elements=[5], maxlen=4))
    f.set("Box.pair", f.objects("Pair", 1))
    f.set("Pair.left", 3)
    f.set("Pair.right", 4)
    f.set("Box.at", [(1, "a")])
    f.set("Box.lock", f.opaque(threading.Lock))
    f.method("put", range(2), twice=[False, True])
    f.method("take", f.fixed([1, 2]))
    return f

def post_put(before, after, result, item, twice):
    return not (twice and before[0] == [0, 1] and before[1] == [5])

def post_take(before, after, result, others, *, arguments_after):
    return others == arguments_after[0]
"""
STATELESS = """
from harness.spec import Finitization, axiom

def finitization(scope):
    f = Finitization()
    f.function("double", range(scope), by=range(2, 4))
    return f

def post_double(result, number, by):
    return result < 6

@axiom("double")
def doubles_are_even(number, by, *, program):
    return program.double(number, by=by) % 2 == 0
"""


def check(folder: Path, spec: str, implementation: str = IMPLEMENTATION) -> dict[str, str]:
    """By property, what is left of the program that shows its failure, once it is executed: its last word."""
    (folder / "impl.py").write_text(implementation)
    (folder / "spec.py").write_text(spec)
    ends = {}
    for violated in api.check(str(folder), scope=3).violated:
        (folder / "shown.py").write_text(violated.counterexample.source)
        done = subprocess.run(
            [sys.executable, "shown.py"], capture_output=True, encoding="utf-8", check=False, cwd=folder
        )
        ends[violated.name] = done.stderr.strip().split("\n")[-1]
    return ends


def test_a_counterexample_makes_every_kind_of_state(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    fails = "AssertionError: the postcondition does not hold"
    assert check(tmp_path, SPEC) == {"put": fails, "take": fails}


def test_without_a_pre_state_contracts_are_of_arguments_alone(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert check(tmp_path, STATELESS) == {
        "double": "AssertionError: the postcondition does not hold",
        "doubles_are_even": "AssertionError: the axiom does not hold",
    }


def test_a_state_that_cannot_be_copied_wants_an_abstraction(tmp_path):
    (tmp_path / "impl.py").write_text(IMPLEMENTATION)
    (tmp_path / "spec.py").write_text(SPEC.replace("def abstraction", "def unused"))
    with pytest.raises(SpecError, match=r"a Box cannot be copied .* define abstraction"):
        api.check(str(tmp_path), scope=1)
