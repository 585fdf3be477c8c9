"""Runs one pytest suite against the mutants of a module, and stores each fact as it is found."""

from __future__ import annotations

import ast
import json
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass, replace
from functools import partial
from importlib.metadata import version
from importlib.util import find_spec
from itertools import chain
from pathlib import Path

from harness.codec.codec import codec_of
from harness.errors import BaselineError, InstrumentError, SourceError, UsageError
from harness.model.experiment import Approach, ExecutionMode, Experiment
from harness.model.outcome import Mutant, MutantResult, MutantStatus, Verdict
from harness.model.pytest_suite import PYTEST, SCOPE, Flaky, PytestSuite, SuiteRecord, SuiteTest
from harness.mutation.probes import probed
from harness.mutation.program import room_for
from harness.mutation.schemata import metamutant
from harness.pytest_suites.job import FACTS, METAMUTANT, PROBED, CoverageOrder, MeasuredTests, MutantOrder
from harness.pytest_suites.reports import MutantFacts, OriginalReport
from harness.runner.executors.local import LocalExecutor
from harness.runner.logs import LOGGER, report_line
from harness.runner.mutant_results import Finding, store_findings
from harness.runner.pytest_runs.executor import (
    SuiteExecutor,
    facts_of,
    report_of,
    suite_work,
)
from harness.runner.pytest_runs.facts import (
    evidence_of,
    fields_of,
    kills_of,
    result_of,
    rows_of,
    suite_coverage,
    unreached,
)
from harness.runner.pytest_runs.finished_requests import NO_TRIAL, FinishedRequests, environment_hash, request_of
from harness.runner.pytest_runs.mutants import (
    NoMutantsError,
    Types,
    no_mutants,
    outer_lambdas,
    project_types,
    target_mutants,
)
from harness.runner.pytest_runs.original import (
    IS_SKIPPED,
    OriginalTests,
    orders_of,
    original_of,
    report_without_ends,
)
from harness.runner.pytest_runs.project import Project, find_project, suite_digest, write_job
from harness.runner.pytest_runs.readable import file_hashes
from harness.runner.pytest_runs.schedule import GroupOrder, MutantSchedule, numbered, tests_of
from harness.runner.shards import WHOLE, WHOLE_SHARE, Shard, TrialShare, units_of
from harness.sandbox.folders import locked_folder
from harness.sandbox.process import WorkerDied
from harness.store.facts import InstrumentProof, StoredTrial, mutant_set_hash
from harness.store.run_store import RunStore

_PRISTINE = "pristine"


@dataclass(frozen=True)
class _Prepared:
    """Everything that is known before the first mutant is run."""

    suite: PytestSuite
    project: Project
    digest: str
    mutants: Sequence[Mutant]
    """The mutants that are run."""
    listed: Sequence[Mutant]
    """All, those included that do not compile, or equal the original or each other."""
    selectors: Mapping[str, int]
    original: OriginalTests
    share: TrialShare = WHOLE_SHARE


def run_modules(
    modules: Sequence[PytestSuite], experiment: Experiment, store: RunStore, jobs: int, shard: Shard = WHOLE
) -> list[str]:
    """Run the modules that a target stands for, or their shares in a shard; return their trials' keys.

    If there are several, modules without mutants have no trial. In the trial of a module that no test reaches, all
    mutants survive. One shard does not show whether any module is reached.

    Raises:
        MutascopeError: a suite cannot be run or judged (facts found before that are stored), or no module is reached.
    """
    if find_spec(PYTEST) is None:
        raise UsageError("pytest is not installed beside mutascope; install mutascope[pytest]")
    key_of: dict[str, str] = {}
    environment = environment_hash()
    for module in modules:
        try:
            key = _run_suite(module, experiment, store, jobs, environment, shard)
            key_of |= {} if key is None else {module.target: key}
        except WorkerDied as death:
            raise InstrumentError(
                f"{module.target}: the process that runs the tests {death.how}; run it again"
            ) from None
        except NoMutantsError:
            if len(modules) == 1:
                raise
            LOGGER.info("%s: nothing of it can be mutated", module.target)
        except SourceError as error:
            if len(modules) == 1:
                raise
            report_line(f"{module.target} is left out: {error}")
    if shard == WHOLE and key_of:
        _tell_unreached(modules[0].tests, {target: store.results.of(key) for target, key in key_of.items()})
    return list(key_of.values())


