"""Suites made in the sandbox, once, validated, and cached by the content that they are made from."""

from __future__ import annotations

import errno
import hashlib
import json
import math
import os
import stat
from collections.abc import Mapping
from contextlib import ExitStack, suppress
from dataclasses import fields, replace
from pathlib import Path

from harness import resources
from harness.errors import MutascopeError, SourceError, StoreError, UsageError
from harness.generators.policies.own.generator import OwnGenerator
from harness.generators.registry import can_be_read, find_generator, generator_words, plug_in_paths
from harness.generators.requests import GenerationProgress, Interim, Notice, SuiteReport, SuiteRequest, no_room
from harness.kernel.inputs.suites import FORMAT, InputKind, SuiteHeader, SuiteReader, note_making
from harness.model.experiment import Trial
from harness.model.subject import Subject
from harness.resources import positive_variable
from harness.runner.logs import LOGGER
from harness.runner.progress import progress_count
from harness.runner.provenance import MakingRecord
from harness.sandbox.ask import STARTING, Question, hear
from harness.sandbox.folders import collect_leftovers, locked_folder
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


class SuiteTooLarge(Exception):
    """A suite takes more candidates, inputs or bytes than it may; the text says how far the search has come."""


def bounded_suite(subject: Subject, trial: Trial, most: int) -> SuiteReader:
    """Return a suite like `ensure_suite`, with at most `most` candidates explored and inputs; no clock decides.

    Raises:
        SuiteTooLarge: there are more.
        MutascopeError: as `ensure_suite`.
    """
    folder = suite_folder(subject, trial)
    suite = ensure_suite(subject, trial) if folder.exists() else _generated(subject, trial, folder, most)
    if max(suite.header.explored, suite.header.inputs) > most:
        raise SuiteTooLarge
    return suite


def _generated(subject: Subject, trial: Trial, folder: Path, most: float = math.inf) -> SuiteReader:
    """Generate the suite in a folder of this process, and move it to `folder`."""
    with ExitStack() as stack:
        try:
            folder.parent.mkdir(parents=True, exist_ok=True)
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
        # A whole suite may have grown since it was looked at last: so no clock decides what is too large.
        header = SuiteReader(folder).header
        progress = GenerationProgress(header.explored, header.states, header.inputs)
        _checked_size(own, _reached(progress, header.kind))
        note_making(folder, making.machine, making.began)
    except SuiteTooLarge as limit:
        if most < math.inf:
            raise
        raise UsageError(
            f"generate {trial}: its files are larger than {most_bytes() / _BYTES:g} GB ({limit}); choose a lower "
            f"scope, or set {_VARIABLE} to the gigabytes that they may take"
        ) from None
    except InvalidSuite as strange:
        raise MutascopeError(f"generating {trial} failed: {strange}") from None


def _run(job: SuiteRequest, trial: Trial, own: Path, most: float) -> None:
    most_bytes()  # which refuses what is no number
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

        def look_at(fact: Interim, at: str) -> None:
            if isinstance(fact, Notice):
                LOGGER.warning("generate %s: %s", trial, fact.text)
                return
            reached = _reached(fact, kind) if fact.explored else at
            if max(fact.explored, fact.inputs) > most:
                raise SuiteTooLarge(reached)
            size = _checked_size(own, reached)
            show_line(f"{reached}, {size / _BYTES:.2f} GB" if fact.explored else reached)

        try:
            hear(question, look_at)
        except WorkerDied as death:
            if "with the compiled engine: ended by SIG" in death.how:
                remedy = f"remove {job.compiled}, run it again, and report it if it ends again"
                question = replace(question, remedy=remedy)
            elif not death.how.startswith(f"while {STARTING}:"):
                question = replace(question, error=SourceError)  # it had begun to execute the program
            raise question.died(death) from None


def _reached(progress: GenerationProgress, kind: str) -> str:
    if kind == InputKind.SEQUENCES.value:
        return f"{progress.explored:,} executed sequences, {progress.inputs:,} inputs"
    return f"{progress.explored:,} candidates, {progress.states:,} pre-states, {progress.inputs:,} inputs"


_VARIABLE = "MUTASCOPE_SUITE_GB"
_MOST_GB = 1.0
_BYTES = 1_000_000_000


def most_bytes() -> float:
    """Return the limit: $MUTASCOPE_SUITE_GB gigabytes, or one gigabyte if it is not set.

    Raises:
        UsageError: the variable holds no positive number.
    """
    return positive_variable(_VARIABLE, _MOST_GB, "gigabytes") * _BYTES


def _checked_size(folder: Path, reached: str) -> int:
    """Return the bytes of the files below a folder; raise SuiteTooLarge if they are too many."""
    size = _bytes_below(folder)
    if size > most_bytes():
        raise SuiteTooLarge(reached)
    return size


def _bytes_below(folder: Path) -> int:
    size = 0
    for place, _, files in os.walk(folder):
        for file in files:
            with suppress(FileNotFoundError):  # it has just got its final name
                size += os.lstat(os.path.join(place, file)).st_size
    return size


_FILES = {"header.json", "states.bin", "inputs.bin"}


class InvalidSuite(Exception):
    """The files are no complete suite, or not the expected one; the message says why."""


def validate_suite(folder: Path, expected: Mapping[str, object]) -> None:
    """Check a suite before it is accepted: its process has run the program under test, so it cannot be trusted.

    Args:
        expected: the values that the header must have, by field.

    Raises:
        InvalidSuite: it must not become a suite.
    """
    try:
        modes = {entry.name: entry.lstat().st_mode for entry in folder.iterdir()}
    except OSError as error:
        raise _wrong(f"there is none ({error.strerror})") from None
    if modes.keys() != _FILES or not all(stat.S_ISREG(mode) for mode in modes.values()):
        raise _wrong(f"its files are {', '.join(sorted(modes)) or 'none'}")
    try:
        reader = SuiteReader(folder)
        header = reader.header
        wrong = [field for field, value in expected.items() if getattr(header, field) != value]
        counts = (field.name for field in fields(SuiteHeader) if field.type == "int")
        wrong += [name for name in counts if not _is_count(header, name)]
        wrong += [name for name, is_told in (("ended", _is_text), ("notices", _is_lines)) if not is_told(header, name)]
        wrong += ["details"] * (not can_be_read(header.details))
        wrong += ["searchable"] * (type(header.searchable) is not bool)
        if not wrong:
            reader.check()
    except Exception as error:  # reading files of unknown content may raise anything
        raise _wrong(" ".join(str(error).split())) from None
    if wrong:
        raise _wrong(f"its header tells another {wrong[0]}")


def _is_count(header: SuiteHeader, name: str) -> bool:
    value = getattr(header, name)
    return type(value) is int and (value >= 0 or name == "seed")


def _is_text(header: SuiteHeader, name: str) -> bool:
    return type(getattr(header, name)) is str


def _is_lines(header: SuiteHeader, name: str) -> bool:
    value = getattr(header, name)
    return type(value) is list and all(type(line) is str for line in value)


def _wrong(problem: str) -> InvalidSuite:
    return InvalidSuite(
        f"what the process wrote is not the suite: {problem}; see to it that neither implementation, spec nor "
        "generator write files of their own"
    )
