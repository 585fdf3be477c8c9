"""Reads the data of the tables and figures of field_exhaustive2016 from a stored run."""

from __future__ import annotations

from dataclasses import replace

from harness import resources
from harness.model.score import ScorePolicy
from harness.papers.field_exhaustive2016.dataset import OPERATORS, FieldExhaustiveInputs
from harness.papers.field_exhaustive2016.refactorings import FILE, read_refactored
from harness.papers.own import are_as_shipped
from harness.tables.stored import Run, check_has_trials, proven_under


def paper_inputs(run: Run, policy: ScorePolicy) -> FieldExhaustiveInputs:
    """Return the run's trials of subjects as they ship and of the paper's operators, under every oracle.

    Raises:
        StoreError: no trial is stored yet, or the results of the second domain are damaged.
    """
    check_has_trials(run)
    trials = run.all_frames.trials
    operators = zip(are_as_shipped(trials), trials["operator_set"], strict=True)
    own = [shipped and operator_set == OPERATORS for shipped, operator_set in operators]
    return FieldExhaustiveInputs(
        replace(run.all_frames, trials=trials[own]),
        resources.published_folder(),
        policy,
        proven_under(run, policy),
        read_refactored(resources.shipped("results/frozen") / FILE),
    )
