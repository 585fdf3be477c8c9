"""The freezing of a run into small text files."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pandas as pd

from harness.analysis.frozen import write_frozen
from harness.measured.condition_outcome_cache import FOLDER as OUTCOMES
from harness.measured.scored_criteria import FOLDER as CRITERIA
from harness.model.outcome import OracleName
from harness.model.pytest_suite import PYTEST, SCOPE
from harness.runner.experiment import load_experiment
from harness.runner.pytest_runs.project import modules_of
from harness.tables.stored import Run


def freeze(run: Run, folder: Path | str, experiment: str | None = None) -> Path:
    """Write small text files, from which tables and figures can be rebuilt without the run. Return their folder.

    The criteria are among them where they were scored before, and the evaluated suites where condition outcomes
    were measured.

    Args:
        experiment: name or path of the experiment that was run; trials that it does not list, as ones that it
            had before, are left out.

    Raises:
        UsageError: there is no such experiment.
    """
    frames = replace(run.all_frames, samples=run.with_samples.samples)
    if (run.folder / CRITERIA).is_dir():
        frames = replace(frames, criteria=run.with_criteria.criteria)
    if (run.folder / OUTCOMES).is_dir():
        frames = replace(frames, evaluated=run.with_evaluated.evaluated)
    if experiment is not None:
        frames = replace(frames, trials=_listed(frames.trials, experiment))
    write_frozen(frames, Path(folder))
    return Path(folder)


def _listed(trials: pd.DataFrame, experiment: str) -> pd.DataFrame:
    """Return the trials that an experiment lists, in the mode and under the oracles that it gives, and its suites."""
    loaded = load_experiment(experiment)
    listed = {
        (t.subject, t.generator, "", t.scope, t.seed, loaded.mode_of(t).value, oracle.value)
        for t in loaded.trials
        for oracle in loaded.oracles_of(t)
    }
    listed |= {
        (module.target, PYTEST, module.name, SCOPE, module.seed, loaded.mode.value, OracleName.DIFFERENTIAL.value)
        for suite in loaded.suites
        for module in modules_of(suite)
    }
    columns = ("subject", "generator", "suite", "scope", "seed", "mode", "oracle")
    rows = zip(*(trials[column] for column in columns), strict=True)
    return trials[[row in listed for row in rows]]
