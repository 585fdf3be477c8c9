"""Seeded faults are found in each mode, with the smallest counterexample as a program that reproduces the failure."""

import json
import shutil
from dataclasses import asdict

import pytest
from fault_samples import FAULTS, plant, run_program
from support.subjects import NOT_NESTED, load_subject
from support.tellers import silent_teller

from harness import resources
from harness.checking.process import Checking
from harness.checking.result import CheckRequest
from harness.command_line.main import main
from harness.kernel.program.loader import ModuleText


def checked(folder, scope, mode) -> dict[str, dict]:
    """Return the facts that the sandboxed process reports, by property; they are computed in this process."""
    subject, _ = load_subject(str(folder))
    job = CheckRequest(
        implementation=ModuleText(subject.module, subject.source, str(subject.source_path), subject.blocked),
        spec_source=subject.spec_source,
        spec_filename=str(subject.spec_path),
        folder=f"subjects/{subject.name}",
        scope=scope,
        mode=mode,
    )
    return {found.name: asdict(found) for found in Checking(job, silent_teller()).run()}


def counterexamples(results) -> dict[str, dict]:
    return {name: each["counterexample"] for name, each in results.items() if each["counterexample"] is not None}


@pytest.mark.slow
@pytest.mark.parametrize("fault", FAULTS, ids=lambda fault: fault.name)
def test_a_fault_is_found_alike_in_both_modes(fault, tmp_path):
    folder = plant(fault, tmp_path)
    black, white = (checked(folder, fault.scope, mode) for mode in ("black-box", "white-box"))
    examples = counterexamples(white)
    assert examples.keys() == fault.violated
    assert counterexamples(black) == examples
    for name in black:
        assert black[name]["failing"] == white[name]["failing"], name
        assert white[name]["calls"] <= black[name]["calls"], name
    first = next(examples[name] for name in white if name in examples)
    assert (first["violation"], first["objects"]) == (fault.violation, fault.objects)
    for example in examples.values():
        assert run_program(example["source"], tmp_path) == expected_end(example["violation"])
        if example["violation"].startswith("it does not end"):
            break  # it takes long to see that once
        if example["sequence"] is not None:
            assert run_program(example["sequence"], tmp_path) == expected_end(example["violation"])


def expected_end(violation: str) -> str:
    if violation.startswith("it does not end"):
        return "endless"
    return violation.partition(" raised ")[2] or f"AssertionError: {violation}"


@pytest.mark.parametrize("name", sorted(resources.subject_folders()))
def test_the_originals_are_correct(name):
    folder = resources.subject_folder(name)
    for mode in ("black-box", "white-box"):
        results = checked(folder, 2 if name in NOT_NESTED else 3, mode)
        assert not counterexamples(results)
        assert all(each["calls"] for each in results.values())
        assert {each["kind"] for each in results.values()} <= {"postcondition", "axiom"}


SEEN_BY_SEQUENCES = {
    "two children: the subtree of the predecessor is lost",
    "on the way to a smaller key the search begins anew",
}


@pytest.mark.slow
def test_sequences_of_calls_alone_find_faults_and_show_them_from_an_empty_structure(tmp_path):
    """Section 6.3: the axioms and the models, which see results of sequences of calls only, without a postcondition."""
    names: dict[str, str] = {}
    for fault in FAULTS:
        subject = plant(fault, tmp_path / str(len(names)) / fault.subject)
        spec = subject / "spec.py"
        spec.write_text(spec.read_text().replace("\ndef post_", "\ndef former_post_"))
        for name, result in checked(subject, fault.scope, "black-box").items():
            example = result["counterexample"]
            if result["kind"] == "axiom" and example is not None and example["sequence"] is not None:
                names.setdefault(fault.name, name)
                if not example["violation"].startswith("it does not end"):
                    folder = subject.parents[1]
                    assert run_program(example["sequence"], folder) == expected_end(example["violation"])
    assert names.keys() >= SEEN_BY_SEQUENCES
    assert len(names) >= 3


