"""Reads the kill matrix of a stored run at any scope up to the largest one run in matrix mode."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from types import MappingProxyType

from harness.analysis.kill_matrix import KillMatrix
from harness.analysis.nesting import index_map
from harness.analysis.titles import row_name, varies
from harness.errors import StoreError, UsageError
from harness.model.experiment import ExecutionMode, Trial
from harness.model.outcome import OracleName
from harness.model.widened_bounds import extended
from harness.runner.subjects import finitization_of, load_subject
from harness.runner.suites import ensure_suite, stored_suite
from harness.store import RunStore, StoredTrial
from harness.store.facts import CONDITIONS, latest_trials


def matrix_at(
    folder: Path,
    subject: str,
    scope: int,
    oracle: OracleName = OracleName.DIFFERENTIAL,
    chosen: Mapping[str, str | int] = MappingProxyType({}),
) -> KillMatrix:
    """Return the matrix of `subject` at `scope` under an oracle: as run, or taken out of that of the next larger scope.

    Args:
        chosen: the values of fields of the trial, such as its generator, its seed and its suite.

    Raises:
        UsageError: several trials are of these values.
        StoreError: no such trial at this or a larger scope was run to the end in matrix mode, or its suite is not the
            one generated now.
        NestingError: an input of `scope` is not in the larger suite.
    """
    with RunStore.open_existing(folder) as store:
        finished = store.finished.keys()
        trials = [
            trial
            for trial in latest_trials(store.trials.under(oracle))
            if trial.subject == subject and trial.scope >= scope and trial.mode is ExecutionMode.MATRIX
            if trial.key in finished and all(getattr(trial, name) == value for name, value in chosen.items())
        ]
        if not trials:
            asked = "".join(f", {name} {value}" for name, value in chosen.items())
            raise StoreError(
                f"{store.path}: {subject}{asked} has no complete kill matrix at scope {scope} or above; run it with "
                "--matrix"
            )
        least = min(trial.scope for trial in trials)
        trial, *others = [trial for trial in trials if trial.scope == least]
        if others:
            rows = [vars(one) for one in (trial, *others)]
            labels = [
                "generator",
                *(name for name in ("suite", *CONDITIONS, "approach", "seed") if varies(name, rows, ())),
            ]
            names = ", ".join(row_name(row, labels) for row in rows)
            raise UsageError(
                f"{store.path}: {subject} has {len(rows)} kill matrices at scope {least} ({names}); name one by "
                "generator, seed or suite"
            )
        matrix = KillMatrix.load(store, trial.key)
    return matrix if trial.scope == scope else _sub_matrix(matrix, trial, scope)


def _sub_matrix(matrix: KillMatrix, trial: StoredTrial, scope: int) -> KillMatrix:
    subject = load_subject(trial.subject)
    larger = stored_suite(subject, trial)
    if larger.header.digest != trial.suite_digest:
        raise StoreError(f"{trial}: its inputs are not those generated now; the subject was changed, run it again")
    smaller = ensure_suite(subject, Trial(trial.subject, trial.generator, scope, trial.seed))
    numbers = index_map(
        smaller,
        extended(finitization_of(subject, scope), smaller.header.outside),
        larger,
        extended(finitization_of(subject, trial.scope), larger.header.outside),
    )
    return matrix.restricted(numbers)
