"""Runs an experiment into a folder, and continues after an earlier run was interrupted."""

from __future__ import annotations

import sys
from pathlib import Path

from harness.errors import MutascopeError, StoreError, UsageError
from harness.generators.registry import find_generator, is_own
from harness.model.experiment import ExecutionMode, Experiment, Trial
from harness.model.oracles import ORACLES, Proof
from harness.model.outcome import OracleName
from harness.runner.logs import logging_to, report_line
from harness.runner.making import Making
from harness.runner.postcondition_filter import without_postcondition
from harness.runner.provenance import provenance
from harness.runner.run_lock import locked
from harness.runner.subjects import load_subjects
from harness.runner.trial import Prepared, prepare, run_trial
from harness.sandbox.folders import collect_leftovers
from harness.store.connect import FILE_NAME
from harness.store.run_store import RunStore


def run_experiment(experiment: Experiment, folder: Path, jobs: int) -> list[str]:
    """Run all trials; return their keys in the experiment's order.

    Facts that the folder's store has already are not found again, so a run that was killed is finished by starting it
    again.

    Raises:
        UsageError: another run writes to the folder.
        StoreError: facts of the folder were changed by hand.
        MutascopeError: a subject, finitization or generator cannot be used, which is detected before any trial is run;
            or a trial cannot be run, and the trials before it are stored.
    """
    collect_leftovers()
    with locked(folder):
        _check_stored(folder)
        return _run_locked(experiment, folder, jobs)


def _check_stored(folder: Path) -> None:
    """Refuse a folder whose stored facts were changed by hand, before anything is run."""
    if (folder / FILE_NAME).exists():
        with RunStore.open(folder) as store:
            store.finished.check_unchanged()


def _run_locked(experiment: Experiment, folder: Path, jobs: int) -> list[str]:
    began = Making.now(jobs)
    _describe_subjects(experiment)
    with RunStore.open(folder) as store, logging_to(folder):
        store.sessions.add(provenance())
        keys: list[str] = []
        checked_subjects: set[str] = set()
        failures: list[str] = []
        for trial in experiment.trials:
            try:
                prepared = prepare(trial, jobs, experiment.operators, began)
                oracles = _oracles_of(experiment, trial)
                by_promises = any(ORACLES[oracle].proof is Proof.PROMISES for oracle in oracles)
                if by_promises and trial.subject not in checked_subjects:
                    checked_subjects.add(trial.subject)
                    _tell_unpromised(prepared)
                keys += [run_trial(prepared, experiment, store, jobs, oracle) for oracle in oracles]
            except MutascopeError as error:
                if len(experiment.trials) == 1 or not is_own(trial.generator):
                    raise
                failures.append(f"{trial}: {error}")
                report_line(failures[-1])  # the trials of other generators go on
        if experiment.suites:
            from harness.runner.pytest_runs.package import modules_of
            from harness.runner.pytest_runs.run import run_modules

            targets = [modules_of(suite) for suite in experiment.suites]
            for modules in targets:
                keys += run_modules(modules, experiment, store, jobs)
        if failures:
            raise UsageError(
                f"{len(failures)} of {len(experiment.trials)} trials could not be run, as said above; the others are "
                f"stored in {folder}"
            )
        return list(dict.fromkeys(keys))


def _oracles_of(experiment: Experiment, trial: Trial) -> tuple[OracleName, ...]:
    """Return the oracles that judge a trial. If no mutant is run, the differential one stands for all."""
    generates = experiment.mode_of(trial) is ExecutionMode.GENERATE
    return (OracleName.DIFFERENTIAL,) if generates else experiment.oracles_of(trial)


def _tell_unpromised(prepared: Prepared) -> None:
    """Print one line that names the routines for which a spec promises nothing but rep_ok."""
    subject, interface = prepared.subject, prepared.interface
    names = without_postcondition(subject.spec_source, (*interface.methods, *interface.functions))
    if names:
        warning = f"{subject.spec_path}: no postcondition of {', '.join(names)}: of these, rep_ok alone is promised"
        print(warning, file=sys.stderr)


def _describe_subjects(experiment: Experiment) -> None:
    """Describe all specs in one process, at all scopes of the experiment."""
    scopes: dict[str, list[int]] = {}
    for trial in experiment.trials:
        find_generator(trial.generator)
        scopes.setdefault(trial.subject, []).append(trial.scope)
    if scopes:
        load_subjects(scopes, mutated=True)


def default_folder(experiment: Experiment) -> Path:
    """`results/<experiment>` in the folder one stands in."""
    return Path("results") / experiment.name


def existing_folder(folder: Path) -> Path:
    """Return the folder of a run.

    Raises:
        StoreError: there is no such folder.
    """
    if not folder.is_dir():
        raise StoreError(f"{folder}: no such folder; run an experiment first (mutascope run EXPERIMENT)")
    return folder
