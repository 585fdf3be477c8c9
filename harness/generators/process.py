"""The process in which a suite is generated, or builders are found.

It reports `Progress` about five times a second, so silence says that something does not return.
"""

from __future__ import annotations

import errno
import traceback
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from types import ModuleType
from typing import cast

from harness.codec.codec import codec_of
from harness.errors import EndlessSpecError, SourceError, SpecError, StoreError
from harness.generators.generate import generate
from harness.generators.job import BuildersJob, GenerationJob, Interim, Notice, Progress, SuiteMade, no_room
from harness.generators.protocol import Generator
from harness.generators.registry import find_generator, makes_sequences
from harness.generators.sequences.found_builders import FoundBuilders
from harness.generators.sequences.generate import generate_sequences
from harness.generators.sequences.protocol import SequenceTask
from harness.generators.states.engine import Workshop
from harness.generators.states.translated.sources import keep_source
from harness.generators.watchdog import EndlessCandidate, Watchdog, endless_call
from harness.kernel.inputs.suites import SuiteHeader
from harness.kernel.process.answering import answer
from harness.kernel.process.reported import known_class
from harness.kernel.process.telling import Beats, Teller
from harness.kernel.program.loader import execute
from harness.kernel.specs.spec import Spec, load_spec


def make_suite(job: GenerationJob, teller: Teller, beats: Beats) -> SuiteMade:
    """Write a suite to the folder of the request.

    Raises:
        MutascopeError: as `generate`, or SourceError where the implementation does not load.
    """
    with errors_for_users(job):
        return SuiteMade(_written(job, teller).inputs)


def _written(job: GenerationJob, teller: Teller) -> SuiteHeader:
    keep_source(job.source_path, job.source)
    keep_source(job.spec_path, job.spec_source)
    teller.begins(f"loading the generator {job.generator}")
    generator = find_generator(job.generator)
    module = implementation(job, teller)
    spec = spec_of(job, teller)

    def progress(explored: int, states: int, inputs: int) -> None:
        _report(teller, Progress(explored, states, inputs))

    notice = partial(_notice, teller)

    if makes_sequences(generator):
        return generate_sequences(
            generator,
            spec,
            module,
            source=job.source,
            source_path=job.source_path,
            subject=job.subject,
            subject_hash=job.subject_hash,
            scope=job.scope,
            seed=job.seed,
            folder=Path(job.folder),
            progress=progress,
            call_seconds=job.candidate_seconds,
            begins=teller.begins,
            notice=notice,
            text=job.implementation,
        )

    def engine(name: str) -> None:
        teller.begins(f"executing rep_ok of {job.spec_path} with the {name} engine")

    workshop = Workshop(
        Path(job.compiled), notice, job.jobs, engine, job.candidate_seconds, room=Path(job.folder).parent
    )
    return generate(
        cast(Generator, generator),
        spec,
        module,
        source=job.source,
        subject=job.subject,
        subject_hash=job.subject_hash,
        scope=job.scope,
        seed=job.seed,
        folder=Path(job.folder),
        progress=progress,
        candidate_seconds=job.candidate_seconds,
        workshop=workshop if job.compiled else None,
        begins=teller.begins,
    )


def implementation(job: GenerationJob, teller: Teller) -> ModuleType:
    """The implementation, executed.

    Raises:
        SourceError: it raises, or does not end.
    """
    teller.begins(f"loading {job.source_path}")
    try:
        with Watchdog(lambda: None, job.candidate_seconds, job.source_path):
            return execute(job.implementation)
    except EndlessCandidate as endless:
        raise SourceError(f"{job.source_path} did not load within {endless}; make it end") from None
    except Exception as error:
        line = f":{error.lineno}" if isinstance(error, SyntaxError) else ""
        what = f"{type(error).__name__} while it was loaded: {error}; correct the implementation"
        raise SourceError(f"{_file_of(job, error)}{line}: {what}") from error


def _file_of(job: GenerationJob, error: Exception) -> str:
    """The program's file that an exception comes from: the implementation, where it is none of its other files."""
    others = {companion.filename for companion in job.companions}
    passed = [frame.filename for frame in traceback.extract_tb(error.__traceback__) if frame.filename in others]
    return passed[-1] if passed else job.source_path


def spec_of(job: GenerationJob, teller: Teller) -> Spec:
    """The spec, executed.

    Raises:
        SpecError: it does not end, or as `load_spec`.
    """
    teller.begins(f"loading {job.spec_path}")
    try:
        with Watchdog(lambda: None, job.candidate_seconds, job.spec_path):
            return load_spec(job.spec_source, job.spec_path)
    except EndlessCandidate as endless:
        raise EndlessSpecError(f"{job.spec_path} did not load within {endless}; make it end") from None


def climb_to_builders(job: BuildersJob, teller: Teller, beats: Beats) -> FoundBuilders:
    """Find the routines that are enough to make all structures.

    Raises:
        MutascopeError: what the spec says cannot be done, or a call fails or does not return.
    """
    from harness.generators.sequences.builders import find_builders  # most requests are for suites
    from harness.generators.sequences.exploration import Exploration

    done = 0
    at: Exploration | None = None

    def begins(exploration: Exploration) -> None:
        nonlocal at, done
        done += 0 if at is None else at.explored
        at = exploration

    def beat() -> object:
        explored = done + (0 if at is None else at.explored)
        _report(teller, Progress(explored))
        return explored

    with errors_for_users(job):
        module = implementation(job, teller)
        spec = spec_of(job, teller)
        teller.begins(f"executing sequences({job.scope}) of {job.spec_path}", is_brief=True)
        bounds = spec.sequences(job.scope, job.source)
        teller.begins(f"executing calls of {job.source_path}")
        try:
            with Watchdog(beat, job.candidate_seconds, job.source_path, job.spec_path):
                notice = partial(_notice, teller)
                task = SequenceTask(spec, module, bounds, job.scope, job.seed, notice=notice)
                return find_builders(job.subject, task, begins)
        except EndlessCandidate as ended:
            current = "a call" if at is None else at.current
            raise EndlessSpecError(endless_call(ended, job.spec_path, job.source_path, current)) from None


@contextmanager
def errors_for_users(job: GenerationJob) -> Iterator[None]:
    """Raise errors within the block as errors of the user's making: full disks, `SystemExit`, places left out.

    Raises:
        MutascopeError: the block was ended by the user's code or a full disk.
    """
    try:
        yield
    except SpecError as error:
        raise known_class(error)(_located(job, str(error))) from None
    except OSError as error:
        if error.errno not in (errno.ENOSPC, errno.EDQUOT):
            raise
        raise StoreError(no_room(Path(job.folder).parents[2], job.generator, job.scope, error)) from None
    except (SystemExit, KeyboardInterrupt) as error:
        frame = traceback.extract_tb(error.__traceback__)[-1]
        what = f"{frame.filename}:{frame.lineno}: {type(error).__name__} ended the generation; do not raise it"
        raise SpecError(what) from None


def _located(job: GenerationJob, message: str) -> str:
    """Return the message with the spec's path before it, unless it names a file of the subject."""
    return message if job.spec_path in message or job.source_path in message else f"{job.spec_path}: {message}"


def _report(teller: Teller, fact: Interim) -> None:
    teller.tell({"interim": codec_of(Interim).to_data(fact)})


def _notice(teller: Teller, text: str) -> None:
    _report(teller, Notice(text))


def main(arguments: list[str]) -> int:
    """Answer the question; see `harness.kernel.process.answering`."""
    return answer(arguments, make_suite, climb_to_builders, beating=False)
