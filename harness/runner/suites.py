"""Suites made in the sandbox, once, and cached by the content that they are made from."""

from __future__ import annotations

import errno
import hashlib
import json
import math
import os
from collections.abc import Callable
from contextlib import ExitStack, suppress
from dataclasses import dataclass, replace
from pathlib import Path

from harness import resources
from harness.errors import MutascopeError, SourceError, StoreError, UsageError
from harness.generators.policies.own.generator import OwnGenerator
from harness.generators.registry import find_generator, generator_words, plug_in_paths
from harness.generators.requests import GenerationProgress, Interim, Notice, SuiteReport, SuiteRequest, no_room
from harness.kernel.inputs.suites import FORMAT, InputKind, SuiteReader, note_making
from harness.model.experiment import Trial
from harness.model.subject import Subject
from harness.resources import positive_variable
from harness.runner.logs import LOGGER
from harness.runner.progress import progress_count
from harness.runner.provenance import MakingRecord
from harness.runner.suite_validation import InvalidSuite, validate_suite
from harness.sandbox.ask import Question, hear
from harness.sandbox.folders import collect_leftovers, locked_folder
from harness.sandbox.listening import STARTING
from harness.sandbox.process import WorkerDied
from harness.store.facts import StoredTrial


def suite_folder(subject: Subject, trial: Trial) -> Path:
    """Return the path of the trial's suite in the cache: a name for people, and a hash of all parts it is made from."""
    generator = find_generator(trial.generator)
    key_parts = [FORMAT, subject.content_hash, generator.name, generator.version, trial.scope, trial.seed]
    key = hashlib.sha256(json.dumps(key_parts).encode()).hexdigest()[:16]
    name = generator_words(generator.name)
    return resources.cache_folder() / "suites" / f"{subject.name}-{name}-{trial.scope}-{key}"


def ensure_suite(subject: Subject, trial: Trial) -> SuiteReader:
    """Return the trial's suite, from the cache or generated now.

    Raises:
        UsageError: unknown generator, or one that cannot do it at this scope; or the files become too large.
        SpecError: rep_ok raises or does not return, a field is forgotten, or there is no input.
        SourceError: the implementation cannot be loaded, or ends its process.
        StoreError: the cache cannot be written, or the suite there was changed.
    """
    folder = suite_folder(subject, trial)
    return _read(folder) if folder.exists() else _generated(subject, trial, folder)


def stored_suite(subject: Subject, trial: StoredTrial) -> SuiteReader:
    """Return the suite that a stored trial was run on.

    If processor time ended the suite, it is made again by its number of inputs.

    Raises:
        StoreError: the generator is in a file of the user that was changed since.
        MutascopeError: as `ensure_suite`.
    """
    generator = find_generator(trial.generator)
    if isinstance(generator, OwnGenerator) and generator.version != trial.generator_version:
        raise StoreError(
            f"{generator.file}: changed since {trial.subject} {trial.generator} scope {trial.scope} was run; "
            "restore the file, or run the experiment again"
        )
    repeating = generator.repeating(trial.inputs)
    return ensure_suite(subject, Trial(trial.subject, repeating.name, trial.scope, trial.seed))


class SuiteOverLimit(Exception):
    """A suite takes more candidates, or inputs, than it may."""


def bounded_suite(subject: Subject, trial: Trial, most: int) -> SuiteReader:
    """Return a suite like `ensure_suite`, with at most `most` candidates explored and inputs; no clock decides.

    Raises:
        SuiteOverLimit: there are more.
        MutascopeError: as `ensure_suite`.
    """
    folder = suite_folder(subject, trial)
    suite = ensure_suite(subject, trial) if folder.exists() else _generated(subject, trial, folder, most)
    if max(suite.header.explored, suite.header.inputs) > most:
        raise SuiteOverLimit
    return suite


def _generated(subject: Subject, trial: Trial, folder: Path, most: float = math.inf) -> SuiteReader:
    """Generate the suite in a folder of this process, and move it to `folder`."""
    with ExitStack() as stack:
        try:
            folder.parent.mkdir(parents=True, exist_ok=True)
            collect_leftovers(folder.parent)
            own = stack.enter_context(locked_folder(folder.parent))
        except OSError as error:
            raise StoreError(
                f"{folder.parent}: suites cannot be kept there ({error.strerror}); "
                "set MUTASCOPE_CACHE to a writable folder"
            ) from None
        new_folder = own / "made" / folder.name
        try:
            new_folder.parent.mkdir()
            _generate(subject, trial, new_folder, own, most)
        except OSError as error:
            if error.errno not in (errno.ENOSPC, errno.EDQUOT):
                raise
            raise StoreError(no_room(folder.parent, trial.generator, trial.scope, error)) from None
        with suppress(OSError):  # another process was faster
            new_folder.rename(folder)
    return SuiteReader(folder)


def _read(folder: Path) -> SuiteReader:
    suite = SuiteReader(folder)
    suite.check()
    return suite


