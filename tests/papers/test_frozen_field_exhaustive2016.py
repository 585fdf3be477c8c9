"""The run of field_exhaustive2016 that ships is of the sources beside it and of its experiment, and keeps its laws."""

import pytest
from support.subjects import load_subject

from harness import api, resources
from harness.papers.field_exhaustive2016.run import EXHAUSTIVE, NAME, SUBJECTS
from harness.runner.experiment import load_experiment
from harness.runner.mutant_set import mutant_set

FROZEN = resources.shipped("results/frozen") / NAME


@pytest.fixture(scope="module")
def frames():
    return api.load(FROZEN).all_frames


@pytest.mark.end_to_end
def test_it_was_run_on_the_sources_and_pinned_mutants_beside_it(frames):
    assert set(frames.trials["subject"]) == set(SUBJECTS.values())
    for name, trials in frames.trials.groupby("subject"):
        subject = load_subject(name)[0]
        assert set(trials["subject_hash"]) == {subject.content_hash}
        pinned = {mutant.id for mutant in mutant_set(subject, "mujava").mutants}
        for trial in trials.loc[trials["mode"] != "generate", "trial"]:
            assert set(frames.results.loc[frames.results["trial"] == trial, "mutant"]) == pinned


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


@pytest.mark.end_to_end
def test_no_largest_field_exhaustive_suite_is_better_than_the_largest_exhaustive_one():
    rows = api.tables(NAME, FROZEN, "claims")["claims"].records()
    outcomes = {row["subject"]: row["outcome"]["measured"] for row in rows if row["claim"] == "largest suites"}
    assert outcomes == dict.fromkeys(SUBJECTS, "DOES NOT HOLD")
