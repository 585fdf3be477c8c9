"""Counterexamples by calls where the method takes objects: each object has its calls, and the program fails alike."""

import subprocess
import sys
from dataclasses import asdict
from pathlib import Path

import pytest
from support.subjects import load_subject
from support.tellers import silent_teller

from harness.checking.process import Checking
from harness.checking.result import CheckRequest
from harness.kernel.program.loader import ModuleText

CHAIN = """
class Link:
    __slots__ = ("value", "next")

    def __init__(self, value):
        self.value = value
        self.next = None


class Chain:
    def __init__(self):
        self.first = None
        self.size = 0
        self.changes = 0

    def push(self, value):
        link = Link(value)
        link.next = self.first
        self.first = link
        self.size += 1
        return link

    def take_from(self, other):
        while other.first is not None:
            link = other.first
            other.first = link.next
            link.next = self.first
            self.first = link
        self.size += min(other.size, 1)
        other.size = 0

    def cut(self, link):
        self.size = 0
        here = self.first
        while here is not None:
            self.size += 1
            if here is link:
                return
            here = here.next

    def hang(self, link):
        self.first = link
"""
SPEC = """
from harness.spec import Finitization, SequenceScope, Structures


def rep_ok(chain):
    size, link = 0, chain.first
    while link is not None:
        size, link = size + 1, link.next
        if size > chain.size:
            return False
    return size == chain.size


def abstraction(chain):
    values, link = [], chain.first
    while link is not None:
        values.append(link.value)
        link = link.next
    return values


def chains(scope, changes=(0,)):
    f = Finitization("Chain")
    links = f.objects("Link", scope)
    f.set("Chain.first", None, links)
    f.set("Chain.size", range(scope + 1))
    f.set("Chain.changes", *changes)
    f.set("Link.value", range(2))
    f.set("Link.next", None, links)
    return f, links


def finitization(scope):
    f, links = chains(scope)
    {target}
    return f


def sequences(scope):
    s = SequenceScope("Chain")
    s.constructor()
    {constructor}
    s.method("push", range(2))
    return s
"""
TAKE = 'f.method("take_from", Structures(chains(2)[0], rep_ok))'


@pytest.fixture(autouse=True)
def few_states(monkeypatch):
    """Let a search that finds nothing end soon."""
    monkeypatch.setattr("harness.checking.sequences.MOST_STATES", 60)


def counterexample(
    folder: Path, target: str, constructor: str = "pass", requires: str = "", spec: str = SPEC
) -> dict[str, object]:
    """Return the counterexample of the only target of a spec."""
    (folder / "impl.py").write_text(CHAIN)
    (folder / "spec.py").write_text(spec.replace("{target}", target).replace("{constructor}", constructor) + requires)
    subject, _ = load_subject(str(folder))
    text = ModuleText(subject.module, subject.source, str(subject.source_path))
    job = CheckRequest(text, subject.spec_source, str(subject.spec_path), 2, str(folder), "black-box")
    (property_result,) = Checking(job, silent_teller()).run()
    example = property_result.counterexample
    assert example is not None
    return asdict(example)


def calls(example: dict[str, object]) -> list[str]:
    """Return the lines of the counterexample's program that make objects by calls."""
    lines = str(example["sequence"]).split("\n")
    calls_in_source = [line for line in lines if "Chain()" in line or ".push(" in line or "Link(" in line]
    assert "__new__" not in str(example["sequence"])
    return calls_in_source


def fails(folder: Path, example: dict[str, object]) -> str:
    """Run the counterexample's program, and return the last line of its error output."""
    (folder / "shown.py").write_text(str(example["sequence"]))
    done = subprocess.run([sys.executable, "shown.py"], capture_output=True, encoding="utf-8", check=False, cwd=folder)
    return done.stderr.strip().split("\n")[-1]


def test_a_whole_structure_as_argument_has_calls_of_its_own(tmp_path):
    example = counterexample(tmp_path, TAKE)
    assert calls(example) == ["chain1 = impl.Chain()", "chain2 = impl.Chain()", "chain2.push(0)", "chain2.push(0)"]
    assert fails(tmp_path, example) == "AssertionError: the post-state does not satisfy rep_ok"


def test_an_object_of_the_state_is_what_a_call_has_returned(tmp_path):
    example = counterexample(tmp_path, 'f.method("cut", links, requires=holds)', requires=HOLDS)
    assert calls(example) == ["chain1 = impl.Chain()", "chain1.push(0)", "link1 = chain1.push(0)"]
    assert "chain1.cut(link1)" in str(example["sequence"])
    assert fails(tmp_path, example) == "AssertionError: the post-state does not satisfy rep_ok"


HOLDS = """
def holds(chain, link):
    here = chain.first if rep_ok(chain) else None
    while here is not None and here is not link:
        here = here.next
    return here is not None
"""
LACKS = HOLDS.replace("def holds", "def lacks").replace(
    "return here is not None", "return rep_ok(chain) and here is None"
)


def test_an_object_apart_from_the_state_is_made_by_a_constructor(tmp_path):
    constructor = 's.constructor(range(2), name="Link")'
    example = counterexample(tmp_path, 'f.method("hang", links, requires=lacks)', constructor, LACKS)
    assert calls(example) == ["chain1 = impl.Chain()", "link1 = impl.Link(0)"]
    assert fails(tmp_path, example) == "AssertionError: the post-state does not satisfy rep_ok"


def test_an_object_apart_from_the_state_is_what_a_call_on_another_one_has_returned(tmp_path):
    example = counterexample(tmp_path, 'f.method("hang", links, requires=lacks)', requires=LACKS)
    assert calls(example) == ["chain1 = impl.Chain()", "chain2 = impl.Chain()", "link1 = chain2.push(0)"]
    assert fails(tmp_path, example) == "AssertionError: the post-state does not satisfy rep_ok"


def test_without_calls_that_make_the_argument_there_is_no_sequence(tmp_path):
    assert counterexample(tmp_path, TAKE.replace("chains(2)", "chains(2, changes=[7])"))["sequence"] is None
