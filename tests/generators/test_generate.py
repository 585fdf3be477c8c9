"""Suites as they are written: headers, digests, and what is refused."""

import errno
import json
import os
from pathlib import Path

import pytest
from generator_samples import TREE as FIELDS_ONLY
from generator_samples import generated_suite, module

from harness.codec.codec import codec_of
from harness.errors import SpecError, StoreError, UsageError
from harness.generators.policies.korat.generator import Korat
from harness.generators.policies.sat_exhaustive import SatExhaustive
from harness.generators.process import errors_for_users, main
from harness.generators.protocol import ProductionBase
from harness.generators.requests import SuiteRequest
from harness.kernel.inputs.state_space import Decoder, StateSpace
from harness.kernel.inputs.suites import SuiteHeader, SuiteReader
from harness.kernel.specs.spec import Spec, load_spec
from harness.model.subject import Subject
from harness.runner.subjects import load_subject

TREE = FIELDS_ONLY.replace(
    "\nclass Node", "\n    def add(self, info): ...\n    def add_all(self, other): ...\n\nclass Node"
)

SPEC = """
from harness.spec import Finitization, Structures

def rep_ok(tree):
    return count(tree.root, set()) == tree.size

def count(node, seen):
    if node is None:
        return 0
    if node in seen:
        return -99
    seen.add(node)
    return 1 + count(node.left, seen) + count(node.right, seen)

def trees(nodes, scope):
    f = Finitization("SearchTree")
    available = f.objects("Node", nodes)
    f.set("SearchTree.root", None, available)
    f.set("SearchTree.size", range(nodes + 1))
    f.set("Node.left", None, available)
    f.set("Node.right", None, available)
    f.set("Node.info", range(scope))
    return f

def finitization(scope):
    f = trees(scope, scope)
    f.method("add", range(scope))
    f.method("add_all", Structures(trees(1, scope), rep_ok))
    return f
"""

UNSIZED = """
    unsized = Finitization("SearchTree")
    unsized.set("SearchTree.root", None)
    f.method("add_all", Structures(unsized"""


def generated_header(folder: Path, spec_text: str = SPEC, scope: int = 2, generator=None, **options) -> SuiteHeader:
    return generated_suite(folder, spec_text, TREE, generator, scope=scope, **options)


def spec() -> Spec:
    return load_spec(SPEC, "spec.py")


def test_a_suite_holds_every_input_with_valid_states(tmp_path):
    header = generated_header(tmp_path / "suite")
    reader = SuiteReader(tmp_path / "suite")
    space = StateSpace(spec().finitization(2))
    decoder = Decoder(space, module(TREE))
    assert all(spec().rep_ok(decoder.decode(vector).root) for vector in reader.vectors())
    # 1 empty tree, 2 of one node, 2 shapes * 4 values of two; keys 0..1; the other trees have at most one node.
    assert (header.states, header.inputs) == (11, 11 * 2 + 11 * 3)
    assert header.inputs_by_target == {"add": 22, "add_all": 33}
    assert [len(vectors) for vectors in header.structures.values()] == [3]
    assert len({reader.input(number) for number in range(len(reader))}) == header.inputs


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("== tree.size", "== 99", "found no valid state at scope 2: rep_ok accepted none of "),
        ('    f.set("Node.right", None, available)\n', "", "field 'right', which has no field domain"),
        ('    f.method("add_all", Structures(trees(1, scope)', UNSIZED, "field 'size', which has no field domain"),
        ("trees(1, scope)", "trees(0, scope).of_list(lengths=[0], elements=[1])", "rep_ok raised AttributeError"),
    ],
)
def test_what_cannot_be_generated_is_an_error_and_leaves_nothing(tmp_path, old, new, message):
    text = SPEC.replace(old, new, 1)
    assert text != SPEC
    with pytest.raises(SpecError, match=message):
        generated_header(tmp_path / "suite", text)
    assert list(tmp_path.iterdir()) == []


def test_a_run_that_derives_from_no_base_is_refused(tmp_path):
    class Bare(Korat):
        def produce(self, task):
            return iter(super().produce(task))

    with pytest.raises(UsageError, match="'korat': its run lacks explored, current, headway, facts; derive its class"):
        generated_header(tmp_path / "suite", generator=Bare())


def test_a_run_may_tell_its_progress_only_once_it_has_begun(tmp_path):
    class Begun(ProductionBase):
        explored = property(lambda self: self.count)
        current = property(lambda self: self.last)
        structures = property(lambda self: self.search.structures)

        def __init__(self, search):
            self.search = search

        def __iter__(self):
            self.count = 0
            for vector, calls in self.search:
                self.count, self.last = self.count + 1, str(vector)
                yield vector, calls

    class Late(Korat):
        def produce(self, task):
            return Begun(super().produce(task))

    assert generated_header(tmp_path / "suite", generator=Late()).inputs == generated_header(tmp_path / "all").inputs


