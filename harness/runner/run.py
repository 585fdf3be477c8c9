"""Runs an experiment into a folder, and continues after an earlier run was interrupted."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import partial
from pathlib import Path

from harness.errors import OF_SUBJECT, FailedTrialsError, MutascopeError, StoreError
from harness.generators.registry import find_generator, is_plug_in, makes_sequences, without_options
from harness.model.experiment import ExecutionMode, Experiment, Trial
from harness.model.outcome import OracleName
from harness.resources import without_folders
from harness.runner.logs import logging_to, report_line
from harness.runner.provenance import MakingRecord, provenance
from harness.runner.run_lock import locked
from harness.runner.shards import WHOLE, PlannedTrial, Shard, ShardRecord, planned_suite, refuse_shard
from harness.runner.subjects import load_subject, load_subjects
from harness.runner.trial import prepare, run_trial, share_of
from harness.store.facts import FailedTrial, StoredTrial
from harness.store.run_store import RunStore

_WHAT_A_MATRIX_ADDS = (
    "each mutant runs up to its first kill, so first inputs of suites can be compared, but no drawn ones; mode matrix "
    "(--matrix) adds the rows for both, for 1.6 to 2.1 times the processor time"
)
"""Measured on search_tree, heap_array, linked_list and red_black_tree, with korat, beapi and random."""


@dataclass(frozen=True)
class ShardRun:
    """A shard that was run: the keys of its trials, and the number of results of mutants in them."""

    folder: Path
    shard: Shard
    keys: tuple[str, ...]
    mutants: int

    @property
    def trials(self) -> int:
        """The number of its trials."""
        return len(self.keys)


def run_experiment(experiment: Experiment, folder: Path, jobs: int) -> list[str]:
    """Run all trials; return their keys in the experiment's order.

    Facts that the folder's store has already are not found again, so a run that was killed is finished by starting it
    again.

    Args:
        jobs: processes on this machine at once.

    Raises:
        UsageError: another run writes to the folder, or a shard is stored there.
        FailedTrialsError: some of several trials failed by their subject or their generator; the others are stored.
        MutascopeError: a name does not exist, or a spec cannot be loaded. Nothing was run then.
        MutascopeError: the only trial failed; or the harness failed, and the trials before that are stored.
    """
    with locked(folder):
        refuse_shard(folder)
        describe_subjects(experiment)
        with RunStore.open(folder) as store:
            return _run_locked(experiment, store, jobs, WHOLE)


def run_shard(experiment: Experiment, shard: Shard, folder: Path, jobs: int, finished: Sequence[str] = ()) -> ShardRun:
    """Run one shard of an experiment, or continue in the folder of the same shard.

    Args:
        finished: keys of trials that are finished elsewhere, and so are not run.

    Raises:
        UsageError: another run writes to the folder, or something else is stored there.
        FailedTrialsError: as `run_experiment`; the shard is finished.
        MutascopeError: as `run_experiment`.
    """
    with locked(folder):
        describe_subjects(experiment)
        record = ShardRecord.begun(shard, experiment, plan_of(experiment), provenance())
        record.begin(folder)
        with RunStore.open(folder, is_shard=True) as store:
            for key in finished:
                store.finished.add(key)
            try:
                keys = _run_locked(experiment, store, jobs, shard)
            except FailedTrialsError:
                record.end(folder)  # the failures are stored like the facts of the other trials
                raise
            mutants = sum(len(store.results.finished_mutants(key)) for key in keys)
        record.end(folder)
    return ShardRun(folder, shard, tuple(keys), mutants)


def plan_of(experiment: Experiment) -> list[PlannedTrial]:
    """Return the trials of an experiment in its order, each under each of its oracles."""
    trials = [
        PlannedTrial(trial.subject, trial.generator, "", trial.scope, trial.seed, mode, oracle.value)
        for trial in experiment.trials
        for mode in [experiment.mode_of(trial).value]
        for oracle in _oracles_of(experiment, trial)
    ]
    if not experiment.suites:
        return trials
    from harness.runner.pytest_runs.project import modules_of

    modules = [module for suite in experiment.suites for module in modules_of(suite)]
    return [*trials, *(planned_suite(module, experiment) for module in modules)]


def _run_locked(experiment: Experiment, store: RunStore, jobs: int, shard: Shard) -> list[str]:
    started = datetime.now(UTC)
    store.sessions.add_before_change(partial(provenance, started))
    with logging_to(store.folder):
        failures: list[tuple[Trial, str]] = []
        keys = _run_trials(experiment, store, jobs, shard, failures)
        if experiment.suites:
            from harness.runner.pytest_runs.project import modules_of
            from harness.runner.pytest_runs.run import run_modules

            targets = [modules_of(suite) for suite in experiment.suites]
            for modules in targets:
                keys += run_modules(modules, experiment, store, jobs, shard)
        refuse_failures(experiment, len(failures), store.folder, keys)
        return list(dict.fromkeys(keys))


def refuse_failures(experiment: Experiment, failures: int, folder: Path, keys: Sequence[str]) -> None:
    """Raise a FailedTrialsError if trials have failed, which says where the others are."""
    if failures:
        count = len(experiment.trials)
        remark = f"; the others are stored in {folder}" * (failures < count or bool(experiment.suites))
        message = f"{failures} of {count} trials could not be run, as said above{remark}"
        raise FailedTrialsError(message, folder, tuple(keys))


def _run_trials(
    experiment: Experiment, store: RunStore, jobs: int, shard: Shard, failures: list[tuple[Trial, str]]
) -> list[str]:
    """Run the trials of generators; return their keys, and append those that failed to `failures`, with the reason."""
    first_kills = [one for one in experiment.trials if experiment.mode_of(one) is ExecutionMode.FIRST_KILL]
    if len({trial.generator for trial in first_kills}) > 1:
        report_line(_WHAT_A_MATRIX_ADDS)
    began = MakingRecord.now() if experiment.trials else None  # it may start a process
    keys: list[str] = []
    for trial in experiment.trials:
        is_prepared = False
        try:
            share = share_of(trial, experiment, shard)
            if share.is_empty:
                continue
            prepared = prepare(trial, experiment.operators, began, share)
            is_prepared = True
            for oracle in _oracles_of(experiment, trial):
                keys.append(run_trial(prepared, experiment, store, jobs, oracle))
            end_failures(trial, experiment, store, has_failed=False)
        except MutascopeError as error:
            if not _is_failure(trial, error, is_prepared):
                raise
            subject = load_subject(trial.subject)
            reason = without_folders(str(error), {subject.spec_path.parent.resolve(): subject.name})
            _record_failure(trial, subject.title, reason, keys, store)
            end_failures(trial, experiment, store, has_failed=True)
            if len(experiment.trials) + len(experiment.suites) == 1:
                raise
            failures.append((trial, reason))
            _report_failure(failures)
    return keys


def _is_failure(trial: Trial, error: MutascopeError, is_prepared: bool) -> bool:
    """Return whether an error is of the trial's subject, or of a generator that is no built-in one.

    Errors of stores, of machines, and of the harness itself end the run.

    Args:
        is_prepared: whether the generator has done its part.
    """
    of_plug_in = is_plug_in(trial.generator) and not is_prepared and not isinstance(error, StoreError)
    return of_plug_in or isinstance(error, OF_SUBJECT)


def _record_failure(trial: Trial, title: str, reason: str, keys: Sequence[str], store: RunStore) -> None:
    """Record that a trial failed, and whether there are results of an earlier run in its place.

    Args:
        keys: the trials that this run has results of.
    """
    reason = " ".join(reason.split())
    if any(
        stored.generator == trial.generator
        and _place(stored) == _place(trial)
        and stored.key not in keys
        and store.finished.has(stored.key)
        for stored in store.trials.all()
    ):
        reason += "; the results under this name are of an earlier run"
    store.failures.add(FailedTrial(trial.subject, title, trial.generator, trial.scope, trial.seed, reason))


def _report_failure(failures: Sequence[tuple[Trial, str]]) -> None:
    """Print the last failure in a line, unless another seed or scope has failed in the same words."""
    *earlier, (trial, reason) = failures
    if (trial.subject, trial.generator, reason) not in [(one.subject, one.generator, words) for one, words in earlier]:
        report_line(f"{trial}: {reason}")


def end_failures(trial: Trial, experiment: Experiment, store: RunStore, has_failed: bool) -> None:
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


def _oracles_of(experiment: Experiment, trial: Trial) -> tuple[OracleName, ...]:
    """Return the oracles that judge a trial. If no mutant is run, the differential one stands for all."""
    generates = experiment.mode_of(trial) is ExecutionMode.GENERATE
    return (OracleName.DIFFERENTIAL,) if generates else experiment.oracles_of(trial)


def describe_subjects(experiment: Experiment) -> None:
    """Describe all specs in one process, at all scopes of the experiment."""
    scopes: dict[str, list[int]] = {}
    sequences: dict[str, list[int]] = {}
    for trial in experiment.trials:
        scopes.setdefault(trial.subject, []).append(trial.scope)
        if makes_sequences(find_generator(trial.generator)):
            sequences.setdefault(trial.subject, []).append(trial.scope)
    if scopes:
        load_subjects(scopes, mutated=True, sequences=sequences)


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
