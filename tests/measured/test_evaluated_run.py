"""A small run evaluated: the same numbers as its matrices give by hand, also once it is frozen."""

from fractions import Fraction
from math import comb

import pandas as pd
import pytest

from harness import api
from harness.command_line.main import main
from harness.errors import StoreError
from harness.measured.condition_outcome_cache import outcomes_at
from harness.measured.evaluated_run import ALL, SELECTED, WHOLE
from harness.measured.suite_inputs import calls_of
from harness.model.experiment import ExecutionMode, Experiment, Trial
from harness.model.outcome import ScorePolicy
from harness.papers.jtestcraft2010.run import JtestcraftInputs, paper_inputs
from harness.runs.frozen_run import freeze

NAME = "jtc_int_stack"
TRIALS = (Trial(NAME, "rostra", 3), Trial(NAME, "symstra", 5))


@pytest.fixture(scope="module")
def run(tmp_path_factory):
    """IntStack by one generator as a kill matrix, and the suite of another one without mutants."""
    folder = tmp_path_factory.mktemp("evaluated")
    experiment = Experiment(
        "evaluated", TRIALS, ExecutionMode.MATRIX, {TRIALS[1]: ExecutionMode.GENERATE}, operators="mujava",
        without_coverage=frozenset(TRIALS),
    )  # fmt: skip
    return api.load(api.run(experiment, folder, jobs=2))


def rows(frame: pd.DataFrame, basis: str) -> pd.DataFrame:
    return frame[frame["basis"] == basis]


def test_whole_suites_and_selections_are_what_the_matrices_tell(run):
    frames = run.with_evaluated
    trials = frames.trials.set_index("trial")
    whole = rows(frames.evaluated, WHOLE).set_index("trial")
    assert set(whole.index) == set(trials.index)
    assert whole["outcomes"].tolist() == [9, 9]
    for key, trial in trials.iterrows():
        outcomes = outcomes_at(run.folder, NAME, int(trial["scope"]), trial["generator"])
        reached = outcomes.reached_by() & outcomes.of_class
        assert whole.loc[key, "reached_median"] == reached.sum()
        assert whole.loc[key, "size"] == trial["inputs"]
    rostra = trials.index[trials["generator"] == "rostra"][0]
    matrix = run.matrix(NAME, 3)
    assert whole.loc[rostra, "killed_median"] == matrix.score().killed
    chosen = outcomes_at(run.folder, NAME, 3, "rostra").selected()
    (selected,) = rows(frames.evaluated, SELECTED).query("trial == @rostra").to_dict("records")
    assert (selected["size"], selected["killed_median"]) == (len(chosen), matrix.killed_by(chosen).sum())
    assert selected["reached_median"] == whole.loc[rostra, "reached_median"]
    (ten,) = rows(frames.evaluated, "inputs").query("trial == @rostra and limit == 10").to_dict("records")
    kills = [len(matrix.kills(mutant)) for mutant in matrix.mutants]
    missed = [Fraction(comb(matrix.inputs - killing, 10), comb(matrix.inputs, 10)) for killing in kills]
    assert ten["killed_median"] == pytest.approx(float(len(kills) - sum(missed)))
    assert (ten["taken"], ten["suites"]) == ("drawn at random", 1)
    assert whole["killed_median"].isna().sum() == 1


@pytest.mark.slow
def test_mutants_that_are_run_after_a_suite_was_only_made_count(tmp_path):
    trial = Trial(NAME, "symstra", 2)
    for mode in (ExecutionMode.GENERATE, ExecutionMode.FIRST_KILL):
        experiment = Experiment("later", (trial,), mode, operators="mujava", without_coverage=frozenset({trial}))
        run = api.load(api.run(experiment, tmp_path, jobs=1))
    (whole,) = rows(run.with_evaluated.evaluated, WHOLE).to_dict("records")
    killed = (run.frames.results["verdict"] == "killed").sum()
    assert 0 < killed == whole["killed_median"]


def test_calls_are_those_of_the_sequences(run):
    suite = api.generate(NAME, "rostra", 3)
    assert calls_of(suite).tolist() == [len(suite.sequence(number)) for number in range(len(suite))]
    states = api.generate(NAME, "korat", 1)
    assert calls_of(states).tolist() == [1] * len(states)


@pytest.mark.slow
def test_what_was_evaluated_is_frozen_and_checked(run, tmp_path, capsys):
    evaluated = run.with_evaluated.evaluated
    assert set(evaluated["basis"]) >= {WHOLE, SELECTED, "inputs", "calls", "seconds", ALL}
    frozen = freeze(run, tmp_path / "frozen")
    read = api.load(frozen)
    columns = [column for column in evaluated if column != "trial"]
    pd.testing.assert_frame_equal(read.with_evaluated.evaluated[columns], evaluated[columns])
    inputs = paper_inputs(read, ScorePolicy.ALL_VIABLE)
    assert isinstance(inputs, JtestcraftInputs)
    assert inputs.suite("IntStack", "symstra", 5).generating > 0
    assert main(["tables", "jtestcraft2010", "--from", str(frozen), "--table", "table6_2", "--format", "csv"]) == 0
    assert "IntStack,symstra,9,symstra,5" in capsys.readouterr().out
    assert main(["figures", "jtestcraft2010", "--from", str(frozen), "--out", str(tmp_path)]) == 0
    assert sorted(path.name for path in tmp_path.glob("*.png")) == ["calls.png", "figure6_1.png", "inputs.png"]
    damaged = frozen / "evaluated.csv"
    damaged.write_text(damaged.read_text().replace("whole", "half"))
    with pytest.raises(StoreError, match=r"evaluated\.csv is not what"):
        _ = api.load(frozen).frames
