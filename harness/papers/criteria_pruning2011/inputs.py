"""Reads the data of the tables and figures of criteria_pruning2011 from a stored run."""

from __future__ import annotations

from dataclasses import replace

from harness import resources
from harness.model.score import ScorePolicy
from harness.papers.criteria_pruning2011.dataset import OPERATORS, CriteriaInputs
from harness.papers.own import are_as_shipped
from harness.tables.stored import Run, check_has_trials, proven_under


def paper_inputs(run: Run, policy: ScorePolicy) -> CriteriaInputs:
    """Return the run's trials of subjects as they ship and of the paper's operators, with scored criteria.

    Raises:
        StoreError: no trial is stored yet.
        MutascopeError: as scoring the criteria.
    """
    check_has_trials(run)
    frames = run.with_criteria
    trials = frames.trials
    operators = zip(are_as_shipped(trials), trials["operator_set"], strict=True)
    own = [shipped and operator_set == OPERATORS for shipped, operator_set in operators]
    mine = replace(frames, trials=trials[own])
    return CriteriaInputs(mine, resources.published_folder(), policy, proven_under(run, policy))
