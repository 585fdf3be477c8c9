"""One trial: suite, controls, mutants in their order, and coverage, each fact stored as it is found."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from time import perf_counter
from typing import TYPE_CHECKING, Any

from harness.amounts import counted
from harness.errors import OF_SUBJECT, MutascopeError, UsageError
from harness.kernel.inputs.suites import SuiteHeader, SuiteReader
from harness.kernel.specs.described import preconditions
from harness.measuring.measurement import code_measurement, coverage_by_function, specification_measurement
from harness.model.details import facts_among
from harness.model.experiment import DEFAULT_OPERATORS, ExecutionMode, Experiment, Trial
from harness.model.finitization import DomainKind
from harness.model.interface import Interface
from harness.model.outcome import ORACLES, Mutant, OracleName, Proof
from harness.model.sequence import ON_MUTANT
from harness.model.stop_reason import suite_remarks
from harness.model.subject import Subject
from harness.mutation.program import room_for
from harness.runner.executors.local import ExecutorRun, LocalExecutor
from harness.runner.executors.worker_process import Work
from harness.runner.instrument import check_calls
from harness.runner.logs import LOGGER, report_line
from harness.runner.mutant_results import finding_of, store_findings
from harness.runner.mutant_set import check_targets, mutant_set, mutated_functions
from harness.runner.mutant_stages import Execution
from harness.runner.probing import DifferentialKills, sees_all
from harness.runner.provenance import MakingRecord
from harness.runner.shards import WHOLE_SHARE, Shard, TrialShare, units_of
from harness.runner.subjects import (
    finitization_of,
    has_finitization,
    interface_of,
    load_subject,
    sequence_interface_of,
    sequences_of,
)
from harness.runner.suites import ensure_suite
from harness.runner.zygotes import TrialExecutor, zygote_work
from harness.sandbox.folders import collect_leftovers, has_living, locked_folder
from harness.store.facts import CoverageKind, FunctionCoverage, StoredTrial, mutant_set_hash
from harness.store.run_store import RunStore

if TYPE_CHECKING:
    from harness.selections import Selections

MeasuredCoverage = tuple[list[FunctionCoverage], float]
"""Coverage by function, and the seconds that measuring it took."""


@dataclass(frozen=True)
class PreparedTrial:
    """A trial with everything it needs, before anything of it is stored."""

    trial: Trial
    subject: Subject
    interface: Interface
    suite: SuiteReader
    mutants: Sequence[Mutant]
    origin: str | None = None
    """Where, how and when the suite was made, if not by this run."""
    share: TrialShare = WHOLE_SHARE
    """The part of the trial that is run."""

    @property
    def own_mutants(self) -> list[Mutant]:
        """The mutants of the share."""
        return [mutant for mutant in self.mutants if self.share.has(mutant.id)]


def share_of(trial: Trial, experiment: Experiment, shard: Shard) -> TrialShare:
    """Return the share of a shard in a trial, without making its suite.

    Raises:
        MutascopeError: the subject or its mutants cannot be made.
    """
    return WHOLE_SHARE if shard.count == 1 else shares_of(trial, experiment, [shard])[0]


def shares_of(trial: Trial, experiment: Experiment, shards: Sequence[Shard]) -> list[TrialShare]:
    """Return the shares of shards in a trial, as `share_of`."""
    mode = experiment.mode_of(trial)
    generates = mode is ExecutionMode.GENERATE
    mutants = () if generates else mutant_set(load_subject(trial.subject), experiment.operators).mutants
    identity = (trial.subject, trial.generator, "", trial.scope, trial.seed)
    units = units_of(trial.generator, mode, mutants)
    return [shard.share(identity, units) for shard in shards]


def prepare(
    trial: Trial,
    operators: str = DEFAULT_OPERATORS,
    run: MakingRecord | None = None,
    share: TrialShare = WHOLE_SHARE,
) -> PreparedTrial:
    """Load the subject, and make or find its suite and its mutants.

    Args:
        run: when and where the run began (default: now), which identifies suites that were made before.

    Raises:
        MutascopeError: the subject, its suite or its mutants cannot be made.
    """
    run = run or MakingRecord.now()
    subject = load_subject(trial.subject)
    check_targets(subject, trial.scope)
    suite = ensure_suite(subject, trial)
    for remark in suite_remarks(trial.generator, suite.header.inputs, *stop_reason_and_notices(suite.header)):
        LOGGER.info("%s: %s", trial, remark)
    mutants = mutant_set(subject, operators).mutants
    origin = run.origin_of(suite.header)
    return PreparedTrial(trial, subject, interface_of(subject, trial.scope), suite, mutants, origin, share)


def run_trial(
    prepared: PreparedTrial,
    experiment: Experiment,
    store: RunStore,
    jobs: int,
    oracle: OracleName = OracleName.DIFFERENTIAL,
) -> str:
    """Run the part that the store does not hold yet, under one oracle; return the trial's key.

    Raises:
        MutascopeError: the original or the instrument fails; facts found before that are stored.
    """
    experiment = replace(experiment, trials=(prepared.trial,), mode=experiment.mode_of(prepared.trial))
    stored = replace(_described(prepared, experiment), oracle=oracle)
    key = stored.key
    work = store.folder / ".work" / key  # in which a resumed trial finds what it has made
    if store.finished.has(key):
        if not store.trials.has(key):
            return key  # finished elsewhere
        store.trials.renew(key)
        if _wants_coverage(prepared, stored, experiment) and not store.coverage.of(key):
            report_line(f"{stored}: it has finished without coverage; to measure that, run it into another folder")
        _remove(work)  # left by a run that was killed in its last moment
        return key
    if experiment.mode is ExecutionMode.GENERATE:
        store.mutants.add(())
        store.trials.add(stored)
        _add_generation_timings(store, key, prepared)
        store.finished.add(key)
        LOGGER.info("%s finished", stored)
        return key
    if prepared.suite.holds_sequences:
        check_calls(prepared.suite.calls, sequences_of(prepared.subject, prepared.trial.scope).routines)
    work.mkdir(parents=True, exist_ok=True)
    collect_leftovers(work)
    try:
        with room_for(prepared.subject), locked_folder(work) as own:
            _run(prepared, stored, experiment, store, jobs, own)
    except OF_SUBJECT:
        _remove(work)  # a corrected program has another key
        raise
    _remove(work)
    LOGGER.info("%s finished", stored)
    return key


def _run(
    prepared: PreparedTrial,
    stored: StoredTrial,
    experiment: Experiment,
    store: RunStore,
    jobs: int,
    work: Path,
) -> None:
    """Run a trial; `work` is a folder of this run's own, within that of the trial."""
    key = stored.key
    of_sequences = prepared.suite.holds_sequences
    execution = Execution(
        prepared.subject,
        sequence_interface_of(prepared.subject, prepared.trial.scope) if of_sequences else prepared.interface,
        prepared.suite,
        prepared.mutants,
        experiment,
        work,
        selections=_selections(prepared) if experiment.mode is ExecutionMode.SELECTIONS else None,
        cache_folder=work.parent,
        oracle=stored.oracle,
        differential_kills=_differential_kills(prepared, stored, store),
    )
    is_measured = _wants_coverage(prepared, stored, experiment) and not store.coverage.of(key)
    with ExitStack() as opened:
        # The measurement begins before the baseline, which it does not need.
        coverage = opened.enter_context(_coverage_beside(prepared)) if is_measured else None
        executor = opened.enter_context(LocalExecutor(zygote_work(execution.write_job()), jobs, work))
        original = execution.observe_original(executor)
        proof = execution.prove(executor, original)
        # A trial is stored once its original has passed, so that one which fails leaves nothing beside its reason.
        store.mutants.add(prepared.mutants)
        untold = [
            f"{place} has no content, so it is compared by its type alone ({counted(calls, 'call')})"
            for place, calls in sorted(original.untold.items())
        ]
        otherwise = execution.difference_by_hash_seed()
        if otherwise:
            untold.append(f"results depend on the order of sets: under another hash seed, {otherwise}")
        stored = replace(stored, notices=(*stored.notices, *untold))
        store.trials.add(replace(stored, original_steps=original.steps, original_raised=original.raised))
        _add_generation_timings(store, key, prepared)
        store.timings.add(key, "baseline", original.cpu_seconds)
        store.timings.add_blocks(key, "baseline", original.blocks)
        store.instruments.add(key, proof)
        _run_mutants(prepared, execution, executor, store, key)
        if coverage is not None:
            _, (rows, seconds) = next(coverage)
            store.timings.add(key, "coverage", seconds)
            store.coverage.add(key, rows)
    store.finished.add(key)


