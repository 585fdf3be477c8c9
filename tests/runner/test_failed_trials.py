"""A subject whose original fails is a row of the run, and suites that ended early are told with the reason."""

import json
import re
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from support import counter
from support.own_subject import standing_beside, write_subject

from harness import api
from harness.analysis.frozen import read_frozen, write_frozen
from harness.command_line.main import main
from harness.errors import BaselineError, FailedTrialsError, MutascopeError
from harness.kernel.inputs.suites import SuiteHeader
from harness.model.experiment import ExecutionMode, Experiment, Trial
from harness.runner.trial import stop_reason_and_notices
from harness.runs.run_tables import RunFacts, scopes_table

SPAN = """
class Span:
    def __init__(self):
        self.low, self.high = 0, 1

    def shrink(self, size):
        if self.low + size < self.high:
            self.low = self.low + size
        return self.high - self.low
"""
BUG = SPAN.replace("< self.high", "<= self.high")
NO_MUTANTS = """
class Span:
    def __init__(self):
        self.low, self.high = 0, 1

    def shrink(self, size):
        pass
"""
SPAN_SPEC = """
from harness.spec import Finitization

def rep_ok(span):
    return span.low < span.high

def finitization(scope):
    f = Finitization("Span")
    f.set("Span.low", range(scope + 1))
    f.set("Span.high", range(scope + 1))
    f.method("shrink", range(scope + 1))
    return f
"""
EDGY = """
def generate(subject, scope, seed):
    start = subject.module.Span() if subject.root == "Span" else subject.module.Counter()
    for number in range(scope + 1):
        yield (start, "shrink" if subject.root == "Span" else "up", (number,))
"""
GENERATORS = ["korat", "edgy.py:generate"]
FILES = "subjects/span/impl.py or spec.py"
FAILS = (
    "the original fails on input 1, Span(low=0, high=1).shrink(1) from a valid state: its post-state does not satisfy "
    "rep_ok; correct "
)


@pytest.fixture
def home(tmp_path):
    """A folder with a class that has a bug, one that has none, and a generator for both."""
    write_subject(tmp_path / "subjects" / "counter", counter.SOURCE, counter.SPEC)
    (tmp_path / "edgy.py").write_text(EDGY)
    with standing_beside(tmp_path, "span", BUG, SPAN_SPEC):
        yield tmp_path


def experiment(*subjects: str, scopes: tuple[int, ...] = (1, 2)) -> Experiment:
    return api.subject_experiment(subjects, GENERATORS, scopes)


def reasons(folder: Path) -> dict[tuple[str, str, int], str]:
    frame = api.load(folder).frames.failures
    places = zip(frame["subject"], frame["generator"], frame["scope"], strict=True)
    return dict(zip(places, frame["reason"], strict=True))


def run_in_words(
    capsys: pytest.CaptureFixture[str], status: int, *subjects: str, out: str = "out"
) -> tuple[list[dict[str, Any]], list[str]]:
    """Run classes (default: both) with both generators; return the rows, and the other lines on standard error."""
    chosen = [part for name in subjects or ("span", "counter") for part in ("--subject", name)]
    chosen += [part for name in GENERATORS for part in ("--generator", name)]
    assert main(["run", *chosen, "--scope", "1-2", "--out", out, "--jobs", "1", "--json"]) == status
    printed = capsys.readouterr()
    what_a_matrix_adds, *lines = printed.err.splitlines()
    assert "mode matrix (--matrix) adds the rows for both" in what_a_matrix_adds, "as there are two generators"
    return json.loads(printed.out)["trials"], lines


def without_failure(row: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in row.items() if name != "failed"}


@pytest.mark.slow
def test_a_class_with_a_bug_is_a_row_and_the_other_class_has_the_rows_of_a_run_without_the_bug(home, capsys):
    rows, lines = run_in_words(capsys, 2)
    failed = {(row["generator"], row["scope"]): row for row in rows if row["failed"]}
    assert set(failed) == {(generator, scope) for generator in GENERATORS for scope in (1, 2)}
    assert {(row["subject"], row["score_pct"]) for row in failed.values()} == {("span", None)}
    assert failed["korat", 1]["failed"] == failed["korat", 2]["failed"]
    assert lines == [  # one for both scopes, which fail in the same words
        f"mutascope: span korat scope 1: {failed['korat', 1]['failed']}",
        f"mutascope: span edgy.py:generate scope 1: {FAILS}{FILES}",
        "mutascope: 4 of 8 trials could not be run, as said above; the others are stored in out",
    ]
    assert " 4 trials could not be run: edgy.py:generate and korat on span at scopes 1 and 2. " in api.describe("out")

    rows_alone, lines = run_in_words(capsys, 0, "counter", out="alone")
    assert [without_failure(row) for row in rows if row["subject"] == "counter"] == rows_alone
    assert (len(rows_alone), lines) == (4, [])

    write_subject(home / "subjects" / "span", SPAN, SPAN_SPEC)
    rows, lines = run_in_words(capsys, 0)
    assert (len(rows), lines) == (8, [])
    assert not any(row.get("failed") or row["score_pct"] is None for row in rows)


