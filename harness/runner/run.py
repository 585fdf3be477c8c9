"""Runs an experiment into a folder, and continues after an earlier run was interrupted."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path

from harness.errors import BaselineError, FailedTrialsError, MutascopeError, StoreError
from harness.generators.registry import find_generator, is_plug_in, without_options
from harness.model.experiment import ExecutionMode, Experiment, Provenance, Trial
from harness.model.oracles import ORACLES, Proof
from harness.model.outcome import OracleName
from harness.runner.executors.local import LocalWorkforce
from harness.runner.executors.protocol import Workforce
from harness.runner.logs import logging_to, report_line
from harness.runner.making_record import MakingRecord
from harness.runner.postcondition_filter import without_postcondition
from harness.runner.provenance import provenance
from harness.runner.run_lock import locked
from harness.runner.shard_record import PlannedTrial, ShardRecord, planned_suite, refuse_shard
from harness.runner.shards import WHOLE, Shard
from harness.runner.subjects import load_subject, load_subjects
from harness.runner.trial import PreparedTrial, prepare, run_trial, share_of
from harness.sandbox.folders import collect_leftovers
from harness.store.connect import FILE_NAME
from harness.store.facts import FailedTrial, StoredTrial
from harness.store.run_store import RunStore


@dataclass(frozen=True)
class ShardRun:
    """A shard that was run: the number of its trials, and of the results of mutants in them."""

    folder: Path
    shard: Shard
    trials: int
    mutants: int


def run_experiment(experiment: Experiment, folder: Path, jobs: int, workforce: Workforce | None = None) -> list[str]:
    """Run all trials; return their keys in the experiment's order.

    Facts that the folder's store has already are not found again, so a run that was killed is finished by starting it
    again.

    Args:
        jobs: processes on this machine at once.
        workforce: the processes for trials (default: `jobs` on this machine).

    Raises:
        UsageError: another run writes to the folder, or a shard is stored there.
        StoreError: facts of the folder were changed by hand.
        MutascopeError: a subject, finitization or generator cannot be used, which is detected before any trial is run;
            or a trial cannot be run, and the trials before it are stored.
    """
    collect_leftovers()
    with locked(folder):
        refuse_shard(folder)
        _check_stored(folder)
        _describe_subjects(experiment)
        with RunStore.open(folder) as store:
            return _run_locked(experiment, store, workforce or LocalWorkforce(jobs), WHOLE)


def run_shard(experiment: Experiment, shard: Shard, folder: Path, jobs: int) -> ShardRun:
    """Run one shard of an experiment, or continue in the folder of the same shard.

    Raises:
        UsageError: another run writes to the folder, or something else is stored there.
        FailedTrialsError: trials could not be run; the shard is finished.
        MutascopeError: as `run_experiment`.
    """
    collect_leftovers()
    with locked(folder):
        _describe_subjects(experiment)
        record = ShardRecord.of(shard, experiment, _plan(experiment), provenance())
        record.begin(folder)
        with RunStore.open_shard(folder) as store:
            store.finished.check_unchanged()
            try:
                keys = _run_locked(experiment, store, LocalWorkforce(jobs), shard)
            except FailedTrialsError:
                record.complete(folder)  # the failures are stored like the facts of the other trials
                raise
            mutants = sum(len(store.results.finished_mutants(key)) for key in keys)
        record.complete(folder)
    return ShardRun(folder, shard, len(keys), mutants)


def _plan(experiment: Experiment) -> list[PlannedTrial]:
    """Return the trials of an experiment in its order, each under each of its oracles."""
    trials = [
        PlannedTrial(trial.subject, trial.generator, "", trial.scope, trial.seed, mode, oracle.value)
        for trial in experiment.trials
        for mode in [experiment.mode_of(trial).value]
        for oracle in _oracles_of(experiment, trial)
    ]
    if not experiment.suites:
        return trials
    from harness.runner.pytest_runs.package import modules_of

    modules = [module for suite in experiment.suites for module in modules_of(suite)]
    return [*trials, *(planned_suite(module, experiment) for module in modules)]


def _check_stored(folder: Path) -> None:
    """Refuse a folder whose stored facts were changed by hand, before anything is run."""
    if (folder / FILE_NAME).exists():
        with RunStore.open(folder) as store:
            store.finished.check_unchanged()


def _run_locked(experiment: Experiment, store: RunStore, workforce: Workforce, shard: Shard) -> list[str]:
    jobs = workforce.jobs
    began = MakingRecord.now(jobs) if experiment.trials else None  # it may start a process
    with logging_to(store.folder), _recorded_session(store, workforce):
        keys: list[str] = []
        checked_subjects: set[str] = set()
        failures: list[str] = []
        for trial in experiment.trials:
            of_generator: type[MutascopeError] = MutascopeError
            try:
                share = share_of(trial, experiment, shard)
                if share.is_empty:
                    continue
                prepared = prepare(trial, jobs, experiment.operators, began, share)
                of_generator = BaselineError  # other errors are those of machines, and of the harness itself
                oracles = _oracles_of(experiment, trial)
                by_promises = any(ORACLES[oracle].proof is Proof.PROMISES for oracle in oracles)
                if by_promises and trial.subject not in checked_subjects:
                    checked_subjects.add(trial.subject)
                    _tell_unpromised(prepared)
                keys += [run_trial(prepared, experiment, store, workforce, oracle) for oracle in oracles]
                _end_failures(trial, experiment, store, has_failed=False)
            except MutascopeError as error:
                _record_failure(trial, error, of_generator, store)
                _end_failures(trial, experiment, store, has_failed=True)
                if len(experiment.trials) == 1:
                    raise
                failures.append(f"{trial}: {error}")
                if failures[-1] not in failures[:-1]:  # other seeds fail in the same way
                    report_line(failures[-1])
        if experiment.suites:
            from harness.runner.pytest_runs.package import modules_of
            from harness.runner.pytest_runs.run import run_modules

            targets = [modules_of(suite) for suite in experiment.suites]
            for modules in targets:
                keys += run_modules(modules, experiment, store, workforce, shard)
        if failures:
            count = len(experiment.trials)
            remark = f"; the others are stored in {store.folder}" * (len(failures) < count or bool(experiment.suites))
            message = f"{len(failures)} of {count} trials could not be run, as said above{remark}"
            raise FailedTrialsError(message, store.folder)
        return list(dict.fromkeys(keys))


def _record_failure(trial: Trial, error: MutascopeError, of_generator: type[MutascopeError], store: RunStore) -> None:
    """Record that a generator of a user, or of another package, has failed; those of other generators go on.

    Args:
        of_generator: the kind of errors that a generator can cause at this stage.

    Raises:
        MutascopeError: the generator is a built-in one, or has not caused the error.
    """
    if not is_plug_in(trial.generator) or isinstance(error, StoreError) or not isinstance(error, of_generator):
        raise error
    reason = " ".join(str(error).split())
    earlier = [_place(stored) for stored in store.trials.all() if stored.generator == trial.generator]
    if _place(trial) in earlier:
        reason += "; the results under this name are of an earlier run"
    title = load_subject(trial.subject).title
    store.failures.add(FailedTrial(trial.subject, title, trial.generator, trial.scope, trial.seed, reason))


def _end_failures(trial: Trial, experiment: Experiment, store: RunStore, has_failed: bool) -> None:
    """Record that earlier failures are over: that of a trial that was run now, and those with other options.

    A generator with other options stays if the experiment asks for it, too.
    """
    requested_names, maker = {one.generator for one in experiment.trials}, without_options(trial.generator)
    for failed in store.failures.all():
        is_same = failed.generator == trial.generator and not has_failed
        is_replaced = failed.generator not in requested_names and without_options(failed.generator) == maker
        if _place(failed) == _place(trial) and (is_same or is_replaced):
            store.failures.end(failed)


def _place(trial: Trial | StoredTrial | FailedTrial) -> tuple[str, int, int]:
    return trial.subject, trial.scope, trial.seed


@contextmanager
def _recorded_session(store: RunStore, workforce: Workforce) -> Iterator[None]:
    """Record this invocation with its workers if it adds a fact, and once more at the end if others have come."""
    sessions: list[Provenance] = []

    def session() -> Provenance:
        sessions.append(replace(provenance(started), workers=workforce.workers))
        return sessions[0]

    started = datetime.now(UTC)
    store.sessions.add_before_change(session)
    try:
        yield
    finally:
        if sessions and workforce.workers != sessions[0].workers:
            store.sessions.add(replace(sessions[0], workers=workforce.workers))


def _oracles_of(experiment: Experiment, trial: Trial) -> tuple[OracleName, ...]:
    """Return the oracles that judge a trial. If no mutant is run, the differential one stands for all."""
    generates = experiment.mode_of(trial) is ExecutionMode.GENERATE
    return (OracleName.DIFFERENTIAL,) if generates else experiment.oracles_of(trial)


def _tell_unpromised(prepared: PreparedTrial) -> None:
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
