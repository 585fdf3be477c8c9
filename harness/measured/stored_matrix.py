"""Reads the kill matrix of a subject at a scope from a stored run."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from types import MappingProxyType

from harness.analysis.kill_matrix import KillMatrix
from harness.analysis.titles import labels_apart, row_name
from harness.errors import StoreError, UsageError
from harness.model.experiment import ExecutionMode
from harness.model.outcome import OracleName
from harness.store import RunStore
from harness.store.facts import latest_trials


def matrix_at(
    folder: Path,
    subject: str,
    scope: int,
    oracle: OracleName = OracleName.DIFFERENTIAL,
    chosen: Mapping[str, str | int] = MappingProxyType({}),
) -> KillMatrix:
    """Return the matrix of `subject` at `scope` under an oracle.

    Args:
        chosen: the values of fields of the trial, such as its generator, its seed and its suite.

    Raises:
        UsageError: several trials are of these values.
        StoreError: no such trial was run to the end in matrix mode.
    """
    with RunStore.open_existing(folder) as store:
        finished = store.finished.keys()
        trials = [
            trial
            for trial in latest_trials(store.trials.under(oracle))
            if trial.subject == subject and trial.scope == scope and trial.mode is ExecutionMode.MATRIX
            if trial.key in finished and all(getattr(trial, name) == value for name, value in chosen.items())
        ]
        if not trials:
            asked = "".join(f", {name} {value}" for name, value in chosen.items())
            raise StoreError(
                f"{store.path}: {subject}{asked} has no complete kill matrix at scope {scope}; run it with --matrix"
            )
        trial, *others = trials
        if others:
            rows = [vars(one) for one in trials]
            labels = [label for label in labels_apart(rows) if label != "scope"]
            names = ", ".join(row_name(row, labels) for row in rows)
            raise UsageError(
                f"{store.path}: {subject} has {len(rows)} kill matrices at scope {scope} ({names}); name one by "
                "generator, seed or suite"
            )
        return KillMatrix.load(store, trial.key)
