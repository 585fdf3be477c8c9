"""Suites made in the sandbox, once: cached by the content of what they are made from."""

from __future__ import annotations

import hashlib
import json
import os
from contextlib import ExitStack, suppress
from dataclasses import replace
from pathlib import Path

from harness import resources
from harness.errors import MutascopeError, StoreError
from harness.generators.job import GenerationJob, patience
from harness.generators.registry import find_generator
from harness.kernel.suites import FORMAT, SuiteReader
from harness.model.experiment import Trial
from harness.model.subject import Subject
from harness.runner.logs import LOGGER
from harness.runner.progress import progress_count
from harness.runner.publishing import publish
from harness.sandbox.folders import collect_leftovers, own_folder
from harness.sandbox.listening import Listener, death_remedy
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
    """Has a sandboxed process write the suite into a folder of its own, and publishes it from there."""
    with ExitStack() as stack:
        try:
            folder.parent.mkdir(parents=True, exist_ok=True)
            collect_leftovers(folder.parent)
            part = stack.enter_context(own_folder(folder.parent))
        except OSError as error:
            raise StoreError(
                f"{folder.parent}: suites cannot be kept there ({error.strerror}); "
                f"set MUTASCOPE_CACHE to a writable folder"
            ) from None
        job = GenerationJob.of(subject, trial.generator, trial.scope, trial.seed, part / "suite", jobs)
        try:
            _run(job, trial, part)
        except _EngineFailed as failure:
            LOGGER.warning("generate %s: %s; please report this; the reference engine goes on", trial, failure)
            _run(replace(job, compiled=""), trial, part)
        _publish(job, trial, folder)


class _EngineFailed(Exception):
    """The process died while a compiled engine searched: that engine may have done it."""


_FAULTS = ("SIGSEGV", "SIGBUS", "SIGILL", "SIGFPE", "SIGABRT")
"""Signals that compiled code may end its process by."""
_NATIVE = ("the compiled engine", "the interpreted engine")
"""How the process says that compiled code searches."""


def _run(job: GenerationJob, trial: Trial, part: Path) -> None:
    path = part / "job.json"
    path.write_text(job.to_json())
    writable = [part]
    if job.compiled:
        with suppress(OSError):  # the process says that it cannot keep compiled searches there
            Path(job.compiled).mkdir(parents=True, exist_ok=True)
            writable.append(Path(job.compiled))
    compilers = os.environ.get("PATH", os.defpath)
    with (
        SandboxedProcess("harness.generators.child", str(path), path=compilers, writable=writable) as child,
        progress_count(f"generate {trial}") as shown,
    ):
        listener = Listener(child, patience())
        try:
            while "done" not in (fact := listener.fact()):
                if "notice" in fact:
                    LOGGER.warning("generate %s: %s", trial, fact["notice"])
                elif "progress" in fact:
                    found = fact["progress"]
                    shown(f"{found['explored']:,} explored, {found['states']:,} valid, {found['inputs']:,} inputs")
        except WorkerDied as death:
            if listener.at.endswith(_NATIVE) and any(name in death.how for name in _FAULTS):
                raise _EngineFailed(death.how) from None
            how, remedy = " ".join(death.how.split()), death_remedy(death)
            raise MutascopeError(f"generating {trial} failed {how}; {remedy}") from None


def _publish(job: GenerationJob, trial: Trial, folder: Path) -> None:
    generator = find_generator(job.generator)
    told = {
        "subject": job.subject,
        "subject_hash": job.subject_hash,
        "generator": generator.name,
        "generator_version": generator.version,
        "scope": job.scope,
        "seed": job.seed,
    }
    try:
        publish(Path(job.folder), folder, told)
    except StoreError:
        raise
    except MutascopeError as error:
        raise MutascopeError(f"generating {trial} failed: {error}") from None