def _wants_coverage(prepared: PreparedTrial, stored: StoredTrial, experiment: Experiment) -> bool:
    """Return whether a trial measures coverage: that of the first oracle does it for all oracles of the same suite."""
    first, *_ = experiment.oracles_of(prepared.trial)
    runs = stored.mode.runs_mutants and stored.oracle is first and prepared.share.is_first
    return runs and prepared.trial not in experiment.without_coverage


def _differential_kills(prepared: PreparedTrial, stored: StoredTrial, store: RunStore) -> DifferentialKills | None:
    """Return the kills of the differential oracle in the same trial, if no other input can kill under this oracle."""
    differential_key = replace(stored, oracle=OracleName.DIFFERENTIAL).key
    if stored.oracle is OracleName.DIFFERENTIAL or not store.finished.has(differential_key):
        return None
    kind = ORACLES[stored.oracle]
    if not kind.is_weaker:
        return None
    by_promises = kind.proof is Proof.NOTHING
    subject = prepared.subject
    if by_promises and not sees_all(subject.spec_source, subject.source, stored.observed):
        return None
    return DifferentialKills.of(store.results.of(differential_key), store.results.kill_rows(differential_key))


def _add_generation_timings(store: RunStore, key: str, prepared: PreparedTrial) -> None:
    """Add the seconds of generating the suite, and of its parts where they are known."""
    header = prepared.suite.header
    activities = {"generate": header.seconds}
    if header.exploring_seconds is not None:
        activities["explore"] = header.exploring_seconds
    activities |= {f"{part}_cpu": seconds for part, seconds in header.cpu_seconds.items()}
    for activity, seconds in activities.items():
        store.timings.add(key, activity, seconds, prepared.origin)
    store.timings.add_blocks(key, "made", header.made, prepared.origin)