def _tell_unreached(tests: Sequence[str], results: Mapping[str, Sequence[MutantResult]]) -> None:
    """Name the modules that no test reaches.

    Raises:
        BaselineError: no module is reached.
    """
    unreached = [target for target, of_module in results.items() if not any(result.reached for result in of_module)]
    if len(unreached) == len(results):
        raise BaselineError(
            f"{' '.join(tests)}: no test executes anything that would be mutated; see whether the tests import the "
            "target under this name, and not C code in its place (--block)"
        )
    for target in unreached:
        report_line(f"{target}: no test reaches any of its {len(results[target])} mutants, so all of them survive")


def _run_suite(
    suite: PytestSuite, experiment: Experiment, store: RunStore, jobs: int, environment: str, shard: Shard
) -> str | None:
    """Run the part of a suite that the store does not hold yet; return the trial's key, or None if the shard has no
    share in it.
    """
    project = find_project(suite)
    with room_for(project.subject), locked_folder() as folder:
        job, digest = _job(project, folder)
        finished_requests = FinishedRequests(store.folder)
        request = request_of(project, digest, suite, experiment, environment)
        known_key = finished_requests.key(request)
        if known_key == NO_TRIAL:
            raise no_mutants(project.subject)
        if known_key is not None and store.finished.has(known_key):
            LOGGER.info("%s: finished before, and nothing has changed since", suite.target)
            store.trials.renew(known_key)
            return known_key
        readable = folder if project.is_own else project.subject.source_path.parent
        without_types: list[str] = []  # Printed once the suite is known to run, as one that does not gets one line.

        def types() -> Types:
            return project_types(project, folder / _PRISTINE, digest, without_types.append)

        with LocalExecutor(suite_work(job, readable), jobs, folder) as executor:
            try:
                listed = target_mutants(project, experiment.operators, types)
            except NoMutantsError:
                finished_requests.add(request, NO_TRIAL)
                raise
            identity = (suite.target, PYTEST, suite.name, SCOPE, suite.seed)
            share = shard.share(identity, units_of(PYTEST, experiment.mode, listed))
            if share.is_empty:
                return None
            prepared = _prepare(suite, project, digest, listed, folder, executor)
            for line in without_types:
                report_line(line)
            stored = _described(prepared, experiment)
            key = stored.key
            _begin(prepared, stored, store, folder / _PRISTINE)
            if store.finished.has(key):
                finished_requests.add(request, key)
                return key
            if share.is_first and not store.coverage.of(key):
                _cover(prepared, folder, executor, store, key)
            if prepared.original.reaches and store.instruments.of(key) is None:
                store.instruments.add(key, _prove(prepared, executor))
            _run_mutants(replace(prepared, share=share), experiment, executor, store, key)
        store.finished.add(key)
        finished_requests.add(request, key)
        LOGGER.info("%s finished", stored)
        return key


def _begin(prepared: _Prepared, stored: StoredTrial, store: RunStore, pristine: Path) -> None:
    """Store a trial and its suite, unless an earlier run has: step counts that depend on chance stay as they were."""
    original = prepared.original
    if not store.trials.has(stored.key):
        store.mutants.add(prepared.listed)
        store.trials.add(stored)
    if store.suites.of(stored.key) is not None:
        return
    tests = tuple(SuiteTest(node, original.measured.steps[node], original.lines.get(node)) for node in original.tests)
    source, files = prepared.project.subject.source, file_hashes(pristine)
    store.suites.add(stored.key, SuiteRecord(prepared.suite, source, tests, original.excluded, files))


def _job(project: Project, folder: Path) -> tuple[Path, str]:
    digest = project.copy(folder / _PRISTINE)
    job = folder / "job.json"
    write_job(project, folder / _PRISTINE, job)
    return job, digest


