"""Re-executes verdicts of pytest suites: with pytest itself, once per mutant, on a copy with the mutated file."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from time import monotonic

from harness.codec.codec import codec_of
from harness.codec.reading import DecodeError
from harness.errors import MutascopeError, StoreError
from harness.kernel.program.splice import mutated_source
from harness.model.experiment import ExecutionMode
from harness.model.mutant import Mutant
from harness.model.outcome import KillReason, MutantResult, Phase, Verdict
from harness.model.pytest_suite import PYTEST, SuiteRecord
from harness.mutation.depth import room_for
from harness.pytest_suites.job import CoverageOrder
from harness.pytest_suites.plain_run import PlainRequest, PlainRun
from harness.pytest_suites.skips import MISSING, SKIPPED, XFAILED, is_skipped
from harness.pytest_suites.work_tree import WorkTree
from harness.runner.executors.local import LocalExecutor
from harness.runner.executors.worker_process import Work
from harness.runner.origins import (
    FactDisagreement,
    coverage_disagreements,
    field_disagreements,
    measured_elsewhere,
    mutant_disagreements,
    rank,
)
from harness.runner.pytest_runs.facts import fields_of, suite_coverage
from harness.runner.pytest_runs.mutants import project_types, target_mutants
from harness.runner.pytest_runs.project import Project, find_project, settings_above, suite_job
from harness.runner.pytest_runs.readable import copy_as_run
from harness.runner.pytest_runs.warmed import fork_server
from harness.sandbox.folders import locked_folder
from harness.sandbox.process import NO_FACT, SandboxedProcess, WorkerDied
from harness.store.facts import FunctionCoverage, KillRow, StoredTrial, latest_trials
from harness.store.run_store import RunStore

PATIENCE_FACTOR, PATIENCE_CONSTANT = 20.0, 5.0
"""A process is waited for so many times as long as the tests took, and so many seconds more."""
_LONGEST_ORIGINAL = 3600.0
_TESTS_RUN = (0, 1)
"""Exit statuses of pytest if no test fails, and if some do."""
_FILES = "files"
"""The name of the copy of the project that all others are made from."""
_TEARDOWN = "in teardown: "
_LIMITS = (KillReason.STEP_LIMIT, KillReason.WALL_LIMIT)
_IN_TESTS = (KillReason.ASSERTION, KillReason.EXCEPTION, KillReason.SKIPPED)


@dataclass(frozen=True)
class _Stored:
    """The stored facts of a trial except for its verdicts; `coverage` is empty if it is not measured again."""

    trial: StoredTrial
    record: SuiteRecord
    mutants: Sequence[Mutant]
    coverage: Sequence[FunctionCoverage]


@dataclass(frozen=True)
class _Claim:
    trial: StoredTrial
    record: SuiteRecord
    mutant: Mutant
    result: MutantResult
    row: KillRow | None


@dataclass(frozen=True)
class _MutatedTarget:
    """The text of the target with the mutant of a claim, which is named by its number."""

    claim: int
    source: str


def has_suites(folder: Path) -> tuple[bool, bool]:
    """Return whether a run has trials of pytest suites, and whether it has other trials."""
    with RunStore.open_existing(folder) as store:
        is_of_pytest = [trial.generator == PYTEST for trial in store.trials.all()]
    return any(is_of_pytest), not all(is_of_pytest)


def verify_suites(folder: Path, sample: int | None, seed: int, jobs: int) -> tuple[int, list[FactDisagreement]]:
    """Return the number of verdicts that were re-executed, and the facts that were not confirmed.

    The mutants of their trials are derived again, and coverage is measured again: that of all trials, or of one if
    there is a sample.

    Raises:
        StoreError: nothing is stored, or the project is no longer the one that was run.
    """
    with RunStore.open_existing(folder) as store:
        claims = [claim for trial in latest_trials(store.trials.all()) for claim in _claims(store, trial)]
        drawn = sorted(claims, key=lambda claim: rank(claim.trial, claim.mutant.id, seed))[:sample]
        if not drawn:
            raise StoreError(f"{folder}: no verdict is stored yet, so there is none to check; run it first")
        keys = list(dict.fromkeys(claim.trial.key for claim in drawn))
        measured = [] if measured_elsewhere(store) else keys if sample is None else keys[:1]
        trials = [
            _Stored(
                trial=trial,
                record=next(claim.record for claim in drawn if claim.trial.key == key),
                mutants=store.mutants.of(trial.mutant_set),
                coverage=store.coverage.of(key) if key in measured else [],
            )
            for key in keys
            for trial in [store.trials.find(key)]
        ]
    disagreements: list[FactDisagreement] = []
    for stored in trials:
        disagreements += _verify_trial(stored, [claim for claim in drawn if claim.trial.key == stored.trial.key], jobs)
    return len(drawn), sorted(disagreements, key=lambda found: (found.trial, found.fact))


def _claims(store: RunStore, trial: StoredTrial) -> list[_Claim]:
    record = store.suites.of(trial.key) if trial.generator == PYTEST else None
    if record is None:
        return []
    mutants = {mutant.id: mutant for mutant in store.mutants.of(trial.mutant_set)}
    rows = {row.mutant: row for row in store.results.kill_rows(trial.key)}
    conclusive = [result for result in store.results.of(trial.key) if result.verdict is not Verdict.INCONCLUSIVE]
    for result in conclusive:
        if result.mutant not in mutants:
            raise StoreError(f"{store.path}: {trial}: mutant {result.mutant} is not in its set; run it again")
    return [_Claim(trial, record, mutants[r.mutant], r, rows.get(r.mutant)) for r in conclusive]


def _verify_trial(stored: _Stored, claims: list[_Claim], jobs: int) -> list[FactDisagreement]:
    trial, record = stored.trial, stored.record
    project = find_project(record.suite)
    source = project.subject.source
    with room_for(project.subject), locked_folder() as folder:
        digest = copy_as_run(project, trial, record, folder / _FILES)
        with locked_folder(folder) as own:
            seen, seconds = _run(project, record, source, folder / _FILES, own, _LONGEST_ORIGINAL)
        if seen.status != 0:
            raise StoreError(
                f"{trial}: plain pytest does not pass on the original ({codec_of(PlainRun).to_data(seen)}); "
                "run it again"
            )
        patience = PATIENCE_FACTOR * seconds + PATIENCE_CONSTANT
        derived = target_mutants(project, trial.operator_set, lambda: project_types(project, folder / _FILES, digest))
        by_id = {mutant.id: mutant for mutant in derived}
        disagreements = [*_of_origins(stored, project, derived), *_measured_again(stored, project, folder)]

        texts = (
            _MutatedTarget(number, mutated_source(source, by_id.get(claim.mutant.id, claim.mutant)))
            for number, claim in enumerate(claims)
        )
        work = Work(partial(_running, project, record, folder / _FILES, patience), _unwatched)
        with LocalExecutor(work, jobs, folder) as executor:
            compared = [_compared(claims[one.claim], told, seen.xfailed) for one, told in executor.run(texts)]
        return disagreements + [one for one in compared if one is not None]


@contextmanager
def _running(
    project: Project, record: SuiteRecord, files: Path, patience: float, folder: Path
) -> Iterator[Callable[[_MutatedTarget], PlainRun]]:
    """Open a worker that runs pytest on texts of the target."""

    def run(target: _MutatedTarget) -> PlainRun:
        with locked_folder(folder) as own:
            return _run(project, record, target.source, files, own, patience)[0]

    yield run


def _unwatched(target: _MutatedTarget, how: str) -> PlainRun:
    raise MutascopeError("the process that watches pytest was killed twice; run verify again")


def _of_origins(stored: _Stored, project: Project, derived: Sequence[Mutant]) -> Iterator[FactDisagreement]:
    """Compare mutants with those of the source, and a trial and its record with each other and with the target."""
    trial, record = stored.trial, stored.record
    yield from mutant_disagreements(trial, stored.mutants, derived)
    steps = {test.node_id: test.steps for test in record.tests}
    fields = fields_of(project.subject, steps, record.excluded)
    yield from field_disagreements(trial, trial, fields, "read again")
    if record.source != project.subject.source:
        yield FactDisagreement(str(trial), "source of the target", "another text", "that of its hash", "read again")


def _measured_again(stored: _Stored, project: Project, folder: Path) -> Iterator[FactDisagreement]:
    """Measure coverage in a fork server, as a run does."""
    if not stored.coverage:
        return
    job, source = folder / "job.json", project.subject.source
    suite_job(project, folder / _FILES).write(job)
    readable = folder if project.is_own else project.subject.source_path.parent
    order = CoverageOrder(stored.record.suite.seed, tuple(stored.record.excluded))
    try:
        with fork_server(job, folder / "covered", readable) as ask:
            measured = suite_coverage(ask, source, folder, order)
    except WorkerDied as death:
        measured = f"the process that runs the tests {death.how}"
    if isinstance(measured, str):
        yield FactDisagreement(str(stored.trial), "coverage", "measured", measured, "measured again")
    else:
        yield from coverage_disagreements(stored.trial, stored.coverage, measured[0])


def _run(
    project: Project, record: SuiteRecord, source: str, files: Path, folder: Path, patience: float
) -> tuple[PlainRun, float]:
    """Run pytest on a text of the target, in a copy of the files.

    Returns:
        Its report or how it ended; and the seconds that it took, without those for which it lacked the processor.
    """
    tree = WorkTree(files, folder / "tree").path
    file = tree / project.filename if project.is_own else folder / "target" / Path(project.filename).name
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(source, encoding="utf-8")
    job = folder / "job.json"
    request = PlainRequest(
        folder=str((tree / project.folder).resolve()),
        roots=tuple(str(tree / root) for root in project.roots),
        arguments=(*project.options, *project.arguments),
        excluded=tuple(record.excluded),
        tests=tuple(test.node_id for test in record.tests),
        installed=None if project.is_own else (project.subject.module, str(file)),
        blocked=tuple(record.suite.blocked),
        seed=record.suite.seed,
    )
    job.write_text(codec_of(PlainRequest).to_json(request), encoding="utf-8")
    readable = [folder, *settings_above(folder), *([] if project.is_own else [project.subject.source_path.parent])]
    try:
        with SandboxedProcess(
            "harness.pytest_suites.process", str(job), below=folder, readable=readable, writable=[folder]
        ) as child:
            began = monotonic()
            report = codec_of(PlainRun).of_data(child.fact(patience, idle_factor=1))
            worked, starved = child.usage()
            return report, max(worked, monotonic() - began - starved)
    except WorkerDied as death:
        return PlainRun(-1, how=death.how), patience
    except DecodeError as error:
        return PlainRun(-1, how=f"{NO_FACT}: {error}"), patience


def _compared(claim: _Claim, seen: PlainRun, xfailing: Collection[str]) -> FactDisagreement | None:
    result = claim.result
    tests = [test.node_id for test in claim.record.tests]
    silent = _silent(tests, seen, xfailing)
    killed = seen.status != 0 or bool(silent)
    slow = result.reason in _LIMITS and seen.status == 0  # it ends, but after its budget or its time
    agrees = slow or killed == (result.verdict is Verdict.KILLED)
    in_tests = seen.status in _TESTS_RUN and result.phase is Phase.CALL and result.reason in _IN_TESTS
    if agrees and in_tests:
        kills = set[str]() if result.input is None else {tests[result.input]}
        if claim.row is not None and claim.trial.mode is ExecutionMode.MATRIX:
            bits = int.from_bytes(claim.row.bits, "little")
            kills = {node for number, node in enumerate(tests) if bits >> number & 1}
            agrees = kills == silent.keys() | set(seen.failing)
        agrees = agrees and _is_so(result, kills, seen.failures, silent)
    if agrees:
        return None
    stored = f"{result.verdict.value} {result.reason.value if result.reason else ''} {result.detail}".strip()
    words = seen.how or f"exit status {seen.status}, failing: {_listed(seen) or 'none'}"
    words += "".join(f", {node} {how}" for node, how in sorted(silent.items()))
    return FactDisagreement(str(claim.trial), claim.mutant.id, stored, words)


def _silent(tests: Sequence[str], seen: PlainRun, xfailing: Collection[str]) -> dict[str, str]:
    """Return the tests that neither pass nor fail, with how they end; `xfailing` ones end so on the original."""
    xfailed = set(seen.xfailed) - set(xfailing)
    ends = dict.fromkeys(seen.missing, MISSING) | dict.fromkeys([node for node in tests if node in xfailed], XFAILED)
    return ends | dict.fromkeys([node for node in tests if is_skipped(node, seen.skipped)], SKIPPED)


def _is_so(
    result: MutantResult, kills: Collection[str], failures: Mapping[str, tuple[str, str]], silent: Mapping[str, str]
) -> bool:
    """Return True if one of the tests that kill a mutant ends with its reason and detail.

    A failing teardown is not compared: pytest reports it with another test if a run leaves out tests.
    """
    if result.detail.startswith(_TEARDOWN) or not kills:
        return True
    ends = [failures.get(node) or (KillReason.SKIPPED.value, silent.get(node, "")) for node in kills]
    return (result.reason.value if result.reason else "", result.detail) in ends


def _listed(seen: PlainRun) -> str:
    """List the failing tests with their reasons."""
    return ", ".join(f"{node} ({' '.join(seen.failures.get(node, ()))})" for node in seen.failing)
