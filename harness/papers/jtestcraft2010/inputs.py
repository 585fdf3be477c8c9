"""Reads the data of the tables and figures of jtestcraft2010 from a stored run."""

from __future__ import annotations

from dataclasses import replace

from harness import resources
from harness.model.score import ScorePolicy
from harness.papers.jtestcraft2010.classes import SUBJECTS
from harness.papers.jtestcraft2010.dataset import OPERATORS, JtestcraftInputs
from harness.papers.jtestcraft2010.evaluation import FURTHER
from harness.papers.own import are_as_shipped
from harness.tables.stored import Run, check_has_trials


def paper_inputs(run: Run, _: ScorePolicy) -> JtestcraftInputs:
    """Return the run's trials of the seven classes and of `FURTHER` subjects, as they ship and of operator set
    `mujava`.

    All viable mutants count.

    Raises:
        StoreError: no trial is stored yet, or the condition outcomes of none can be measured.
    """
    check_has_trials(run)
    frames = run.with_evaluated
    trials = frames.trials
    facts = zip(are_as_shipped(trials), trials["operator_set"], trials["subject"], strict=True)
    subjects = {*SUBJECTS.values(), *FURTHER}
    own = [shipped and operators == OPERATORS and name in subjects for shipped, operators, name in facts]
    return JtestcraftInputs(replace(frames, trials=trials[own]), resources.published_folder())
