"""One trial: suite, controls, mutants and coverage, each fact stored as it is found."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from time import perf_counter

from harness import resources
from harness.coverage.code import measure_code
from harness.coverage.specification import measure_specification
from harness.errors import InstrumentError
from harness.kernel.job import MutantOrder, RunJob
from harness.kernel.loader import ModuleText
from harness.kernel.splice import mutated_source
from harness.kernel.suites import SuiteReader
from harness.model.experiment import Approach, ExecutionMode, Experiment, Trial
from harness.model.finitization import Finitization
from harness.model.mutant import Mutant
from harness.model.subject import Subject
from harness.mutation.reach import reachable, target_names
from harness.mutation.schemata import metamutant
from harness.runner.instrument import control_orders, prove, with_planted_fault
from harness.runner.logs import LOGGER
from harness.runner.mutants import mutant_set
from harness.runner.pool import Facts, Pool
from harness.runner.progress import progress_bar
from harness.runner.results import kill_row_of, result_of
from harness.runner.suites import ensure_suite
from harness.store.facts import FunctionCoverage, StoredTrial, mutant_set_hash
from harness.store.run_store import RunStore


@dataclass(frozen=True)
class Prepared:
    """A trial with everything it needs, before anything of it is stored."""

    trial: Trial
    subject: Subject
    finitization: Finitization
    suite: SuiteReader
    mutants: Sequence[Mutant]


def prepare(trial: Trial) -> Prepared:
    """Loads the subject, makes or finds its suite and mutant set.

    Raises:
        MutascopeError: of whatever stands in the way.
    """
    subject, spec = resources.load_subject(trial.subject)
    finitization = spec.finitization(trial.scope)
    suite = ensure_suite(subject, trial)
    mutants = mutant_set(subject, spec).mutants
    return Prepared(trial, subject, finitization, suite, mutants)


def run_trial(prepared: Prepared, experiment: Experiment, store: RunStore, jobs: int) -> str:
    """Runs what the store does not hold yet; returns the trial's key.

    Raises:
        MutascopeError: the original or the instrument fails; facts found before that are stored.
    """
    stored = _stored_trial(prepared, experiment, {"steps": 0, "raised": 0})
    key = stored.key
    if key in store.finished_trials():
        return key
    with TemporaryDirectory(prefix="mutascope-") as folder, ExitStack() as stack:
        plan = _plan(prepared, experiment)
        plan.job.write(Path(folder) / "job.json")
        pool = stack.enter_context(Pool(Path(folder) / "job.json", jobs))
        baseline = pool.baseline()
        store.add_mutants(prepared.mutants)
        store.add_trial(_stored_trial(prepared, experiment, baseline))
        store.add_timing(key, "generate", prepared.suite.header.seconds)
        store.add_timing(key, "baseline", baseline["seconds"])
        store.add_instrument(key, prove(pool, plan.controls, baseline))
        threads = stack.enter_context(ThreadPoolExecutor(1))
        coverage = None if store.coverage(key) else threads.submit(_coverage, prepared)
        _run_mutants(prepared, plan.orders, pool, store, key)
        if coverage is not None:
            _store_coverage(store, key, coverage)
    store.finish_trial(key)
    LOGGER.info("%s finished", prepared.trial)
    return key


def _stored_trial(prepared: Prepared, experiment: Experiment, baseline: Facts) -> StoredTrial:
    trial, subject, header = prepared.trial, prepared.subject, prepared.suite.header
    return StoredTrial(
        subject=trial.subject,
        title=subject.title,
        generator=trial.generator,
        generator_version=header.generator_version,
        scope=trial.scope,
        seed=trial.seed,
        subject_hash=subject.content_hash,
        source_hash=subject.source_hash,
        suite_digest=header.digest,
        inputs=header.inputs,
        states=header.states,
        explored=header.explored,
        inputs_by_target=header.inputs_by_target,
        mutant_set=mutant_set_hash(prepared.mutants),
        mode=experiment.mode,
        approach=experiment.approach,
        concrete=experiment.concrete,
        original_steps=baseline["steps"],
        original_raised=baseline["raised"],
    )


@dataclass(frozen=True)
class _Plan:
    """What the workers are told: the job, the controls, and how to order a mutant."""

    job: RunJob
    controls: list[MutantOrder]
    orders: Callable[[Mutant], MutantOrder]


def _plan(prepared: Prepared, experiment: Experiment) -> _Plan:
    subject, finitization = prepared.subject, prepared.finitization
    matrix = experiment.mode is ExecutionMode.MATRIX
    meta: str | None = None
    numbers: dict[str, int] = {}
    if experiment.approach is Approach.METAMUTANT:
        text, numbers = metamutant(subject.source, prepared.mutants)
        meta = with_planted_fault(text, finitization, guarded=True)

    def order(mutant: Mutant) -> MutantOrder:
        if meta is None:
            return MutantOrder(mutant.id, source=mutated_source(subject.source, mutant), matrix=matrix)
        return MutantOrder(mutant.id, number=numbers[mutant.id], matrix=matrix)

    job = RunJob(
        implementation=ModuleText(subject.module, subject.source, str(subject.source_path), subject.blocked),
        spec_source=subject.spec_source,
        spec_filename=str(subject.spec_path),
        suite=str(prepared.suite.folder),
        scope=prepared.trial.scope,
        concrete=experiment.concrete,
        metamutant=meta,
    )
    return _Plan(job, control_orders(subject.source, finitization, meta is not None), order)


def _run_mutants(
    prepared: Prepared, order: Callable[[Mutant], MutantOrder], pool: Pool, store: RunStore, key: str
) -> None:
    done = store.finished_mutants(key)
    left = [mutant for mutant in prepared.mutants if mutant.id not in done]
    inputs = len(prepared.suite)
    faults: list[str] = []
    with progress_bar(str(prepared.trial), len(prepared.mutants), len(prepared.mutants) - len(left)) as advance:
        for facts in pool.run(map(order, left)):
            result = result_of(facts)
            store.add_result(key, result, kill_row=kill_row_of(facts, inputs), seconds=facts.get("seconds"))
            if "fault" in facts:
                faults.append(f"{result.mutant}: {result.detail}")
            advance()
    if faults:
        raise InstrumentError(
            f"{prepared.trial}: {len(faults)} mutants could not be run ({faults[0]}); nothing is scored before "
            "they are: see run.log and run the same command again"
        )


def _coverage(prepared: Prepared) -> tuple[list[FunctionCoverage], float]:
    """Code and specification coverage, with the seconds they took."""
    start = perf_counter()
    subject = prepared.subject
    extents = reachable(subject.source, target_names(prepared.finitization), subject.helpers)
    spans = {name: (extent.first_line, extent.last_line) for name, extent in extents.items()}
    found = measure_code(subject, prepared.suite.folder, prepared.trial.scope, spans)
    found += measure_specification(subject, prepared.trial.scope)
    return found, perf_counter() - start


def _store_coverage(store: RunStore, key: str, coverage: Future[tuple[list[FunctionCoverage], float]]) -> None:
    found, seconds = coverage.result()
    store.add_coverage(key, found)
    store.add_timing(key, "coverage", seconds)
