"""The frozen run of beapi2023 is of every trial of its experiment, on the sources beside it, and shows them all."""

import pytest

from harness import api, resources
from harness.model.score import ScorePolicy
from harness.papers.beapi2023.run import NAME, SUBJECTS, paper_inputs
from harness.runner.experiment import load_experiment

FROZEN = resources.shipped("results/frozen") / NAME


@pytest.mark.end_to_end
def test_every_trial_of_the_experiment_is_there_and_shown():
    inputs = paper_inputs(api.load(FROZEN), ScorePolicy.ALL_VIABLE)
    expected = {(trial.subject, trial.generator, trial.scope) for trial in load_experiment(NAME).trials}
    assert inputs.generations.keys() == expected
    assert {subject for subject, _, _ in expected} == set(SUBJECTS.values())
    assert all(found.seconds is not None for found in inputs.generations.values())
    assert inputs.tells_exploring
