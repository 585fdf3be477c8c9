"""Verifies a run: all trials, both of generated suites and of pytest suites."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from harness.runner.origins import measured_elsewhere
from harness.runner.pytest_runs.verify import has_suites, verify_suites
from harness.runner.subjects import load_subject
from harness.runner.suites import stored_suite
from harness.runner.verify import Verification, verify
from harness.store.facts import StoredTrial
from harness.store.run_store import RunStore


def verify_run(
    folder: Path,
    sample: int | None,
    seed: int,
    jobs: int,
) -> Verification:
    """Compare the facts of a run with facts that are derived, measured and executed again.

    Raises:
        MutascopeError: as `verify` and `verify_suites`.
    """
    with RunStore.open_existing(folder) as store:
        there = measured_elsewhere(store)
    verification = _reexecuted(folder, sample, seed, jobs)
    if not there:
        return verification
    note = f"coverage is not measured again, as it was measured under {there}"
    return replace(verification, notes=(*verification.notes, note))


def _reexecuted(folder: Path, sample: int | None, seed: int, jobs: int) -> Verification:
    of_suites, of_inputs = has_suites(folder)
    if of_suites and not of_inputs:
        checked, disagreements = verify_suites(folder, sample, seed, jobs)
        return Verification(checked, tuple(disagreements))

    def suite_of(trial: StoredTrial) -> Path:
        return stored_suite(load_subject(trial.subject), trial).folder

    verification = verify(folder, suite_of=suite_of, sample=sample, seed=seed, jobs=jobs)
    if not of_suites:
        return verification
    checked, disagreements = verify_suites(folder, sample, seed, jobs)
    return replace(
        verification,
        checked=verification.checked + checked,
        disagreements=(*verification.disagreements, *disagreements),
    )
