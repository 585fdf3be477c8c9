"""Reads the kill matrix of a stored run at any scope up to the largest one run in matrix mode."""

from __future__ import annotations

from pathlib import Path

from harness.analysis.kill_matrix import KillMatrix
from harness.analysis.nesting import index_map
from harness.errors import StoreError
from harness.model.experiment import ExecutionMode, Trial
from harness.model.outcome import OracleName
from harness.model.widened_bounds import extended
from harness.runner.subjects import finitization_of, load_subject
from harness.runner.suites import ensure_suite, stored_suite
from harness.store import RunStore, StoredTrial


def matrix_at(
    folder: Path, subject: str, scope: int, oracle: OracleName = OracleName.DIFFERENTIAL, suite: str | None = None
) -> KillMatrix:
    """Return the matrix of `subject` at `scope` under an oracle: as run, or taken out of that of the next larger scope.

    Args:
        suite: the name of a pytest suite, of which there may be several; None: the one stored last.

    Raises:
        StoreError: no trial of the subject at this or a larger scope was run to the end in matrix mode, or its suite
            is not the one generated now.
        NestingError: an input of `scope` is not in the larger suite.
    """
    with RunStore.open_existing(folder) as store:
        finished = store.finished.keys()
        trials = [
            trial
            for trial in store.trials.under(oracle)
            if trial.subject == subject and trial.scope >= scope and trial.mode is ExecutionMode.MATRIX
            if trial.key in finished and suite in (None, trial.suite)
        ]
        if not trials:
            raise StoreError(
                f"{store.path}: {subject} has no complete kill matrix at scope {scope} or above; run it with --matrix"
            )
        trial = min(reversed(trials), key=lambda t: t.scope)  # of several at one scope, the last one stored
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
