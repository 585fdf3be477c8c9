"""Runs a generator and writes its suite, as a stream."""

from __future__ import annotations

import time
from dataclasses import replace
from types import ModuleType

from harness.errors import EndlessSpecError, SpecError, UsageError
from harness.generators.generation import Generation, RunningGeneration, check_same
from harness.generators.processor_time import WHOLE, ProcessorTime, processor_seconds
from harness.generators.protocol import Generator, Production, StateCheck, Task
from harness.generators.sampled import STATE_SAMPLE
from harness.generators.states.describe import describe
from harness.generators.states.engine import Workshop
from harness.generators.states.fields import check_fields
from harness.generators.states.native.untranslatable import LateDisagreement
from harness.generators.states.read_only_check import Unchanged
from harness.generators.states.reference.plus_search import class_name
from harness.generators.targets import check_targets
from harness.generators.watchdog import EndlessCandidate, endless, executed
from harness.kernel.inputs.state_space import StateSpace, item_size
from harness.kernel.inputs.suites import InputKind, SuiteHeader, SuiteWriter, structure_key
from harness.model.finitization import Finitization, Structures


def generate(generator: Generator, generation: Generation, workshop: Workshop | None = None) -> SuiteHeader:
    """Write the suite of a generator of states, and return its header.

    Args:
        generator: the generator.
        generation: the suite to be made.
        workshop: for the compiled engine; without it, the reference engine does everything.

    Raises:
        SpecError: the finitization or rep_ok is unusable, endless, differs when it is called again, or changes its
            arguments; or there is no input at all.
        UsageError: the generator does not work at this scope.
    """
    if workshop is None:
        return _Run(generator, generation, None).suite()
    try:
        return _Run(generator, generation, workshop).suite()
    except LateDisagreement as reason:
        workshop.notice(f"{reason}; its results are dropped, and the reference engine begins again")
    return _Run(generator, generation, replace(workshop, compiled=False)).suite()


class _Run(RunningGeneration):
    """One run of a generator."""

    _production: Production | None

    def __init__(self, generator: Generator, generation: Generation, workshop: Workshop | None) -> None:
        super().__init__()
        self._generator = generator
        self._generation = generation
        self._workshop = workshop

    def suite(self) -> SuiteHeader:
        """Write the suite and return its header."""
        file, own = self._generation.spec_file, self._generation.own_file
        try:
            with self._generation.watched(self._reached, file, own or None, headway=self._headway):
                return self._written()
        except EndlessCandidate as reason:
            if own and (executing := executed(reason, own)):
                raise UsageError(endless(f"{own}: {executing} gave no new input", reason)) from None
            executing = executed(reason, file) or f"finitization({self._generation.scope})"
            raise EndlessSpecError(self._endless(executing, reason)) from None

    def _written(self) -> SuiteHeader:
        generation, started = self._generation, time.perf_counter()
        spec, module, scope = generation.spec, generation.module, generation.scope
        generation.begins(f"executing finitization({scope}) of {generation.spec_file}")
        declared = spec.finitization(scope)
        check_same(declared, spec.finitization(scope), f"finitization({scope})")
        generation.begins(f"executing {generation.own_file or f'rep_ok of {generation.spec_file}'}")
        _check_all_fields(declared, generation.text.source)
        check_targets(declared, module)
        task = Task(spec, module, declared, generation.seed, self._workshop, scope, generation.begins)
        production = self._generator.produce(task)
        self._production = production
        outside = production.outside
        finitization = declared.extended(outside) if outside else declared
        space = StateSpace(finitization)
        targets = [target.name for target in finitization.targets]
        header = self._header = generation.header(
            self._generator, width=space.width, itemsize=item_size(space), targets=targets, kind=InputKind.STATES
        )
        header.outside = {place: list(held) for place, held in outside.items()}
        with SuiteWriter(generation.folder, header, processor_seconds) as writer:
            by_rep_ok = [number for number, target in enumerate(finitization.targets) if not target.any_state]
            look = Unchanged(space, module, spec.rep_ok).look
            with (spent := ProcessorTime()):
                production.write_states(writer, StateCheck(look, frozenset(by_rep_ok)))
            header.explored = production.explored
            header.structures = production.structures
            facts = production.facts()
            facts.keep_in(header)
            header.cpu_seconds = header.cpu_seconds or {WHOLE: spent.seconds}
            for line in facts.notices if generation.own_file else ():
                generation.notice(line)
            header.classes = [[class_name(value), describe(space, state)] for value, state in facts.classes.items()]
            _look_at_structures(finitization, module, production)
            if not header.inputs:
                raise _no_inputs(header)
            header.seconds = time.perf_counter() - started
            return writer.close()

    def _headway(self) -> int:
        return 0 if self._production is None else self._production.headway

    def _endless(self, beginning: str, within: object) -> str:
        if self._production is None:  # the search has not begun
            return endless(f"{beginning} did not return", within)
        executing, candidate = self._production.executing, self._production.current
        return endless(f"{executing} did not return on candidate {candidate}", within)


def _look_at_structures(finitization: Finitization, module: ModuleType, production: Production) -> None:
    for number, target in enumerate(finitization.targets):
        for position, parameter in enumerate(target.parameters):
            if isinstance(parameter, Structures):
                unchanged = Unchanged(StateSpace(parameter.finitization), module, parameter.rep_ok)
                for at, vector in enumerate(production.structures[structure_key(number, position)]):
                    if STATE_SAMPLE.has(at):
                        unchanged.look(vector)


def _check_all_fields(finitization: Finitization, source: str) -> None:
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
