"""A function or a file of a user takes part like a generator, and a wrong one is named with its line."""

import csv
import io
import json
from pathlib import Path

import pytest
from support.own_subject import standing_beside

from harness import api
from harness.command_line.main import main
from harness.errors import FailedTrialsError, InstrumentError, MutascopeError, StoreError, UsageError
from harness.generators.registry import find_generator, generator_words, uses_seed
from harness.model.experiment import Trial
from harness.runner import run
from harness.runner.suites import ensure_suite
from harness.runs.frozen_run import freeze
from harness.store.run_store import RunStore

SOURCE = """
class Pile:
    def __init__(self):
        self.items = []

    def push(self, item):
        self.items.append(item)
        if item > 5:
            self.items = []

    def pop(self):
        return self.items.pop()
"""
SPEC = """
from harness.spec import SequenceScope

def rep_ok(pile):
    return isinstance(pile.items, list)


def sequences(scope):
    s = SequenceScope("Pile")
    s.constructor()
    s.method("push", range(scope))
    s.method("pop", requires=lambda pile: len(pile.items) > 0)
    s.elements(2)
    return s
"""
MINE = """
from random import Random


def generate(subject, scope, seed):
    draw = Random(seed)
    values = next(routine for routine in subject.routines if routine.name == "push").parameters[0]
    for length in range(1, 6):
        yield [(subject.root,), *[("push", draw.choice(values))] * length, ("pop",)]
    yield [("Pile",), ("push", 9)]
    yield [("Pile",), ("push", 9)]
"""


@pytest.fixture
def home(tmp_path):
    with standing_beside(tmp_path, "pile", SOURCE, SPEC):
        (tmp_path / "mine.py").write_text(MINE)
        yield tmp_path


def refusal(generator: str) -> str:
    """Return the message of the error with which a suite of the pile is refused."""
    subject = api.load_subject("pile")
    with pytest.raises(MutascopeError) as refused:
        ensure_suite(subject, Trial("pile", generator, 2))
    assert "\n" not in str(refused.value)
    return str(refused.value)


@pytest.mark.slow
def test_a_function_in_a_file_is_a_row_beside_other_generators_and_verify_agrees(home):
    lines = [[["Pile"], ["push", 0], ["pop"]], [["Pile"], {"call": "push", "on": 0, "args": [1]}]]
    (home / "cases.jsonl").write_text("\n\n".join(map(json.dumps, lines)))
    experiment = api.subject_experiment("pile", ["mine.py:generate", "beapi"], [2], suites="cases.jsonl")
    folder = api.run(experiment, home / "out", jobs=1)
    trials = api.load(folder).frames.trials.set_index("generator")
    assert trials["inputs"].to_dict() == {
        "mine.py:generate": 6,
        "beapi": trials.loc["beapi", "inputs"],
        "cases.jsonl": 2,
    }
    assert "1 of 7 inputs came twice; each counts once" in trials.loc["mine.py:generate", "notices"]
    assert "2 of 7 inputs go beyond the bounds of the spec" in trials.loc["mine.py:generate", "notices"]
    checked = api.verify(folder, jobs=1)
    assert checked.holds
    assert checked.checked > 10
    text = api.first_sequences("pile", ensure_suite(api.load_subject("pile"), Trial("pile", "mine.py:generate", 2)), 9)[
        -1
    ]
    assert text.endswith("push(9)")


def test_the_seed_and_the_text_of_the_file_decide_about_the_suite(home):
    subject = api.load_subject("pile")

    def digest(seed: int) -> str:
        return ensure_suite(subject, Trial("pile", "mine.py:generate", 2, seed)).header.digest

    first = digest(1)
    assert digest(2) != first
    (home / "mine.py").write_text(MINE.replace("range(1, 6)", "range(1, 7)"))
    assert digest(1) != first


