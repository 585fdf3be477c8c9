"""Seeded faults are found with smallest counterexamples; properties kill the mutants of the differential oracle."""

import json
import random
import resource
import shutil
import signal
import subprocess
import sys
from dataclasses import asdict, dataclass, replace
from pathlib import Path

import pytest
from support.subjects import NOT_NESTED, UNLIKE, load_subject
from support.tellers import silent_teller

from harness import api, resources
from harness.checking.check import check
from harness.checking.process import Checking
from harness.checking.result import CheckRequest
from harness.command_line.main import main
from harness.kernel.program.loader import ModuleText
from harness.kernel.program.splice import mutated_source
from harness.store import RunStore

ROOT = Path(__file__).parents[2]


@dataclass(frozen=True)
class Fault:
    """In a copy of `subject`, `right` is replaced by `wrong`; exactly these properties are violated by it."""

    name: str
    subject: str
    right: str
    wrong: str
    violated: frozenset[str]
    violation: str
    """Of the first property violated, what the smallest counterexample shows."""
    objects: int
    """Those of the smallest counterexample to that property."""
    scope: int = 3


FAULTS = (
    Fault(
        "two children: the subtree of the predecessor is lost",
        "search_tree",
        "current.left = left.left",
        "current.left = None",
        frozenset({"remove", "remove_implements_deletion_from_a_set"}),
        "the post-state does not satisfy rep_ok",
        objects=5,
        scope=4,
    ),
    Fault(
        "adding forgets to count",
        "search_tree",
        "        self.size += 1\n        return True",
        "        return True",
        frozenset({"add"}),
        "the post-state does not satisfy rep_ok",
        objects=1,
    ),
    Fault(
        "on the way to a smaller key the search begins anew",
        "search_tree",
        "            if info < current.info:\n                parent = current\n                current = current.left",
        "            if info < current.info:\n                parent = current\n                current = self.root",
        frozenset({"remove", "removing_undoes_adding", "remove_implements_deletion_from_a_set"}),
        "it does not end within 100,000 steps",
        objects=2,
    ),
    Fault(
        "the wrong value is returned",
        "heap_array",
        "        maximum = self.array[0]\n",
        "        maximum = self.array[self.size - 1]\n",
        frozenset({"extract_max", "extracting_all_sorts"}),
        "the postcondition does not hold",
        objects=2,
    ),
    Fault(
        "a value equal to that of a key's node is looked for in a subtree that is not there",
        "search_tree",
        "            elif info > current.info:\n                current = current.right\n            else:\n"
        "                return False\n        node",
        "            elif info >= current.info:\n                current = current.right.right\n        node",
        frozenset({"add", "removing_undoes_adding"}),
        "it raised AttributeError: 'NoneType' object has no attribute 'right'",
        objects=2,
    ),
    Fault(
        "merged heaps keep the other's keys",
        "binomial_heap",
        "        other.nodes = None\n        other.size = 0\n",
        "",
        frozenset({"union"}),
        "the postcondition does not hold",
        objects=3,
    ),
    Fault(
        "the first occurrence is unlinked in one direction only",
        "linked_list",
        "        entry.next.previous = entry.previous\n        self.size -= 1",
        "        self.size -= 1",
        frozenset({"remove"}),
        "the post-state does not satisfy rep_ok",
        objects=3,
    ),
    Fault(
        "each element represents itself",
        "disj_set",
        "        return root\n",
        "        return element\n",
        frozenset({"union", "a_set_has_one_representative_of_its_own", "joining_again_changes_nothing"}),
        "the postcondition does not hold",
        objects=3,
    ),
    Fault(
        "not the key asked for is deleted but the smallest one",
        "fibonacci_heap",
        "        self.decrease(node, self.min_node.key - 1)\n",
        "",
        frozenset({"delete"}),
        "the postcondition does not hold",
        objects=3,
    ),
    Fault(
        "of long lists only the ends are exchanged",
        "linked_list",
        "range(self.size // 2)",
        "range(min(self.size // 2, 1))",
        frozenset({"reverse"}),
        "the postcondition does not hold",
        objects=7,
        scope=4,
    ),
    Fault(
        "instead of an absent element the next larger one is removed",
        "sorted_list",
        "if entry is self.header or entry.element != element:",
        "if entry is self.header:",
        frozenset({"remove"}),
        "the postcondition does not hold",
        objects=3,
    ),
    Fault(
        "a key that is there keeps its value",
        "tree_map",
        "                current.value = value\n",
        "",
        frozenset({"put", "what_is_put_can_be_got"}),
        "the postcondition does not hold",
        objects=2,
    ),
    Fault(
        "putting a new value returns it",
        "tree_map_black_root",
        "                return old\n",
        "                return value\n",
        frozenset({"put"}),
        "the postcondition does not hold",
        objects=2,
    ),
    Fault(
        "adding an element that is there is told as a change",
        "hash_set",
        "                return old\n",
        "                return None\n",
        frozenset({"add", "add_implements_insertion_into_a_set"}),
        "the postcondition does not hold",
        objects=4,
    ),
    Fault(
        "of the elements of one hash code any is removed",
        "hash_set",
        "            if entry.hash_code == hash_code and entry.key == key:\n                if previous",
        "            if entry.hash_code == hash_code:\n                if previous",
        frozenset(
            {"remove", "remove_implements_deletion_from_a_set", "contains_finds_what_was_added_until_it_is_removed"}
        ),
        "the postcondition does not hold",
        objects=5,
    ),
    Fault(
        "names that do not say what is asked are not found",
        "av_tree",
        "found &= matched | silent",
        "found &= matched",
        frozenset({"lookup"}),
        "the postcondition does not hold",
        objects=12,
    ),
)