@pytest.mark.slow
def test_the_only_trial_of_a_run_ends_it_with_one_line(home, capsys):
    one = ["--subject", "span", "--generator", "edgy.py:generate", "--scope", "1"]
    assert main(["run", *one, "--out", "out", "--jobs", "1"]) == BaselineError.exit_status == 1
    assert capsys.readouterr().err == f"mutascope: {FAILS}{home}/{FILES}\n"


@pytest.mark.slow
@pytest.mark.parametrize(
    ("source", "spec", "reason"),
    [
        (SPAN, SPAN_SPEC.replace("span.low < span.high", "span.low / 0"), "rep_ok .*ZeroDivisionError"),
        (SPAN, SPAN_SPEC.replace("span.low < span.high", "False"), "spec.py: span: korat found no valid state"),
        (SPAN + "\n1 / 0\n", SPAN_SPEC, "impl.py:11: ZeroDivisionError while it was loaded: .*; correct"),
        (SPAN + "import os\nos._exit(3)\n", SPAN_SPEC, "ended with exit status 3; correct"),
        (
            SPAN.replace("self.high - self.low", "id(self)"),
            SPAN_SPEC,
            "not deterministic: .* from .*impl.py or spec.py",
        ),
        (counter.SOURCE.replace("Counter", "Span").replace("up", "shrink"), SPAN_SPEC, "Span"),
        (NO_MUTANTS, SPAN_SPEC, "impl.py: the mutator finds nothing"),
    ],
    ids=["rep_ok raises", "no state", "loading", "exits", "not deterministic", "other fields", "no mutants"],
)
def test_what_a_subject_does_wrong_ends_no_run(home, source, spec, reason):
    write_subject(home / "subjects" / "span", source, spec)
    tried = api.subject_experiment(["span", "counter"], "korat", [1])
    with pytest.raises(FailedTrialsError, match=r"^1 of 2 trials could not be run, as said above; the others are"):
        api.run(tried, home / "out", jobs=1)
    (message,) = reasons(home / "out").values()
    assert re.search(reason, message), message
    trials = api.load(home / "out").frames.trials
    assert list(zip(trials["subject"], trials["finished"], strict=True)) == [("counter", True)]
    assert not (home / "out" / ".work").exists(), "nothing is left of a trial that is to be made again"


@pytest.mark.slow
@pytest.mark.parametrize("body", ["1 / 0", "import os; os._exit(3)", "while True: pass"])
def test_sequences_without_bounds_end_only_the_trials_that_need_them(home, monkeypatch, body):
    monkeypatch.setenv("MUTASCOPE_CANDIDATE_SECONDS", "1")
    write_subject(home / "subjects" / "span", SPAN, f"{SPAN_SPEC}\ndef sequences(scope):\n    {body}\n")
    tried = api.subject_experiment(["span", "counter"], ["korat", "beapi"], [1])
    with pytest.raises(FailedTrialsError):
        api.run(tried, home / "out", jobs=1)
    assert ("span", "beapi", 1) in reasons(home / "out")
    trials = api.load(home / "out").frames.trials
    assert {("span", "korat"), ("counter", "korat")} <= {*zip(trials["subject"], trials["generator"], strict=True)}


def test_a_spec_that_cannot_be_read_is_refused_before_anything_runs(home):
    write_subject(home / "subjects" / "span", SPAN, "def rep_ok(:\n")
    with pytest.raises(MutascopeError, match=r"spec\.py:1: invalid syntax|spec\.py"):
        api.run(experiment("counter", "span"), home / "out", jobs=1)
    assert not (home / "out").exists()


@pytest.mark.slow
def test_a_trial_that_fails_in_every_shard_has_failed_in_the_merged_run(home):
    both = experiment("span", "counter", scopes=(1,))
    places = [home / "parts" / f"{number}" for number in (1, 2)]
    for number, place in enumerate(places, start=1):
        with pytest.raises(FailedTrialsError, match="2 of 4 trials could not be run"):
            api.shard(both, f"{number}/2", place, jobs=1)
    merged = api.merge(places, home / "merged").folder
    assert reasons(merged) == dict.fromkeys([("span", name, 1) for name in sorted(GENERATORS)], FAILS + FILES)
    lone_run = api.run(experiment("counter", scopes=(1,)), home / "alone", jobs=1)
    assert api.load(merged).frames.results.equals(api.load(lone_run).frames.results)


