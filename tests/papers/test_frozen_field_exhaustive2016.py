"""The run of field_exhaustive2016 that ships is of its experiment, and keeps its laws."""

import pytest

from harness import api, resources
from harness.papers.field_exhaustive2016.run import EXHAUSTIVE, NAME, SUBJECTS
from harness.runner.experiment import load_experiment

FROZEN = resources.shipped("results/frozen") / NAME


@pytest.fixture(scope="module")
def frames():
    return api.load(FROZEN).all_frames


@pytest.mark.end_to_end
def test_every_trial_is_listed_in_the_experiment_that_ships(frames):
    experiment = load_experiment(NAME)
    listed = {(trial.subject, trial.generator, trial.scope, trial.seed) for trial in experiment.trials}
    columns = ("subject", "generator", "scope", "seed")
    assert set(zip(*(frames.trials[column] for column in columns), strict=True)) <= listed
    assert set(frames.trials["oracle"]) == {oracle.value for oracle in experiment.oracles}


@pytest.mark.end_to_end
def test_exhaustive_suites_have_as_many_inputs_as_printed_and_kill_no_less_than_those_of_fields(frames):
    rows = api.tables(NAME, FROZEN, "table1")["table1"].records()
    different = {(row["subject"], row["scope"]): row["BE inputs"]["difference"] for row in rows}
    compared = [difference for difference in different.values() if difference is not None]
    trials = frames.trials[frames.trials["generator"] == EXHAUSTIVE]
    assert compared == [0] * len(trials.groupby(["subject", "scope"]))
    scores = [(row["BE score [%]"]["measured"], row["FE score [%]"]["measured"]) for row in rows]
    both = [pair for pair in scores if None not in pair]
    assert both
    assert all(exhaustive >= of_fields for exhaustive, of_fields in both)


def test_field_exhaustive_suites_keep_to_theorem_2(frames):
    covering = frames.trials[frames.trials["extension"].notna()]
    assert set(covering["subject"]) == set(SUBJECTS.values())
    assert (covering["states"] <= covering["extension"]).all()