WRONG = {
    "raises": (
        "yield [('Pile',)]\n    raise ValueError('bo\\nom')",
        "bad.py:3: ValueError: bo om; correct the generator",
    ),
    "nothing": ("return []", "bad.py: there is no input at scope 2"),
    "number": ("return 7", "bad.py: TypeError: 'int' object is not iterable"),
    "none": ("return None", "bad.py: generate returned None; yield the inputs, or return a list of them"),
    "text": ("yield 'abc'", "bad.py:2: input 1: 'abc' is no list of calls"),
    "no result": (
        "yield [('Pile',), ('push', 'x'), ('push', subject.result(1))]",
        "pile.push(result): call 1 raised TypeError: '>' not supported between instances of 'str' and 'int', so "
        "call 2 has no result to take; end the sequence before it",
    ),
    "precondition": (
        "yield [('Pile',), ('pop',)]",
        "bad.py:2: input 1: pile = Pile(); pile.pop(): the precondition of call 1 does not hold",
    ),
    "unsteady": (
        "import random\n    yield [('Pile',), ('push', random.random())]",
        "bad.py: other inputs when it runs again",
    ),
    "endless": ("yield [('Pile',)]\n    while True: pass", "bad.py: generate, in line 3, gave no new input within"),
    "dies": ("import os\n    os._exit(3)", "while executing bad.py: ended with exit status 3"),
    "exits": ("import sys\n    sys.exit(3)", "bad.py:3: SystemExit ended the generation; do not raise it"),
    "sleeps": (
        "import time\n    time.sleep(10**6)",
        "bad.py: generate, in line 3, gave no new input within 10 s of wall clock",
    ),
}


@pytest.mark.parametrize("name", WRONG)
def test_a_wrong_generator_is_named_with_its_line(home, name, monkeypatch):
    body, message = WRONG[name]
    monkeypatch.setenv("MUTASCOPE_CANDIDATE_SECONDS", "1")
    (home / "bad.py").write_text(f"def generate(subject, scope, seed):\n    {body}\n")
    assert message in refusal("bad.py:generate")


def test_a_generator_that_prints_changes_no_suite(home):
    (home / "loud.py").write_text(MINE.replace("    draw =", "    print('noise', flush=True)\n    draw ="))
    subject = api.load_subject("pile")
    digests = {
        name: ensure_suite(subject, Trial("pile", f"{name}.py:generate", 2)).header.digest for name in ("mine", "loud")
    }
    assert digests["mine"] == digests["loud"]


BAD = """
def raises(subject, scope, seed):
    raise ValueError("bo,om")


def endless(subject, scope, seed):
    number = seed
    while True:
        yield [("Pile",), ("push", number)]
        number += 1
"""
REASONS = {
    "bad.py:raises": "bad.py:3: ValueError: bo,om; correct the generator",
    "bad.py:endless:most=50": "bad.py:9: input 51: there are more than 50 inputs; make fewer, or allow N of them with",
}


@pytest.mark.slow
def test_wrong_generators_are_rows_with_the_reason_beside_the_others(home, capsys):
    (home / "bad.py").write_text(BAD)
    names = [*REASONS, "mine.py:generate", "beapi"]
    chosen = [part for name in names for part in ("--generator", name)]
    run = ["run", "--subject", "pile", "--scope", "1", "--out", "out", "--jobs", "1"]
    assert main([*run, *chosen, "--json"]) == 2
    printed = capsys.readouterr()
    rows = {row["generator"]: row for row in json.loads(printed.out)["trials"]}
    assert set(rows) == set(names)
    for name, reason in REASONS.items():
        assert reason in rows[name]["failed"]
        assert rows[name]["score_pct"] is None
    assert [rows[name]["failed"] for name in names[-2:]] == [None, None]
    assert rows["beapi"]["score_pct"] > 0
    assert "2 of 4 trials could not be run, as said above; the others are stored in out" in printed.err
    freeze(api.load("out"), home / "frozen")
    for folder in ("out", "frozen"):
        assert set(api.load(folder).frames.failures["generator"]) == set(REASONS)

    assert main(["tables", "out", "--table", "scopes", "--format", "csv"]) == 0
    cells = {row["generator"]: row for row in csv.DictReader(io.StringIO(capsys.readouterr().out))}
    assert cells["bad.py:raises"]["failed"] == REASONS["bad.py:raises"]
    assert cells["bad.py:raises"]["killed"] == cells["beapi"]["failed"] == ""
    assert main(["tables", "out", "--table", "scopes"]) == 0
    assert "] bad.py:3: ValueError: bo,om; correct the generator\n" in capsys.readouterr().out


