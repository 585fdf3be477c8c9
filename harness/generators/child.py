"""Generates one suite in a process of its own.

`main` is called by `kernel.process.containment.launch` with JOB and the pipe ends ORDERS and FACTS. No orders are
taken. The pipe of facts gets JSON lines: `{"begins": what}` when something does, then `{"progress": {"explored",
"states", "inputs"}}` about five times a second, so that silence says that something does not return; `{"notice":
text}` for what a person may want to know; at last one of `{"done": header}` and `{"error": {"kind", "message"}}`,
where `kind` is a class of harness.errors. A process that ends without either has died, and its parent says why.
"""

from __future__ import annotations

import errno
import traceback
from collections.abc import Callable
from dataclasses import asdict
from pathlib import Path
from types import ModuleType
from typing import Any, cast

from harness import errors
from harness.errors import EndlessSpecError, MutascopeError, SourceError, SpecError, StoreError
from harness.generators.generate import generate
from harness.generators.job import GenerationJob, no_room
from harness.generators.protocol import Generator
from harness.generators.registry import find_generator, makes_sequences
from harness.generators.sequences.generate import generate_sequences
from harness.generators.states.engine import Workshop
from harness.generators.states.translated.sources import keep_source
from harness.generators.watchdog import EndlessCandidate, Watchdog
from harness.kernel.inputs.suites import SuiteHeader
from harness.kernel.process.telling import Teller
from harness.kernel.program.loader import execute
from harness.kernel.specs.spec import Spec, load_spec


def run_job(job: GenerationJob, teller: Teller) -> SuiteHeader:
    """Carries out a job in this process, telling what it is at only.

    Raises:
        MutascopeError: as `generate`, or SourceError where the implementation does not load.
    """
    keep_source(job.source_path, job.source)
    keep_source(job.spec_path, job.spec_source)
    teller.begins(f"loading the generator {job.generator}")
    generator = find_generator(job.generator)
    module = implementation(job, teller)
    spec = spec_of(job, teller)

    def progress(explored: int, states: int, inputs: int) -> None:
        teller.tell({"progress": {"explored": explored, "states": states, "inputs": inputs}})

    def notice(text: str) -> None:
        teller.tell({"notice": text})

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


def main(arguments: list[str]) -> int:
    """Exit status: 0 when the suite is there, 1 when a class of harness.errors says why not.

    Args:
        arguments: the job's file first, the number of the pipe for facts last.
    """
    job = GenerationJob.from_json(Path(arguments[0]).read_text(encoding="utf-8"))
    teller = Teller(int(arguments[-1]))
    return reported(job, teller, lambda: asdict(run_job(job, teller)))


def reported(job: GenerationJob, teller: Teller, work: Callable[[], dict[str, Any]]) -> int:
    """Does the work and tells what it gave, or why it gave nothing; returns the exit status."""
    try:
        done = work()
    except MutascopeError as error:
        # Plug-ins may derive classes of their own; the parent knows those of harness.errors.
        kind = next(cls.__name__ for cls in type(error).__mro__ if vars(errors).get(cls.__name__) is cls)
        message = _located(job, str(error)) if isinstance(error, SpecError) else str(error)
        teller.tell({"error": {"kind": kind, "message": message}})
        return 1
    except OSError as error:
        if error.errno not in (errno.ENOSPC, errno.EDQUOT):
            raise
        message = no_room(Path(job.folder).parents[2], job.generator, job.scope, error)
        teller.tell({"error": {"kind": StoreError.__name__, "message": message}})
        return 1
    except (SystemExit, KeyboardInterrupt) as error:
        frame = traceback.extract_tb(error.__traceback__)[-1]
        what = f"{frame.filename}:{frame.lineno}: {type(error).__name__} ended the generation; do not raise it"
        teller.tell({"error": {"kind": SpecError.__name__, "message": what}})
        return 1
    teller.tell({"done": done})
    return 0


def _located(job: GenerationJob, message: str) -> str:
    """The message with the spec's path before it, where it names no file of the subject."""
    return message if job.spec_path in message or job.source_path in message else f"{job.spec_path}: {message}"