@pytest.mark.slow
def test_results_of_a_class_without_its_bug_are_said_to_be_of_an_earlier_run(home):
    both = api.subject_experiment(["span", "counter"], "korat", [1])
    write_subject(home / "subjects" / "span", SPAN, SPAN_SPEC)
    api.run(both, home / "out", jobs=1)
    write_subject(home / "subjects" / "span", BUG, SPAN_SPEC)
    with pytest.raises(FailedTrialsError):
        api.run(both, home / "out", jobs=1)
    (reason,) = reasons(home / "out").values()
    assert reason.endswith("; the results under this name are of an earlier run")


@pytest.mark.slow
def test_a_trial_that_fails_under_its_second_oracle_keeps_the_results_of_the_first(home):
    broken = SPAN_SPEC + "\ndef post_shrink(before, after, result, size):\n    return result > size\n"
    write_subject(home / "subjects" / "span", SPAN, broken)
    both = api.subject_experiment(["span", "counter"], "korat", [1], oracles=["differential", "postcondition"])
    for _ in range(2):
        with pytest.raises(FailedTrialsError):
            api.run(both, home / "out", jobs=1)
        (reason,) = reasons(home / "out").values()
        assert reason.endswith(f"correct {FILES}")
        trials = api.load(home / "out").frames.trials
        assert sorted(zip(trials["subject"], trials["finished"], strict=True)) == [("counter", True), ("span", True)]


TRIALS = (
    Trial("search_tree", "random:1000", 2),
    Trial("search_tree", "random:5", 2),
    Trial("search_tree", "korat", 2),
    Trial("jtc_ub_stack", "css:paths=1", 2),
)


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    run_folder = tmp_path_factory.mktemp("ends") / "run"
    return api.run(Experiment("ends", TRIALS, ExecutionMode.GENERATE), run_folder, jobs=1)


def test_the_end_of_each_suite_is_stored_and_frozen(folder, tmp_path):
    frames = api.load(folder).frames
    write_frozen(frames, tmp_path)
    for trials in (frames.trials, read_frozen(tmp_path).trials):
        stop_reasons = dict(zip(trials["generator"], trials["ended"].fillna(""), strict=True))
        assert stop_reasons == {"random:1000": "nothing new", "random:5": "inputs", "korat": "", "css:paths=1": ""}
        assert (trials["notices"].notna() == (trials["generator"] == "css:paths=1")).all()
    (notice,) = frames.trials["notices"].dropna()
    assert notice.startswith("calls with more paths than the 1 that are looked at: "), "no path of this machine"


def test_run_says_in_a_line_which_suite_ended_early(tmp_path, capsys):
    trials = "".join(
        f"[[trials]]\nsubject = 'search_tree'\ngenerator = '{name}'\nscopes = [2]\nmode = 'generate'\n"
        for name in ("random:1000", "random:5", "korat")
    )
    (tmp_path / "ends.toml").write_text(f"title = 'Ends'\n{trials}")
    assert main(["run", str(tmp_path / "ends.toml"), "--out", str(tmp_path / "run")]) == 0
    *_, line, where = capsys.readouterr().out.splitlines()
    assert where == str(tmp_path / "run")
    number = api.load(tmp_path / "run").frames.trials.set_index("generator").loc["random:1000", "inputs"]
    why = "ended as the last attempts made nothing new"
    assert line == f"SearchTree random:1000 scope 2: {number} of 1,000 inputs, {why}"
    assert f"random:1000 scope 2: {number} of 1,000 inputs, {why}" in (tmp_path / "run" / "run.log").read_text()
    assert main(["run", str(tmp_path / "ends.toml"), "--out", str(tmp_path / "run"), "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["remarks"] == [line]


def test_tables_of_the_run_say_so_below(folder):
    caption = scopes_table(RunFacts.of(api.load(folder))).caption
    assert "SearchTree generator random:1000 scope 2: " in caption
    assert "of 1,000 inputs, ended as the last attempts made nothing new." in caption
    assert "random:5 scope" not in caption


def test_what_ended_a_suite_and_what_qualifies_it_are_lines():
    header = SuiteHeader("tree", "0", "plug-in", "2", 2, 0, 1, 1, [])
    assert stop_reason_and_notices(header) == (None, ())
    assert stop_reason_and_notices(replace(header, ended="two\nlines", notices=["a\nb"])) == ("two lines", ("a b",))