def test_an_error_of_the_harness_is_no_failure_of_a_generator_and_ends_the_run(home, monkeypatch):
    def without_proof(*arguments: object) -> str:
        raise InstrumentError("the planted mutant survived; please report this")

    monkeypatch.setattr(run, "run_trial", without_proof)
    experiment = api.subject_experiment("pile", ["mine.py:generate", "beapi"], [2])
    with pytest.raises(InstrumentError):
        api.run(experiment, home / "out", jobs=1)
    with RunStore.open(home / "out") as store:
        assert store.failures.all() == []


def failures_of(run: Path) -> dict[str, str]:
    frame = api.load(run).frames.failures
    return dict(zip(frame["generator"], frame["reason"], strict=True))


@pytest.mark.slow
def test_a_failure_is_over_when_its_generator_runs_with_other_options(home):
    def run(*names: str) -> None:
        api.run(api.subject_experiment("pile", [*names, "beapi"], [1]), home / "out", jobs=1)

    with pytest.raises(FailedTrialsError):
        run("mine.py:generate:most=1")
    with pytest.raises(FailedTrialsError):
        run("mine.py:generate:most=1", "mine.py:generate:most=2", "mine.py:generate:most=9")
    names = ["mine.py:generate:most=1", "mine.py:generate:most=2"]
    assert list(failures_of(home / "out")) == names, "what the experiment asks for stays"
    with pytest.raises(FailedTrialsError):
        run("mine.py:generate:most=3")
    assert list(failures_of(home / "out")) == ["mine.py:generate:most=3"], "the last attempt counts"
    run("mine.py:generate")
    assert failures_of(home / "out") == {}


@pytest.mark.slow
def test_a_failure_is_told_apart_from_results_of_an_earlier_version_of_its_file(home):
    experiment = api.subject_experiment("pile", ["mine.py:generate", "beapi"], [1])
    api.run(experiment, home / "out", jobs=1)
    (home / "mine.py").write_text(MINE + "    yield 7\n")
    with pytest.raises(FailedTrialsError):
        api.run(experiment, home / "out", jobs=1)
    (reason,) = failures_of(home / "out").values()
    assert reason.endswith("; the results under this name are of an earlier run")
    (home / "mine.py").write_text(MINE + "    yield [('Pile',), ('push', 8)]\n")
    api.run(experiment, home / "out", jobs=1)
    trials = api.load(home / "out").frames.trials
    assert sorted(trials["generator"]) == ["beapi", "mine.py:generate"], "the latest version has the only row"
    assert failures_of(home / "out") == {}


@pytest.mark.slow
def test_a_suite_of_constructors_alone_is_told_what_it_lacks_and_the_others_go_on(home):
    (home / "made.jsonl").write_text('[["Pile"]]\n')
    experiment = api.subject_experiment("pile", ["mine.py:generate"], [1], suites="made.jsonl")
    with pytest.raises(FailedTrialsError):
        api.run(experiment, home / "out", jobs=1)
    frames = api.load(home / "out").frames
    assert list(frames.trials["generator"]) == ["mine.py:generate"]
    (reason,) = frames.failures["reason"]
    assert reason.startswith("the inputs only call constructors; a run shows by other calls that mutants are loaded")


def test_more_inputs_than_a_suite_may_have_are_refused_unless_the_name_allows_them(home):
    (home / "cases.jsonl").write_text('[["Pile"]]\n[["Pile"], ["push", 1]]\n')
    subject = api.load_subject("pile")
    assert refusal("cases.jsonl:most=1").startswith("cases.jsonl:2: there are more than 1 input; make fewer, or allow")
    assert len(ensure_suite(subject, Trial("pile", "cases.jsonl:most=2", 2))) == 2
    assert len(ensure_suite(subject, Trial("pile", "mine.py:generate:distinct,most=7", 2))) == 6
    assert refusal("mine.py:generate:most=6").startswith("mine.py:11: input 7: there are more than 6 inputs")


