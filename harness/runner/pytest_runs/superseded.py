"""The files of a project as they were when a suite was run; trials that were run before an edit of these."""

from __future__ import annotations

from collections import defaultdict
from enum import Enum
from pathlib import Path

from harness.errors import MutascopeError, StoreError
from harness.model.pytest_suite import PYTEST, SuiteRecord
from harness.runner.pytest_runs.project import Project, find_project, suite_digest
from harness.runner.pytest_runs.readable import file_hashes, is_imported, readable
from harness.sandbox.folders import locked_folder
from harness.store.facts import StoredTrial, latest_trials
from harness.store.run_store import RunStore

_AS_RUN = " as run"
AGAIN = "run it again, in another folder if the experiment no longer has it"


class _Files(Enum):
    """The state of a project's files, compared with the files that a suite was run on."""

    PRESENT = "all are the same"
    AS_READ = "those that the tests or the target can read are the same"
    CHANGED = "others"


def superseded_suites(run: Path) -> list[StoredTrial]:
    """Return the trials whose files were changed since, if another trial of the target was run on the present files.

    A run after the edit left them out. If there is no such trial, the project may have been edited after the last run,
    and its trials are not superseded.
    """
    of_targets: dict[tuple[str, str], list[tuple[StoredTrial, SuiteRecord]]] = defaultdict(list)
    with RunStore.open_existing(run) as store:
        for trial in latest_trials(store.trials.all()):
            record = store.suites.of(trial.key) if trial.generator == PYTEST else None
            if record is not None and store.results.finished_mutants(trial.key):
                of_targets[record.suite.folder, record.suite.target].append((trial, record))
    superseded: list[StoredTrial] = []
    for stored in of_targets.values():
        if len(stored) > 1:
            files = [_files(trial, record) for trial, record in stored]
            changed = [trial for (trial, _), state in zip(stored, files, strict=True) if state is _Files.CHANGED]
            superseded += changed if _Files.PRESENT in files else []
    return superseded


def _files(trial: StoredTrial, record: SuiteRecord) -> _Files:
    try:
        with locked_folder() as folder:
            digest = copy_as_run(find_project(record.suite), trial, record, folder / "files")
    except MutascopeError:
        return _Files.CHANGED
    return _Files.AS_READ if digest.endswith(_AS_RUN) else _Files.PRESENT


def copy_as_run(project: Project, trial: StoredTrial, record: SuiteRecord, copied: Path) -> str:
    """Copy the files of a project as they were when a suite was run, and return their digest.

    Raises:
        StoreError: the target, or a file that it or the tests can read, is another one than it was.
    """
    if project.subject.source_hash != trial.source_hash:
        raise StoreError(f"{project.subject.source_path} was changed since {trial} was run; {AGAIN}")
    digest = project.copy(copied)
    tests = [test.node_id for test in record.tests]
    if suite_digest(record.suite, digest, tests, record.excluded) == trial.suite_digest:
        return digest
    _make_as_run(project, copied, trial, record)
    return digest + _AS_RUN  # types that were observed on all files are kept under the digest alone


def _make_as_run(project: Project, copied: Path, trial: StoredTrial, record: SuiteRecord) -> None:
    """Remove from the copied files those that did not exist when the suite was run.

    Raises:
        StoreError: a file that the tests or the target can read was changed, or the run has not kept its files.
    """
    before, now = record.files, file_hashes(copied)
    if not before:
        raise StoreError(f"{project.root}: files were changed since {trial} was run; {AGAIN}")
    for path in sorted(readable(copied, {*before, *now})):
        change = "added" if path not in before else "changed" if path in now else "removed"
        if now.get(path) != before.get(path) and (change != "added" or is_imported(path)):
            raise StoreError(f"{project.root / path} was {change} since {trial} was run; {AGAIN}")
    for path in now.keys() - before.keys():
        (copied / path).unlink()
