"""Runs a generator of sequences and writes its suite, as a stream."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from contextlib import nullcontext
from pathlib import Path
from types import ModuleType

from harness.errors import EndlessSpecError, SpecError
from harness.generators.processor_time import WHOLE, ProcessorTime
from harness.generators.protocol import check_production
from harness.generators.sequences.protocol import NotSymbolic, SequenceGenerator, SequenceProduction, SequenceTask
from harness.generators.sequences.witness import AGAIN, Contradicted
from harness.generators.watchdog import EndlessCandidate, Watchdog, endless_call
from harness.kernel.inputs.suites import InputKind, SuiteHeader, SuiteWriter
from harness.kernel.program.loader import ModuleText
from harness.kernel.specs.spec import Spec
from harness.model.sequence import SequenceScope

NUMBERS_PER_STATE, BYTES_PER_NUMBER = 2, 4
"""As `harness.kernel.inputs.suites` has states of sequences."""


def generate_sequences(
    generator: SequenceGenerator,
    spec: Spec,
    module: ModuleType,
    *,
    source: str,
    source_path: str,
    subject: str,
    subject_hash: str,
    scope: int,
    seed: int,
    folder: Path,
    progress: Callable[[int, int, int], None] | None = None,
    call_seconds: float | None = None,
    begins: Callable[..., None] = lambda what, is_brief=False: None,
    notice: Callable[[str], object] = lambda text: None,
    restores: bool = True,
    text: ModuleText | None = None,
    concrete: Mapping[int, str] | None = None,
) -> SuiteHeader:
    """Writes the suite of `generator` for `spec` at `scope` to `folder`; returns its header.

    Args:
        module: the implementation, executed from `source`, which the file `source_path` has.
        folder: where the suite appears once it is complete; its parents are made.
        progress: called about five times a second from a signal handler with sequences executed, states and inputs.
        call_seconds: wall-clock limit for one call. With this or `progress`, the main thread and SIGALRM are needed.
        begins: told what begins, for whoever waits for it to end, and whether it is brief (`Teller.begins`).
        notice: told in one line what a person may want to know of a suite that was written.
        restores: whether states may be made from bytes (`SequenceTask`).
        concrete: routines whose arguments are not to be symbolic (`SequenceTask`).
        text: the program with the modules beside it; None: there are none but `source`.

    Raises:
        SpecError: the bounds are unusable, or not the same when they are asked for again; a call does not return, or
            fails; or there is no input at all.
        UsageError: the generator cannot do it at this scope.
    """
    header: SuiteHeader | None = None
    production: SequenceProduction | None = None

    def beat() -> object:
        explored = 0 if production is None else production.explored
        reached = (explored, 0, 0) if header is None else (explored, header.states, header.inputs)
        if progress is not None:
            progress(*reached)
        return reached

    watched = progress is not None or call_seconds is not None
    limit = float("inf") if call_seconds is None else call_seconds
    noted: list[str] = []
    started = time.perf_counter()
    begins(f"executing sequences({scope}) of {spec.module.__file__}", is_brief=True)
    bounds = spec.sequences(scope, source)
    check_same(bounds, spec.sequences(scope, source), f"{spec.module.__file__}: sequences({scope})")
    begins(f"executing calls of {source_path}")
    header = SuiteHeader(
        subject=subject,
        subject_hash=subject_hash,
        generator=generator.name,
        generator_version=generator.version,
        scope=scope,
        seed=seed,
        width=NUMBERS_PER_STATE,
        itemsize=BYTES_PER_NUMBER,
        targets=[routine.name for routine in bounds.routines],
        kind=InputKind.SEQUENCES.value,
    )
    try:
        with (
            Watchdog(beat, limit, source_path, spec.module.__file__) if watched else nullcontext(),
            SuiteWriter(folder, header) as writer,
        ):
            text = text or ModuleText(module.__name__, source, source_path)
            task = SequenceTask(spec, module, bounds, scope, seed, restores, noted.append, text, concrete or {})
            production = generator.explore(task)
            check_production(production, generator.name)
            with (spent := ProcessorTime()):
                production.write(writer)
            production.facts().keep_in(header)
            header.cpu_seconds = {WHOLE: spent.seconds}
            header.explored = production.explored
            header.notices = [_without_place(line, module, source_path) for line in noted]
            if not header.inputs:
                raise SpecError(
                    f"{subject}: {generator.name} made no sequence at scope {scope}: all of {header.explored} were "
                    "misuse, or beyond the bounds; correct the domains of the routines"
                )
            header.seconds = time.perf_counter() - started
            written = writer.close()
        for line in noted:
            notice(line)
        return written
    except EndlessCandidate as ended:
        current = "a call" if production is None else production.current
        remedy = "" if production is None else production.remedy
        raise EndlessSpecError(endless_call(ended, spec.module.__file__, source_path, current, remedy)) from None
    except Contradicted as found:
        reason: Exception = found
    except NotSymbolic as found:
        reason = found
    restores = restores and not isinstance(reason, Contradicted)
    if isinstance(reason, NotSymbolic):
        concrete = {**dict.fromkeys(reason.targets, reason.why), **(concrete or {})}
    written = generate_sequences(
        generator, spec, module, source=source, source_path=source_path, subject=subject, subject_hash=subject_hash,
        scope=scope, seed=seed, folder=folder, progress=progress, call_seconds=call_seconds, begins=begins,
        notice=notice, restores=restores, text=text, concrete=concrete,
    )  # fmt: skip
    if isinstance(reason, Contradicted):
        notice(f"{source_path}: {reason}; {AGAIN}")
    return written


def _without_place(line: str, module: ModuleType, source_path: str) -> str:
    """A notice without the file that it begins with, which lies elsewhere on another machine."""
    return line.removeprefix(f"{module.__file__}: ").removeprefix(f"{source_path}: ")


def check_same(one: SequenceScope, other: SequenceScope, where: str) -> None:
    """Compares two bounds of one scope, types of values included.

    Raises:
        SpecError: they differ.
    """
    if _as_text(one) != _as_text(other):
        raise SpecError(
            f"{where} is not the same when it is called again; make it hang on the scope alone (no random, time, set "
            "order or state of its own)"
        )


def _as_text(bounds: SequenceScope) -> str:
    routines = [
        (routine.name, routine.kind, routine.keywords, routine.requires is None, routine.parameters)
        for routine in bounds.routines
    ]
    others = {name: value for name, value in vars(bounds).items() if name != "_routines"}
    return repr((routines, sorted(others.items())))