@pytest.mark.slow
def test_verify_names_the_file_of_a_generator_that_was_changed(home):
    folder = api.run(api.subject_experiment("pile", ["mine.py:generate"], [1]), home / "out", jobs=1)
    (home / "mine.py").write_text(MINE + "\n")
    with pytest.raises(StoreError, match=r"^mine\.py: changed since pile mine\.py:generate scope 1 was run; restore"):
        api.verify(folder, jobs=1)


def test_an_input_whose_call_exits_is_an_input_like_others(home):
    with standing_beside(
        home, "pile", SOURCE.replace("self.items = []\n\n    def pop", "raise SystemExit(3)\n\n    def pop"), SPEC
    ):
        assert len(ensure_suite(api.load_subject("pile"), Trial("pile", "mine.py:generate", 2))) == 6


def test_equal_calls_on_equal_states_count_once_if_inputs_are_to_be_distinct(home):
    lines = [[["Pile"], ["push", 1], ["pop"], ["push", 0]], [["Pile"], ["push", 0]]]
    (home / "mine.py").write_text(f"def generate(subject, scope, seed):\n    return {lines}\n")
    subject = api.load_subject("pile")
    sizes = {
        name: len(ensure_suite(subject, Trial("pile", name, 2)))
        for name in ("mine.py:generate", "mine.py:generate:distinct")
    }
    assert list(sizes.values()) == [2, 1]
    with pytest.raises(UsageError, match=r"generator 'mine\.py:generate:other': 'other' is none of its options"):
        find_generator("mine.py:generate:other")


def test_seeds_that_fail_in_the_same_way_are_reported_in_one_line(home, capfd):
    (home / "bad.py").write_text("def generate(subject, scope, seed):\n    return []\n")
    experiment = api.subject_experiment("pile", "bad.py:generate", [1], seeds=3)
    with pytest.raises(UsageError, match="3 of 3 trials could not be run, as said above"):
        api.run(experiment, home / "out", jobs=1)
    assert capfd.readouterr().err.count("bad.py: there is no input at scope") == 1


def test_the_first_wrong_line_of_a_file_is_told_with_its_number(home):
    (home / "cases.jsonl").write_text('[["Pile"]]\n[\n[["Pile"]]\n')
    assert refusal("cases.jsonl").startswith("cases.jsonl:2: no JSON (")
    (home / "cases.jsonl").write_text('[["Pile"]]\n\n[["Heap"]]\n')
    assert refusal("cases.jsonl").startswith("cases.jsonl:3: call 0 is Heap, which the spec does not declare")


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("nowhere.py:generate", "nowhere.py: No such file or directory; name a file of yours"),
        ("mine.py:generat", "mine.py: no function 'generat'; did you mean 'generate'?"),
        ("broken.py:generate", "broken.py:1: '(' was never closed; correct the generator"),
        ("nowhere.jsonl", "nowhere.jsonl: No such file or directory"),
    ],
)
def test_a_file_that_has_no_generator_is_refused_before_anything_runs(home, name, message):
    (home / "broken.py").write_text("generate = (\n")
    with pytest.raises(MutascopeError) as refused:
        api.run(api.subject_experiment("pile", ["beapi", name], [1]), home / "out", jobs=1)
    assert str(refused.value).startswith(message)
    assert not (home / "out").exists()


def test_a_suite_is_a_file_of_calls():
    with pytest.raises(UsageError, match=r"tests: a suite is a file of calls, FILE\.jsonl"):
        api.subject_experiment("search_tree", (), [1], suites="tests")


def test_names_of_users_generators_make_names_of_files(home):
    assert generator_words("own/mine.py:generate") == "own-mine.py-generate"
    assert (uses_seed("mine.py:generate"), uses_seed("cases.jsonl")) == (True, False)
    assert find_generator("mine.py:generate").name == "mine.py:generate"