def _prepare(
    suite: PytestSuite, project: Project, digest: str, listed: Sequence[Mutant], folder: Path, executor: SuiteExecutor
) -> _Prepared:
    """Run the original, to find what its tests reach."""
    source = project.subject.source
    name = " ".join(suite.tests)
    early_ends: dict[str, str] = {}
    mutants = [mutant for mutant in listed if mutant.status is MutantStatus.VIABLE]
    for number in outer_lambdas(ast.parse(source).body):
        LOGGER.info("%s is not mutated at line %d: the lambda there lies in no function", suite.target, number)
    module = probed(source, mutants, suite.blocked)
    (folder / PROBED).write_text(json.dumps(module.text), encoding="utf-8")
    orders = orders_of(suite.original_runs, suite.seed, tolerant=suite.flaky is Flaky.EXCLUDE)
    ask = partial(report_of, executor)
    runs = [report_without_ends(ask, order, OriginalReport, early_ends, suite.flaky, name) for order in orders]
    original = original_of(runs, module.sites, len(mutants), suite.flaky, name, early_ends)
    text, numbers = metamutant(source, mutants, marked=True)
    (folder / METAMUTANT).write_text(text, encoding="utf-8")
    (folder / FACTS).write_text(codec_of(MeasuredTests).to_json(original.measured), encoding="utf-8")
    if suite.flaky is Flaky.EXCLUDE and original.reaches:
        changed = _changed_by_a_fork(original, executor, len(mutants), suite.seed)
        original = original_of(runs, module.sites, len(mutants), suite.flaky, name, early_ends | changed)
    _tell_excluded(original)
    _tell_replaced(suite.target, runs[0].replaced)
    for line in runs[0].unseen:
        report_line(f"{suite.target}: {line}")
    return _Prepared(suite, project, digest, mutants, listed, numbers, original)


def _changed_by_a_fork(original: OriginalTests, executor: SuiteExecutor, mutants: int, seed: int) -> dict[str, str]:
    """Return the tests that fail on a mutant that changes nothing, with the reason."""
    same = _no_op(original, executor, mutants, seed)
    if isinstance(same, str):
        return {}
    return dict.fromkeys(same.kills, "passes on the original, but fails in a process that was forked")


def _cover(prepared: _Prepared, folder: Path, executor: SuiteExecutor, store: RunStore, key: str) -> None:
    """Store the suite's coverage, before any process collects the suite for mutants."""
    order = CoverageOrder(prepared.suite.seed, tuple(prepared.original.excluded))
    measured = suite_coverage(partial(report_of, executor), prepared.project.subject.source, folder, order)
    if isinstance(measured, str):
        report_line(f"{prepared.suite.target}: coverage is not measured, as under coverage.py {measured}")
        return
    counts, seconds = measured
    store.timings.add(key, "coverage", seconds)
    store.coverage.add(key, counts)


def _tell_excluded(original: OriginalTests) -> None:
    for node, why in original.excluded.items():
        remark = f"{node} {original.left_out(node)}, so it is left out"
        LOGGER.info(remark)
        if why != IS_SKIPPED:
            print(f"mutascope: {remark}", file=sys.stderr)


def _tell_replaced(target: str, replaced: Mapping[str, str]) -> None:
    if replaced:
        names = ", ".join(f"{name} (of {module})" for name, module in replaced.items())
        report_line(
            f"{target}: C code stands for {names} once the module is loaded, so no test reaches what is mutated there; "
            "--block with the module that brings it has the Python tested"
        )


def _described(prepared: _Prepared, experiment: Experiment) -> StoredTrial:
    subject, original = prepared.project.subject, prepared.original
    return StoredTrial(
        subject=subject.name,
        generator=PYTEST,
        generator_version=version(PYTEST),
        scope=SCOPE,
        seed=prepared.suite.seed,
        subject_hash=subject.content_hash,
        suite_digest=suite_digest(prepared.suite, prepared.digest, original.tests, original.excluded),
        **fields_of(subject, original.measured.steps, original.excluded),
        operator_set=experiment.operators,
        mutant_set=mutant_set_hash(prepared.listed),
        mode=experiment.mode,
        approach=Approach.METAMUTANT,
        concrete=False,
        suite=prepared.suite.name,
        original_raised=0,
    )