def test_what_nobody_reads_is_not_tried_in_white_box_mode():
    folder = resources.subject_folder("linked_list")
    axiom = "what_is_added_is_found_at_the_end"
    black, white = (checked(folder, 3, mode)[axiom] for mode in ("black-box", "white-box"))
    assert white["calls"] * 3 < black["calls"], "neither rep_ok nor the axiom reads the elements"


@pytest.mark.slow
def test_the_command_line_prints_the_counterexample_and_exits_with_1(tmp_path, monkeypatch, capsys):
    fault = FAULTS[1]
    plant(fault, tmp_path)
    monkeypatch.chdir(tmp_path)
    assert main(["check", "search_tree", "--scope", "2"]) == 1
    printed = capsys.readouterr().out
    assert "search_tree scope 2, black-box: 1 of 4 properties violated" in printed
    assert "add: the post-state does not satisfy rep_ok. The smallest counterexample:" in printed
    assert "sys.path.insert(0, 'subjects/search_tree')" in printed
    assert "The same by calls:" in printed
    assert main(["check", "search_tree", "--scope", "2", "--mode", "white-box", "--json"]) == 1
    (violated,) = [each for each in json.loads(capsys.readouterr().out)["properties"] if each["failing"]]
    assert run_program(violated["counterexample"]["source"], tmp_path).startswith("AssertionError")


def test_a_target_without_postcondition_is_told(tmp_path, capsys):
    folder = tmp_path / "unjudged"
    shutil.copytree(resources.subject_folder("linked_list"), folder)
    spec = folder / "spec.py"
    spec.write_text(spec.read_text().replace("def post_add", "def is_added"))
    assert main(["check", str(folder), "--scope", "1"]) == 0
    printed = capsys.readouterr().out
    assert "add (rep_ok and exceptions only: no postcondition, so results are not checked): holds;" in printed
    assert "remove: holds;" in printed


RAISING = """
class Full(RuntimeError):
    pass

class Cup:
    def fill(self, kind):
        raise kind_of(kind)

def kind_of(kind):
    return {"v": ValueError, "k": KeyError, "t": TypeError, "f": Full}[kind]("no")
"""
OF_RAISING = """
from harness.spec import Finitization, SequenceScope

def rep_ok(cup):
    return True

def finitization(scope):
    f = Finitization("Cup")
    f.set("Cup.full", False)
    f.method("fill", list("vktf"))
    return f
"""
ALLOWS = """
def sequences(scope):
    s = SequenceScope("Cup")
    s.method("fill", list("vktf"))
    s.misuse("Full", "LookupError")
    return s
"""


@pytest.mark.parametrize("mode", ["black-box", "white-box"])
@pytest.mark.parametrize(
    ("says", "wrong"), [("", "tf"), (ALLOWS, "vt"), (ALLOWS.replace("misuse(", "misuse('Exception', "), "")]
)
def test_without_a_postcondition_what_is_raised_has_to_be_misuse(mode, says, wrong, tmp_path):
    (tmp_path / "impl.py").write_text(RAISING)
    (tmp_path / "spec.py").write_text(OF_RAISING + says)
    fill = checked(tmp_path, 1, mode)["fill"]
    assert (fill["kind"], fill["failing"], fill["refused"]) == ("rep_ok", len(wrong), 4 - len(wrong))
    if wrong:
        first = {"t": "TypeError: no", "v": "ValueError: no"}[wrong[0]]
        assert fill["counterexample"]["violation"] == f"it raised {first}"
        (tmp_path / "subjects").mkdir()
        (tmp_path / "subjects" / tmp_path.name).symlink_to(tmp_path)
        assert run_program(fill["counterexample"]["source"], tmp_path) == first


def test_a_method_that_never_returns_is_not_said_to_hold(tmp_path, capsys):
    (tmp_path / "impl.py").write_text(RAISING)
    (tmp_path / "spec.py").write_text(OF_RAISING.replace("vktf", "vk"))
    assert main(["check", str(tmp_path), "--scope", "1"]) == 0
    printed = capsys.readouterr().out
    assert "not shown, as no call returned; 2 calls (2 raised an exception that counts as misuse)" in printed
