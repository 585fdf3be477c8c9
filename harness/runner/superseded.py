"""Trials on an earlier version of a subject, which cannot be verified once there are trials on the present version."""

from __future__ import annotations

from harness.model.pytest_suite import PYTEST
from harness.runner.subjects import load_subject
from harness.store.facts import StoredTrial, latest_trials
from harness.store.run_store import RunStore


def superseded(store: RunStore) -> list[StoredTrial]:
    """Return the trials on another version of a subject than the present one, if another trial is on the present one.

    A run after an edit left out their scope or generator. If no verdict of a subject is on its present version, it was
    edited after the last run, and its trials are not superseded. Pytest suites are not looked at.

    Raises:
        MutascopeError: a subject cannot be loaded.
    """
    latest = [trial for trial in latest_trials(store.trials.all()) if trial.generator != PYTEST]
    of_subjects = [trial for trial in latest if store.results.finished_mutants(trial.key)]
    names = dict.fromkeys(trial.subject for trial in of_subjects)
    present = {name: load_subject(name).content_hash for name in names}
    rerun = {trial.subject for trial in of_subjects if trial.subject_hash == present[trial.subject]}
    return [t for t in of_subjects if t.subject in rerun and t.subject_hash != present[t.subject]]


def superseded_note(trial: StoredTrial) -> str:
    """Return the line that says why a trial is not verified."""
    return f"{trial} is superseded: it was run before an edit of {trial.subject}, and cannot be verified any more"