def _generate(subject: Subject, trial: Trial, folder: Path, own: Path, most: float) -> None:
    """Generate the suite in a sandboxed process, and check it.

    The header says where and when that was. This process writes that, not the sandboxed one.
    """
    making = MakingRecord.now()
    generator = find_generator(trial.generator)
    job = SuiteRequest.by(trial.generator, subject, trial.scope, trial.seed, folder)
    if isinstance(generator, OwnGenerator):
        job = replace(job, own_text=generator.text)
    expected_header = {
        "subject": job.subject,
        "subject_hash": job.subject_hash,
        "generator": generator.name,
        "generator_version": generator.version,
        "scope": job.scope,
        "seed": job.seed,
    }
    try:
        _run(job, trial, own, most)
        validate_suite(folder, expected_header)
        _check_size_on_disk(folder)
        note_making(folder, making.machine, making.began)
    except SuiteTooLarge as limit:
        if most < math.inf:
            raise SuiteOverLimit from None
        raise too_large(trial, most_bytes(), str(limit)) from None
    except InvalidSuite as strange:
        raise MutascopeError(f"generating {trial} failed: {strange}") from None


def _check_size_on_disk(folder: Path) -> None:
    """Check a whole suite, which may have grown since it was looked at last: so no clock decides what is too large."""
    header = SuiteReader(folder).header
    progress = GenerationProgress(header.explored, header.states, header.inputs)
    check_size(folder.parent, most_bytes(), _reached(progress, header.kind))


def _run(job: SuiteRequest, trial: Trial, own: Path, most: float) -> None:
    most_on_disk = most_bytes()
    compilers = os.environ.get("PATH", os.defpath)
    writable = [Path(job.folder).parent]
    if job.compiled:
        with suppress(OSError):  # the process says that it cannot keep compiled searches there
            Path(job.compiled).mkdir(parents=True, exist_ok=True)
            writable.append(Path(job.compiled))
    question = Question(
        process="harness.generators.process",
        request=job,
        answer=SuiteReport,
        work=f"generating {trial}",
        interim=Interim,
        path=compilers,
        readable=[
            *plug_in_paths(job.generator),
            *(Path(entry) for entry in compilers.split(os.pathsep) if os.path.isdir(entry)),
        ],
        writable=writable,
        below=own,
        error=MutascopeError,
    )
    with ExitStack() as stack, progress_count(f"generate {trial}") as show_line:
        if job.compiled:  # remove files that the process had begun to compile when it was ended
            stack.callback(collect_leftovers, Path(job.compiled))
        kind = find_generator(job.generator).input_kind.value
        watch = _Watch(job, trial, most, most_on_disk, show_line, kind)
        try:
            hear(question, watch.look_at)
        except WorkerDied as death:
            if "with the compiled engine: ended by SIG" in death.how:
                remedy = f"remove {job.compiled}, run it again, and report it if it ends again"
                question = replace(question, remedy=remedy)
            elif not death.how.startswith(f"while {STARTING}:"):
                question = replace(question, error=SourceError)  # it had begun to execute the program
            raise question.died(death) from None


@dataclass
class _Watch:
    """Watches the progress of a generation: shows it, and ends what grows too large."""

    job: SuiteRequest
    trial: Trial
    most: float
    most_on_disk: float
    show_line: Callable[[str], object]
    kind: str

    def look_at(self, fact: Interim, at: str) -> None:
        """Show a fact that the process reports while it does `at`.

        Raises:
            SuiteOverLimit, SuiteTooLarge: the suite becomes too large.
        """
        if isinstance(fact, Notice):
            LOGGER.warning("generate %s: %s", self.trial, fact.text)
            return
        if max(fact.explored, fact.inputs) > self.most:
            raise SuiteOverLimit
        reached = _reached(fact, self.kind) if fact.explored else at
        size = check_size(Path(self.job.folder).parent, self.most_on_disk, reached)
        self.show_line(f"{reached}, {size}" if fact.explored else reached)


def _reached(progress: GenerationProgress, kind: str) -> str:
    if kind == InputKind.SEQUENCES.value:
        return f"{progress.explored:,} executed sequences, {progress.inputs:,} inputs"
    return f"{progress.explored:,} candidates, {progress.states:,} pre-states, {progress.inputs:,} inputs"


_VARIABLE = "MUTASCOPE_SUITE_GB"
_MOST_GB = 1.0
_BYTES = 1_000_000_000


class SuiteTooLarge(Exception):
    """The files of a suite are larger than they may be; the text says how far the search has come."""


def most_bytes() -> float:
    """Return the limit: $MUTASCOPE_SUITE_GB gigabytes, or one gigabyte if it is not set.

    Raises:
        UsageError: the variable holds no positive number.
    """
    return positive_variable(_VARIABLE, _MOST_GB, "gigabytes") * _BYTES


def check_size(folder: Path, most: float, reached: str) -> str:
    """Return the size of the files that a suite has so far, as text.

    Args:
        folder: the files lie below it.
        reached: how far the search has come, as text.

    Raises:
        SuiteTooLarge: they are larger than `most` bytes.
    """
    size = _bytes_below(folder)
    if size > most:
        raise SuiteTooLarge(reached)
    return f"{size / _BYTES:.2f} GB"


def too_large(trial: Trial, most: float, reached: str) -> UsageError:
    """Return the error of a suite that is too large."""
    return UsageError(
        f"generate {trial}: its files are larger than {most / _BYTES:g} GB ({reached}); choose a lower scope, or set "
        f"{_VARIABLE} to the gigabytes that they may take"
    )


def _bytes_below(folder: Path) -> int:
    size = 0
    for place, _, files in os.walk(folder):
        for file in files:
            with suppress(FileNotFoundError):  # it has just got its final name
                size += os.lstat(os.path.join(place, file)).st_size
    return size