@pytest.mark.parametrize("swallow", ["", "try:\n            pass\n        except Exception:\n            "])
def test_a_rep_ok_that_never_returns_is_ended_by_its_processor_time_and_named(tmp_path, swallow):
    endless = f"def rep_ok(tree):\n    while tree.root:\n        {swallow}pass\n\n"
    text = SPEC.replace("def count(", f"{endless}def count(", 1)
    with pytest.raises(SpecError) as caught:
        generated_header(tmp_path / "suite", text, candidate_seconds=0.3)
    assert str(caught.value) == (
        "rep_ok did not return on candidate SearchTree(root=Node(left=?, right=?, info=?), size=?) "
        "within 0.3 s of processor time; make it end (a loop along a cycle of objects?)"
    )
    assert list(tmp_path.iterdir()) == []


def test_a_finitization_that_never_returns_is_named(tmp_path):
    text = SPEC.replace("def finitization(scope):", "def finitization(scope):\n    while True: pass")
    with pytest.raises(SpecError, match=r"^finitization\(2\) did not return within 0.2 s"):
        generated_header(tmp_path / "suite", text, candidate_seconds=0.2)


@pytest.mark.slow
def test_an_invariant_that_never_returns_is_named_with_its_line(tmp_path):
    pytest.importorskip("pysat")
    endless = "\ndef turning():\n    while True: pass\n\ndef invariant(tree, heap):\n    turning()\n"
    line = (SPEC + endless).splitlines().index("    while True: pass") + 1
    with pytest.raises(SpecError, match=rf"^invariant, in line {line}, did not return within 0.5 s of processor time"):
        generated_header(tmp_path / "suite", SPEC + endless, candidate_seconds=0.5, generator=SatExhaustive())


def test_many_fast_candidates_are_not_an_endless_one(tmp_path):
    text = SPEC.replace("return count(", "time.sleep(0.006)\n    return count(").replace("from", "import time\nfrom", 1)
    reports = []
    header = generated_header(
        tmp_path / "suite", text, candidate_seconds=0.25, progress=lambda *counts: reports.append(counts)
    )
    assert header.explored * 0.006 > 0.5
    written = [report[1:] for report in reports]  # executions are counted anew behind the search of structures
    assert written == sorted(written)
    assert 0 < reports[-1][0] <= header.explored


# -- as a child process ----------------------------------------------------------------------------


def test_progress_is_reported_while_a_long_search_goes_on(tmp_path):
    slow = SPEC.replace("return count(", "time.sleep(0.006)\n    return count(").replace("from", "import time\nfrom", 1)
    subject = Subject("tree", "Tree", "impl", Path("impl.py"), TREE, Path("spec.py"), slow)
    written = codec_of(SuiteRequest).to_data(SuiteRequest.by("korat", subject, 2, 0, tmp_path / "suite"))
    (tmp_path / "request.json").write_text(json.dumps({"SuiteRequest": written}))
    with (tmp_path / "status").open("wb") as status:
        assert main([str(tmp_path / "request.json"), "", str(os.dup(status.fileno()))]) == 0
    lines = [json.loads(line) for line in (tmp_path / "status").read_text().splitlines()]
    assert lines.pop()["kind"] == "AnswerFact"
    assert [line["stage"] for line in lines if line["kind"] == "WorkBegins"] == [
        "loading the generator korat",
        "loading impl.py",
        "loading spec.py",
        "executing finitization(2) of spec.py",
        "executing rep_ok of spec.py",
        "executing rep_ok of spec.py with the reference engine",
        "executing rep_ok of spec.py with the reference engine",
    ]
    reported = [line["data"] for line in lines if line["kind"] != "WorkBegins"]
    assert reported
    assert all(set(progress) == {"kind", "explored", "states", "inputs"} for progress in reported)


def end(folder, number: int) -> None:
    """End the making of a suite below the folder by an OSError of that number."""
    job = SuiteRequest.by("sat-exhaustive", load_subject("field_search_tree"), 3, 0, folder / "own/made/suite")
    with errors_for_users(job):
        raise OSError(number, os.strerror(number))


def test_a_disk_that_is_full_while_a_suite_is_made_is_told_as_such(tmp_path):
    with pytest.raises(StoreError) as error:
        end(tmp_path, errno.ENOSPC)
    assert str(error.value) == (
        f"{tmp_path}: no room for the suite of sat-exhaustive at scope 3 (No space left on device); make room, or set "
        "MUTASCOPE_CACHE to a folder with more"
    )


def test_other_failures_of_the_system_are_not_told_as_a_full_disk(tmp_path):
    with pytest.raises(OSError, match="Input/output error"):
        end(tmp_path, errno.EIO)
