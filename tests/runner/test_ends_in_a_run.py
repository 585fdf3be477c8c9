"""A run tells, stores and freezes which suites ended before they had what their names ask for, and why."""

import json
from dataclasses import replace

import pytest

from harness import api
from harness.analysis.frozen import read_frozen, write_frozen
from harness.command_line.main import main
from harness.kernel.inputs.suites import SuiteHeader
from harness.model.experiment import ExecutionMode, Experiment, Trial
from harness.runner.trial import stop_reason_and_notices
from harness.runs.run_tables import RunFacts, scopes_table

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