def _remove(work: Path) -> None:
    collect_leftovers(work)
    if not has_living(work):  # another run, which a file system without locks has let in
        shutil.rmtree(work, ignore_errors=True)
    with suppress(OSError):
        work.parent.rmdir()  # unless an interrupted trial has left its own there


def _described(prepared: PreparedTrial, experiment: Experiment) -> StoredTrial:
    """Return the trial as stored, without the facts of the original's run."""
    trial, subject, header = prepared.trial, prepared.subject, prepared.suite.header
    mutants = () if experiment.mode is ExecutionMode.GENERATE else prepared.mutants
    stop_reason, notices = stop_reason_and_notices(header)
    return StoredTrial(
        **vars(trial),
        subject_hash=subject.content_hash,
        suite_digest=header.digest,
        **fields_of(subject, header),
        operator_set=experiment.operators,
        mutant_set=mutant_set_hash(mutants),
        mode=experiment.mode,
        approach=experiment.approach,
        concrete=experiment.concrete,
        sequences=ON_MUTANT if prepared.suite.holds_sequences else None,
        observed=experiment.observed if prepared.suite.holds_sequences else None,
        ended=stop_reason,
        notices=notices,
    )


def fields_of(subject: Subject, header: SuiteHeader) -> dict[str, Any]:
    """Return the fields of a trial that its subject and its suite give, except for those that identify it."""
    return {
        "title": subject.title,
        "source_hash": subject.source_hash,
        "generator_version": header.generator_version,
        "inputs": header.inputs,
        "states": header.valid,
        "explored": header.explored,
        "details": facts_among(header.details),
        "inputs_by_target": header.inputs_by_target,
    }


def stop_reason_and_notices(header: SuiteHeader) -> tuple[str | None, tuple[str, ...]]:
    """Return the stop reason of the suite, and its notices, each in one line; a plug-in may have written several."""
    stop_reason, *notices = (" ".join(line.split()) for line in (header.ended, *header.notices))
    return stop_reason or None, tuple(notices)


def _selections(prepared: PreparedTrial) -> Selections:
    """Return random selections of as many inputs as the next smaller scope has (exhaustive2003, section 8.5)."""
    from harness.selections import Selections

    trial, inputs = prepared.trial, len(prepared.suite)
    size = len(ensure_suite(prepared.subject, replace(trial, scope=trial.scope - 1)))
    if size > inputs:
        raise UsageError(
            f"{trial}: {inputs} inputs, of which {size}, as scope {trial.scope - 1} has, are to be selected"
        )
    return Selections(inputs, size)


def _run_mutants(
    prepared: PreparedTrial, execution: Execution, executor: TrialExecutor, store: RunStore, key: str
) -> None:
    done = store.results.finished_mutants(key)
    own = prepared.own_mutants
    left = [mutant for mutant in own if mutant.id not in done]
    findings = (finding_of(facts, len(prepared.suite)) for facts in execution.run(executor, left))
    store_findings(store, key, str(prepared.trial), findings, len(own), len(done))


@contextmanager
def _coverage_beside(prepared: PreparedTrial) -> Iterator[ExecutorRun[str, MeasuredCoverage]]:
    """Measure coverage while the block runs; if the block is interrupted, so is the measurement."""
    work = Work(partial(_measuring, coverage_of(prepared)), _unmeasured)
    with LocalExecutor(work, 1) as executor:
        yield executor.run([f"coverage of {prepared.trial}"])


@contextmanager
def _measuring(measure: Callable[[], MeasuredCoverage], folder: Path) -> Iterator[Callable[[str], MeasuredCoverage]]:
    yield lambda order: measure()


def _unmeasured(order: str, how: str) -> MeasuredCoverage:
    raise MutascopeError("the process that measures coverage was killed twice; run the same command again")


def coverage_of(prepared: PreparedTrial) -> Callable[[], MeasuredCoverage]:
    """Return a function that measures code and specification coverage.

    It may be called in another thread: sources are parsed here, once and for all.
    """
    subject, trial = prepared.subject, prepared.trial
    spans = {name: (extent.first_line, extent.last_line) for name, extent in mutated_functions(subject).items()}
    measurements = {
        CoverageKind.CODE: code_measurement(subject, prepared.suite.folder, trial.scope, spans),
    }
    # Sequences are made without the predicate.
    without = prepared.suite.holds_sequences or not prepared.suite.header.searchable
    if not without and has_finitization(subject):
        bounds = finitization_of(subject, trial.scope)
        has_state = bounds.domains[0].kind is not DomainKind.NOTHING
        if specification := specification_measurement(subject, trial.scope, preconditions(bounds), has_state):
            measurements[CoverageKind.SPEC] = specification

    def measure() -> MeasuredCoverage:
        start = perf_counter()
        return coverage_by_function(measurements), perf_counter() - start

    return measure
