"""Re-executes verdicts of pytest suites: with pytest itself, once per mutant, on a copy with the mutated file."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from time import monotonic

from harness.codec.codec import DecodeError, codec_of
from harness.errors import StoreError
from harness.kernel.program.splice import mutated_source
from harness.model.experiment import ExecutionMode
from harness.model.outcome import KillReason, Mutant, MutantResult, Phase, Verdict
from harness.model.pytest_suite import SuiteRecord
from harness.mutation.program import room_for
from harness.pytest_suites.job import CoverageOrder, PlainRequest
from harness.pytest_suites.reports import MISSING, SKIPPED, XFAILED, PlainRun, is_skipped
from harness.pytest_suites.work_tree import WorkTree
from harness.runner.origins import (
    FactDisagreement,
    StoredFacts,
    StoredVerdict,
    coverage_disagreements,
    field_disagreements,
    mutant_disagreements,
)
from harness.runner.pytest_runs.executor import fork_server
from harness.runner.pytest_runs.facts import fields_of, suite_coverage
from harness.runner.pytest_runs.mutants import project_types, target_mutants
from harness.runner.pytest_runs.project import Project, find_project, settings_above, write_job
from harness.runner.pytest_runs.readable import copy_as_run
from harness.sandbox.folders import locked_folder
from harness.sandbox.process import NO_FACT, SandboxedProcess, WorkerDied

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
class SuiteVerdict(StoredVerdict):
    """A stored verdict of a suite, with what pytest is run again on.

    Attributes:
        source: the text of the target with the mutant.
        files: a copy of the project.
        patience: the seconds that pytest may take.
        xfailing: tests of the original that call `pytest.xfail`.
    """

    record: SuiteRecord
    project: Project
    source: str
    files: Path
    patience: float
    xfailing: Collection[str]

    def checked(self, folder: Path) -> FactDisagreement | None:
        """Run pytest in a folder below `folder`; return the disagreement if there is one."""
        with locked_folder(folder) as own:
            seen, _ = _run(self.project, self.record, self.source, self.files, own, self.patience)
        return _compared(self, seen)


@contextmanager
def suite_again(facts: StoredFacts) -> Iterator[tuple[list[FactDisagreement], list[SuiteVerdict]]]:
    """Compare a trial with its origins, and yield its verdicts, which can be checked within the block.

    Raises:
        StoreError: the project is no longer the one that was run.
    """
    trial, record = facts.trial, facts.record
    assert record is not None
    project = find_project(record.suite)
    source = project.subject.source
    with room_for(project.subject), locked_folder() as folder:
        files = folder / _FILES
        digest = copy_as_run(project, trial, record, files)
        with locked_folder(folder) as own:
            seen, seconds = _run(project, record, source, files, own, _LONGEST_ORIGINAL)
        if seen.status != 0:
            raise StoreError(
                f"{trial}: plain pytest does not pass on the original ({codec_of(PlainRun).to_data(seen)}); "
                "run it again"
            )
        patience = PATIENCE_FACTOR * seconds + PATIENCE_CONSTANT
        derived = target_mutants(project, trial.operator_set, lambda: project_types(project, files, digest))
        by_id = {mutant.id: mutant for mutant in derived}
        claims = [
            SuiteVerdict(**vars(one), record=record, project=project, files=files, patience=patience,
                         xfailing=seen.xfailed, source=mutated_source(source, by_id.get(one.mutant.id, one.mutant)))
            for one in facts.verdicts
        ]  # fmt: skip
        yield [*_of_origins(facts, project, derived), *_measured_again(facts, project, folder)], claims


def _of_origins(stored: StoredFacts, project: Project, derived: Sequence[Mutant]) -> Iterator[FactDisagreement]:
    """Compare mutants with those of the source, and a trial and its record with each other and with the target."""
    trial, record = stored.trial, stored.record
    assert record is not None
    yield from mutant_disagreements(trial, stored.mutants, derived)
    steps = {test.node_id: test.steps for test in record.tests}
    fields = fields_of(project.subject, steps, record.excluded)
    yield from field_disagreements(trial, trial, fields, "read again")
    if record.source != project.subject.source:
        yield FactDisagreement(str(trial), "source of the target", "another text", "that of its hash", "read again")


def _measured_again(stored: StoredFacts, project: Project, folder: Path) -> Iterator[FactDisagreement]:
    """Measure coverage in a fork server, as a run does."""
    if not stored.coverage or stored.record is None:
        return
    job, source = folder / "job.json", project.subject.source
    write_job(project, folder / _FILES, job)
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


def _compared(claim: SuiteVerdict, seen: PlainRun) -> FactDisagreement | None:
    result = claim.result
    tests = [test.node_id for test in claim.record.tests]
    silent = _silent(tests, seen, claim.xfailing)
    killed = seen.status != 0 or bool(silent)
    slow = result.reason in _LIMITS and seen.status == 0  # it ends, but after its budget or its time
    agrees = slow or killed == (result.verdict is Verdict.KILLED)
    in_tests = seen.status in _TESTS_RUN and result.phase is Phase.CALL and result.reason in _IN_TESTS
    if agrees and in_tests:
        kills = set[str]() if result.input is None else {tests[result.input]}
        if claim.kill_row is not None and claim.trial.mode is ExecutionMode.MATRIX:
            bits = int.from_bytes(claim.kill_row.bits, "little")
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
