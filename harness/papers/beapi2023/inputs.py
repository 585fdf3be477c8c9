"""Reads the data of the tables and figures of beapi2023 from a stored run."""

from __future__ import annotations

from dataclasses import replace

from harness import resources
from harness.model.score import ScorePolicy
from harness.papers.beapi2023.dataset import BeapiInputs
from harness.papers.own import are_as_shipped
from harness.tables.stored import Run, check_has_trials


def paper_inputs(run: Run, _: ScorePolicy) -> BeapiInputs:
    """Return the run without trials of modified subjects; the tables have no score, so they need no policy.

    Raises:
        StoreError: no trial is stored yet.
    """
    check_has_trials(run)
    trials = run.frames.trials
    return BeapiInputs(replace(run.frames, trials=trials[are_as_shipped(trials)]), resources.published_folder())