def _prove(prepared: _Prepared, executor: SuiteExecutor) -> InstrumentProof:
    """Check that a mutant without a change survives all tests, and that one that always raises is killed.

    Raises:
        InstrumentError: the no-op mutant is killed, or the mutant that raises survives.
    """
    original, seed, mutants = prepared.original, prepared.suite.seed, len(prepared.mutants)
    same = _no_op(original, executor, mutants, seed)
    kill = None if isinstance(same, str) else same.first
    if isinstance(same, str) or kill is not None:
        why = f"{kill.killer}: {kill.detail}" if kill else same
        raise InstrumentError(
            f"a mutant that changes nothing does not survive ({why}): the tests need something that a forked "
            "process does not have; leave such tests out"
        )
    reloaded = len(original.recollected) == mutants
    order = MutantOrder("planted", mutants + 1, original.tests, seed, recollected=reloaded, planted=True)
    planted = _run_one(executor, order)
    if isinstance(planted, str) or planted.first is None:
        raise InstrumentError(
            f"a mutant that always raises survives ({planted if isinstance(planted, str) else 'all tests pass'})"
        )
    return InstrumentProof(
        original_inputs=len(original.tests),
        planted_reason=planted.first.reason,
        planted_phase=planted.first.phase,
        no_op_inputs=same.executed,
        no_op_steps=same.steps or 0,
    )


def _no_op(original: OriginalTests, executor: SuiteExecutor, mutants: int, seed: int) -> MutantFacts | str:
    """Run a mutant that changes nothing on all tests. If every mutant has the suite collected again, so has this."""
    reloaded = len(original.recollected) == mutants
    order = MutantOrder("no-op", mutants + 1, original.tests, seed, matrix=True, recollected=reloaded)
    return _run_one(executor, order)


def _run_one(executor: SuiteExecutor, order: MutantOrder) -> MutantFacts | str:
    (answer,) = facts_of(executor, [GroupOrder((order,))])
    return answer.facts


def _run_mutants(
    prepared: _Prepared, experiment: Experiment, executor: SuiteExecutor, store: RunStore, key: str
) -> None:
    original, mutants = prepared.original, prepared.mutants
    matrix = experiment.mode is ExecutionMode.MATRIX
    finished = store.results.finished_mutants(key)
    done = {result.mutant: result for result in store.results.of(key) if result.mutant in finished}
    share = prepared.share
    schedule = MutantSchedule(mutants, prepared.selectors, original, done, prepared.suite.seed, matrix, share)
    findings = chain(_unreached(prepared, schedule), _run_on_tests(prepared, schedule, executor))
    own = sum(share.has(mutant.id) for mutant in mutants)
    store_findings(store, key, f"{prepared.suite.target} {PYTEST}", findings, own, len(done))


def _unreached(prepared: _Prepared, schedule: MutantSchedule) -> Iterator[Finding]:
    """Yield what is known of the mutants that no test reaches."""
    tests = len(prepared.original.tests)
    for number, mutant in enumerate(prepared.mutants):
        if schedule.share.has(mutant.id) and mutant.id not in schedule.done and not schedule.left(number):
            no_kills, no_probes = rows_of(mutant.id, (), tests, frozenset())
            yield Finding(unreached(mutant.id, tests), no_kills if schedule.matrix else None, no_probes)


def _run_on_tests(prepared: _Prepared, schedule: MutantSchedule, executor: SuiteExecutor) -> Iterator[Finding]:
    """Run the mutants that are left."""
    original, matrix = prepared.original, schedule.matrix
    numbers = numbered(original)
    by_id = {mutant.id: number for number, mutant in enumerate(prepared.mutants)}
    with closing(facts_of(executor, schedule.groups())) as answers:
        for answer in answers:
            facts, reached = answer.facts, frozenset(tests_of(by_id[answer.mutant], original))
            result = result_of(answer.mutant, facts, numbers, len(reached), matrix)
            if isinstance(facts, str) or result.verdict is Verdict.INCONCLUSIVE:
                yield Finding(result)
                continue
            kills = kills_of(facts, numbers)
            kill_row, probe_row = rows_of(result.mutant, kills or (), len(numbers), reached)
            yield Finding(
                result,
                kill_row if matrix and kills is not None else None,
                probe_row,
                facts.seconds,
                evidence_of(result.mutant, facts),
            )
