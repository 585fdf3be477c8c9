"""Suites made in the sandbox, once: cached by the content of what they are made from."""

from __future__ import annotations

import hashlib
import json
import os
from pathlib import Path
from tempfile import TemporaryDirectory

from harness import resources
from harness.errors import MutascopeError, StoreError
from harness.generators.job import GenerationJob
from harness.generators.registry import find_generator
from harness.kernel.suites import FORMAT, SuiteReader, remove_leftovers
from harness.model.experiment import Trial
from harness.model.subject import Subject
from harness.runner.logs import LOGGER
from harness.runner.progress import progress_count
from harness.sandbox.process import SandboxedProcess, WorkerDied


def suite_folder(subject: Subject, trial: Trial) -> Path:
    """Where the trial's suite lies in the cache: a name for people, and a hash of all it is made from."""
    generator = find_generator(trial.generator)
    made_from = [FORMAT, subject.content_hash, generator.name, generator.version, trial.scope, trial.seed]
    key = hashlib.sha256(json.dumps(made_from).encode()).hexdigest()[:16]
    return resources.cache_folder() / "suites" / f"{subject.name}-{generator.name}-{trial.scope}-{key}"


def ensure_suite(subject: Subject, trial: Trial, jobs: int = 1) -> SuiteReader:
    """The trial's suite, from the cache or generated now.

    Args:
        jobs: processes that a long search is split over; the suite is the same.

    Raises:
        UsageError: unknown generator, or one that cannot do it at this scope.
        SpecError: rep_ok raises or does not return, a field is forgotten, or there is no input.
        StoreError: the cache cannot be written, or holds a damaged suite.
    """
    folder = suite_folder(subject, trial)
    if not (folder / "header.json").exists():
        _generate(subject, trial, folder, jobs)
    suite = SuiteReader(folder)
    suite.check()
    return suite


def _generate(subject: Subject, trial: Trial, folder: Path, jobs: int) -> None:
    try:
        folder.parent.mkdir(parents=True, exist_ok=True)
        with TemporaryDirectory(dir=folder.parent, prefix=".writable-"):
            pass
    except OSError as error:
        raise StoreError(
            f"{folder.parent}: suites cannot be kept there ({error.strerror}); set MUTASCOPE_CACHE to a writable folder"
        ) from None
    remove_leftovers(folder)
    job = GenerationJob.of(subject, trial.generator, trial.scope, trial.seed, folder, jobs)
    with TemporaryDirectory(prefix="mutascope-") as workplace:
        path = Path(workplace) / "job.json"
        path.write_text(job.to_json())
        with (
            SandboxedProcess("harness.generators.child", str(path), path=os.environ.get("PATH", os.defpath)) as child,
            progress_count(f"generate {trial}") as shown,
        ):
            try:
                while "done" not in (fact := child.fact()):
                    if "notice" in fact:
                        LOGGER.warning("generate %s: %s", trial, fact["notice"])
                        continue
                    found = fact["progress"]
                    shown(f"{found['explored']:,} explored, {found['states']:,} valid, {found['inputs']:,} inputs")
            except WorkerDied as death:
                raise MutascopeError(f"generating {trial}: the process {death.how}") from None