def plant(fault: Fault, folder: Path) -> Path:
    """Write a copy of the subject with the fault, and return its folder."""
    subject, _ = load_subject(str(ROOT / "subjects" / fault.subject))
    assert subject.source.count(fault.right) == 1, fault.name
    for path, text in (
        (subject.source_path, subject.source.replace(fault.right, fault.wrong)),
        (subject.spec_path, subject.spec_source),
    ):
        copied = folder / path.resolve().relative_to(ROOT)
        copied.parent.mkdir(parents=True, exist_ok=True)
        copied.write_text(text)
    return folder / "subjects" / fault.subject


def run_program(text: str, folder: Path, cpu_seconds: int = 2) -> str:
    """Return the last line that the program prints on stderr, or `endless` if it uses up its CPU seconds."""
    path = folder / "counterexample.py"
    path.write_text(text)
    done = subprocess.run(
        [sys.executable, str(path)],
        cwd=folder,
        env={"PYTHONPATH": str(ROOT), "PATH": ""},
        capture_output=True,
        encoding="utf-8",
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_CPU, (cpu_seconds, cpu_seconds)),
    )
    if done.returncode in (-signal.SIGXCPU, -signal.SIGKILL):
        return "endless"
    return done.stderr.strip().splitlines()[-1] if done.returncode else ""


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


@pytest.mark.parametrize(
    "fault",
    [*(pytest.param(fault, marks=pytest.mark.slow) for fault in FAULTS[:-1]), FAULTS[-1]],
    ids=lambda fault: fault.name,
)
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


SCOPE = 3
SAMPLE = 6


@pytest.mark.slow
@pytest.mark.parametrize("name", UNLIKE)
def test_killed_mutants_violate_a_property_and_others_no_postcondition(name, tmp_path):
    subject, _ = load_subject(name)
    run = api.run(api.subject_experiment(name, "korat", [SCOPE]), tmp_path / "run", jobs=2)
    with RunStore.open_existing(run) as store:
        (trial,) = store.trials.all()
        killed = {result.mutant: result.input is not None for result in store.results.of(trial.key)}
    mutants = [mutant for mutant in api.mutants(name) if mutant.id in killed]
    for mutant in random.Random(name).sample(mutants, SAMPLE):
        mutated = replace(subject, source=mutated_source(subject.source, mutant))
        violated = check(mutated, SCOPE).violated
        if killed[mutant.id]:
            assert violated, mutant.id
        else:  # an axiom calls on, from the post-state, which may be beyond the scope
            assert all(found.kind == "axiom" for found in violated), mutant.id
