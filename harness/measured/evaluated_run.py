"""Evaluates the suites of a stored run: the coverage and the kills of each, stored or measured, side by side."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pandas as pd

from harness.analysis.comparable_suites import comparable_suites
from harness.analysis.evaluated_suites import EvaluatedSuite, evaluated
from harness.analysis.first_kills import FirstKills
from harness.analysis.frames import checked_frame
from harness.analysis.kill_matrix import KillMatrix
from harness.measured.condition_outcome_cache import trials_with_outcomes
from harness.measured.fixed_domains import fixed_domains
from harness.measured.scored_criteria import suite_of
from harness.measured.suite_inputs import calls_of
from harness.model.experiment import ExecutionMode
from harness.runner.logs import LOGGER
from harness.runner.subjects import load_subject
from harness.store import RunStore, StoredTrial


def evaluate_run(folder: Path) -> pd.DataFrame:
    """Return a frame of EVALUATED for a run's finished trials; condition outcomes are measured if they are not stored.

    A warning names each domain that one generator varies and another fixes.

    Raises:
        StoreError: as `trials_with_outcomes`, and as `comparable_suites`.
    """
    by_subject: dict[str, list[EvaluatedSuite]] = {}
    trials = trials_with_outcomes(folder)
    compared = comparable_suites(folder)
    for line in (line for at_scope in compared for line in fixed_domains(at_scope)):
        LOGGER.warning("%s", line)
    loaded = {suite.trial.key: suite.kills for one in compared for of in one.suites.values() for suite in of}
    with RunStore.open_existing(folder) as store:
        for trial, outcomes in trials:
            suite = suite_of(load_subject(trial.subject), trial)
            kills = loaded[trial.key] if trial.key in loaded else _kills(store, trial)
            by_subject.setdefault(trial.subject, []).append(EvaluatedSuite(trial, outcomes, calls_of(suite), kills))
    rows: list[dict[str, Any]] = [
        row
        for subject, suites in by_subject.items()
        for row in evaluated(suites, [one for one in compared if one.subject == subject])
    ]
    return checked_frame("evaluated", rows)


def _kills(store: RunStore, trial: StoredTrial) -> KillMatrix | FirstKills | None:
    if trial.mode is ExecutionMode.MATRIX:
        return KillMatrix.load(store, trial.key)
    return FirstKills.load(store, trial.key) if trial.mode is ExecutionMode.FIRST_KILL else None
