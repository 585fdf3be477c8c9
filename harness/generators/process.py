"""The process in which a suite is generated, or builders are found.

It reports `GenerationProgress` about five times a second, so silence means that some code does not return.
"""

from __future__ import annotations

import errno
import traceback
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import Any

from harness.codec.codec import codec_of
from harness.errors import EndlessSpecError, MutascopeError, SourceError, SpecError, StoreError
from harness.generators.generation import Generation
from harness.generators.protocol import SequenceTask
from harness.generators.registry import find_generator, makes_sequences
from harness.generators.requests import (
    BuildersRequest,
    GenerationProgress,
    Interim,
    Notice,
    SuiteReport,
    SuiteRequest,
    no_room,
)
from harness.generators.sequences.builder_search import BuilderSearchResult
from harness.generators.states.translated.sources import keep_source
from harness.generators.watchdog import EndlessCandidate, Watchdog, endless_call
from harness.kernel.inputs.suites import SuiteHeader
from harness.kernel.process.talk import Headway, answer, nearest_class
from harness.kernel.program.loader import execute, loading
from harness.kernel.specs.spec import Spec, load_spec


def make_suite(request: SuiteRequest, headway: Headway) -> SuiteReport:
    """Write a suite to the folder of the request.

    Raises:
        MutascopeError: as in `generate`, or SourceError if the implementation does not load.
    """
    with errors_for_users(request):
        keep_source(request.implementation.filename, request.implementation.source)
        keep_source(request.spec_filename, request.spec_source)
        headway.begins(f"loading the generator {request.generator}")
        generator: Any = _of_file(request) if request.own_text else find_generator(request.generator)
        is_of_users = hasattr(generator, "on")
        write = None if is_of_users else _writing(generator, request, headway)
        module, spec = _loaded(request, headway)

        def progress(explored: int, states: int, inputs: int) -> None:
            _report(headway, GenerationProgress(explored, states, inputs))

        generation = Generation(
            spec=spec,
            module=module,
            text=request.implementation,
            subject=request.subject,
            subject_hash=request.subject_hash,
            scope=request.scope,
            seed=request.seed,
            folder=Path(request.folder),
            progress=progress,
            candidate_seconds=request.candidate_seconds,
            begins=headway.begins,
            notice=partial(_notice, headway),
            own_file=generator.file if is_of_users else "",
        )
        if write is None:
            from harness.generators.policies.own.generator import chosen

            write = _writing(chosen(generator, generation), request, headway)
        return SuiteReport(write(generation).inputs)


def _of_file(request: SuiteRequest) -> Any:
    from harness.generators.policies.own.generator import OwnGenerator

    return OwnGenerator(request.generator, request.own_text)


def _writing(generator: Any, request: SuiteRequest, headway: Headway) -> Callable[[Generation], SuiteHeader]:
    """Return a function that writes the generator's suite. Import only what it needs, before any code of users runs."""
    for name in generator.imports:
        import_module(name)
    if makes_sequences(generator):
        from harness.generators.sequences.generate import generate_sequences

        return partial(generate_sequences, generator)
    from harness.generators.generate import generate
    from harness.generators.states.engine import Workshop

    def engine(name: str) -> None:
        headway.begins(f"executing rep_ok of {request.spec_filename} with the {name} engine")

    workshop = Workshop(Path(request.compiled), partial(_notice, headway), engine)
    return partial(generate, generator, workshop=workshop if request.compiled else None)


def _loaded(request: SuiteRequest, headway: Headway) -> tuple[ModuleType, Spec]:
    """Execute the implementation and the spec.

    Raises:
        SourceError: the implementation raises, or does not end.
        SpecError: the spec does not end, or as in `load_spec`.
    """
    where = request.implementation.filename
    with _ending(where, request, headway, SourceError), loading(request.implementation):
        module = execute(request.implementation)
    with _ending(request.spec_filename, request, headway, EndlessSpecError):
        return module, load_spec(request.spec_source, request.spec_filename)


@contextmanager
def _ending(file: str, request: SuiteRequest, headway: Headway, kind: type[MutascopeError]) -> Iterator[None]:
    """End the execution of a file if it does not end."""
    headway.begins(f"loading {file}")
    try:
        with Watchdog(lambda: None, request.candidate_seconds, file):
            yield
    except EndlessCandidate as endless:
        raise kind(f"{file} did not load within {endless}; make it end") from None


def climb_to_builders(request: BuildersRequest, headway: Headway) -> BuilderSearchResult:
    """Find the builders, the routines that suffice to make all structures.

    Raises:
        MutascopeError: the spec requires something impossible, or a call fails or does not return.
    """
    from harness.generators.sequences.builders import find_builders  # most requests are for suites
    from harness.generators.sequences.exploration import SequenceExploration

    done = 0
    at: SequenceExploration | None = None

    def begins(exploration: SequenceExploration) -> None:
        nonlocal at, done
        done += 0 if at is None else at.explored
        at = exploration

    def beat() -> object:
        explored = done + (0 if at is None else at.explored)
        _report(headway, GenerationProgress(explored))
        return explored

    with errors_for_users(request):
        module, spec = _loaded(request, headway)
        headway.begins(f"executing sequences({request.scope}) of {request.spec_filename}", is_brief=True)
        bounds = spec.sequences(request.scope, request.implementation.source)
        headway.begins(f"executing calls of {request.implementation.filename}")
        try:
            with Watchdog(beat, request.candidate_seconds, request.implementation.filename, request.spec_filename):
                notice = partial(_notice, headway)
                task = SequenceTask(spec, module, bounds, request.scope, request.seed, notice=notice)
                return find_builders(request.subject, task, begins)
        except EndlessCandidate as ended:
            current = "a call" if at is None else at.current
            raise EndlessSpecError(
                endless_call(ended, request.spec_filename, request.implementation.filename, current)
            ) from None


@contextmanager
def errors_for_users(request: SuiteRequest) -> Iterator[None]:
    """Turn errors of the block that users can correct into errors with a location: full disks, `SystemExit`, SpecError.

    Raises:
        MutascopeError: the block was ended by the user's code or a full disk.
    """
    try:
        yield
    except SpecError as error:
        raise nearest_class(error)(_located(request, str(error))) from None
    except OSError as error:
        if error.errno not in (errno.ENOSPC, errno.EDQUOT):
            raise
        raise StoreError(no_room(Path(request.folder).parents[2], request.generator, request.scope, error)) from None
    except (SystemExit, KeyboardInterrupt) as error:
        frame = traceback.extract_tb(error.__traceback__)[-1]
        message = f"{frame.filename}:{frame.lineno}: {type(error).__name__} ended the generation; do not raise it"
        raise SpecError(message) from None


def _located(request: SuiteRequest, message: str) -> str:
    """Return the message with the spec's path before it, unless it names a file of the subject."""
    return (
        message
        if request.spec_filename in message or request.implementation.filename in message
        else f"{request.spec_filename}: {message}"
    )


def _report(headway: Headway, fact: Interim) -> None:
    headway.teller.report(codec_of(Interim).to_data(fact))


def _notice(headway: Headway, text: str) -> None:
    _report(headway, Notice(text))


def main(arguments: list[str]) -> int:
    """Answer the request; see `harness.kernel.process.talk`."""
    return answer(arguments, make_suite, climb_to_builders, beating=False)
