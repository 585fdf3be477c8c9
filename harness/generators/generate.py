"""Runs a generator and writes its suite, as a stream."""

from __future__ import annotations

import time
from collections.abc import Callable
from contextlib import nullcontext
from dataclasses import replace
from functools import partial
from pathlib import Path
from types import ModuleType

from harness.errors import EndlessSpecError, SpecError
from harness.generators.policies.korat.production import KoratProduction
from harness.generators.protocol import Generator, Production, Task, check_production
from harness.generators.repeated import check_repeated
from harness.generators.states.describe import describe
from harness.generators.states.engine import Workshop
from harness.generators.states.fields import check_fields
from harness.generators.states.native.untranslatable import LateDisagreement
from harness.generators.states.packing import write_groups
from harness.generators.states.reference.criterion import class_name
from harness.generators.states.unchanged import Unchanged, is_sampled
from harness.generators.targets import check_targets
from harness.generators.watchdog import EndlessCandidate, Watchdog, endless, executed
from harness.kernel.inputs.state_space import StateSpace, item_size
from harness.kernel.inputs.suites import SuiteHeader, SuiteWriter, structure_key
from harness.kernel.specs.spec import Spec
from harness.model.finitization import Structures
from harness.model.targets import StateBounds

Progress = Callable[[int, int, int], None]
"""Called with: candidates explored, states and inputs written."""


def generate(
    generator: Generator,
    spec: Spec,
    module: ModuleType,
    *,
    source: str,
    subject: str,
    subject_hash: str,
    scope: int,
    seed: int,
    folder: Path,
    progress: Progress | None = None,
    candidate_seconds: float | None = None,
    workshop: Workshop | None = None,
    begins: Callable[[str], None] = lambda what: None,
) -> SuiteHeader:
    """Writes the suite of `generator` for `spec` at `scope` to `folder`; returns its header.

    Args:
        module: the implementation, executed from `source`.
        folder: where the suite appears once it is complete; its parents are made.
        progress: called about five times a second from a signal handler.
        candidate_seconds: wall-clock limit for rep_ok on one candidate, and for `finitization`.
            With this or `progress`, the main thread and SIGALRM are needed.
        workshop: for the compiled engine; without it, the reference engine does everything.
        begins: told what begins, for whoever waits for it to end.

    Raises:
        SpecError: the finitization or rep_ok is unusable, endless, not the same when it is called again, or changes
            what it is given; or there is no input at all.
        UsageError: the generator cannot do it at this scope.
    """
    run = _Run()

    def beat() -> object:
        reached = run.reached()
        if progress is not None:
            progress(*reached)
        return reached, run.headway()

    limit = float("inf") if candidate_seconds is None else candidate_seconds
    watched = progress is not None or candidate_seconds is not None
    started = time.perf_counter()
    try:
        with Watchdog(beat, limit, spec.module.__file__) if watched else nullcontext():
            begins(f"executing finitization({scope}) of {spec.module.__file__}")
            finitization = spec.finitization(scope)
            check_repeated(finitization, spec.finitization(scope), f"finitization({scope})")
            begins(f"executing rep_ok of {spec.module.__file__}")
            space = StateSpace(finitization)
            _check_all_fields(finitization, source)
            check_targets(finitization, module)
            header = SuiteHeader(
                subject=subject,
                subject_hash=subject_hash,
                generator=generator.name,
                generator_version=generator.version,
                scope=scope,
                seed=seed,
                width=space.width,
                itemsize=item_size(space),
                targets=[target.name for target in finitization.targets],
            )
            run.header = header
            with SuiteWriter(folder, header) as writer:
                task = Task(spec, module, finitization, seed, workshop, scope, begins)
                production = generator.produce(task)
                check_production(production, generator.name)
                run.production = production
                _write(production, writer, finitization, Unchanged(space, module, spec.rep_ok))
                header.explored = production.explored
                header.structures = production.structures
                facts = production.facts()
                facts.keep_in(header)
                header.classes = [[class_name(value), describe(space, state)] for value, state in facts.classes.items()]
                _look_at_structures(finitization, module, production)
                if not header.inputs:
                    raise _no_inputs(header)
                check_repeated(finitization, spec.finitization(scope), f"finitization({scope})")
                header.seconds = time.perf_counter() - started
                return writer.close()
    except EndlessCandidate as reason:
        executing = executed(reason, spec.module.__file__) or f"finitization({scope})"
        raise EndlessSpecError(run.endless(executing, reason)) from None
    except LateDisagreement as reason:
        assert workshop is not None
        workshop.notice(f"{reason}; what it found is thrown away, and the interpreted engine begins anew")
        again = partial(generate, generator, spec, module, source=source, subject=subject, subject_hash=subject_hash)
        return again(
            scope=scope,
            seed=seed,
            folder=folder,
            progress=progress,
            candidate_seconds=candidate_seconds,
            workshop=replace(workshop, compiled=False),
            begins=begins,
        )


def _write(production: Production, writer: SuiteWriter, finitization: StateBounds, unchanged: Unchanged) -> None:
    if isinstance(production, KoratProduction) and type(production).__iter__ is KoratProduction.__iter__:
        production.write(writer, unchanged.look)
        return
    without = [target.requires is None for target in finitization.targets]
    for vector, calls in production:
        is_looked_at = any(without[call.target] for call in calls)
        write_groups([(vector, calls)], writer, unchanged.look if is_looked_at else None)


class _Run:
    """How far a generation has come, as the watchdog sees it from outside."""

    def __init__(self) -> None:
        self.header: SuiteHeader | None = None
        self.production: Production | None = None

    def reached(self) -> tuple[int, int, int]:
        explored = 0 if self.production is None else self.production.explored
        return (explored, 0, 0) if self.header is None else (explored, self.header.states, self.header.inputs)

    def headway(self) -> int:
        return 0 if self.production is None else self.production.headway

    def endless(self, beginning: str, within: object) -> str:
        if self.production is None:  # candidates are not looked at yet
            what = f"{beginning} did not return"
        else:
            what = f"{self.production.executing} did not return on candidate {self.production.current}"
        return endless(what, within)


def _look_at_structures(finitization: StateBounds, module: ModuleType, production: Production) -> None:
    for number, target in enumerate(finitization.targets):
        for position, parameter in enumerate(target.parameters):
            if isinstance(parameter, Structures):
                unchanged = Unchanged(StateSpace(parameter.finitization), module, parameter.rep_ok)
                for at, vector in enumerate(production.structures[structure_key(number, position)]):
                    if is_sampled(at):
                        unchanged.look(vector)


def _check_all_fields(finitization: StateBounds, source: str) -> None:
    check_fields(StateSpace(finitization), source)
    for target in finitization.targets:
        for parameter in target.parameters:
            if isinstance(parameter, Structures):
                _check_all_fields(parameter.finitization, source)


def _no_inputs(header: SuiteHeader) -> SpecError:
    if not header.states:
        return SpecError(
            f"{header.subject}: {header.generator} found no valid state at scope {header.scope}: "
            f"rep_ok accepted none of {header.explored} candidates; correct rep_ok or the field domains"
        )
    return SpecError(
        f"{header.subject}: {header.generator} made no input at scope {header.scope}, though there are "
        f"{header.states} states: some parameter of every target has an empty domain; correct finitization"
    )
