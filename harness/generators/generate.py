"""Runs a generator and writes its suite, as a stream."""

from __future__ import annotations

from dataclasses import replace
from types import ModuleType

from harness.errors import SpecError
from harness.generators.generation import Generation, RunningGeneration, check_same
from harness.generators.protocol import Generator, Production, ProductionFacts, StateCheck, Task
from harness.generators.sampled import STATE_SAMPLE
from harness.generators.states.describe import describe
from harness.generators.states.engine import Workshop
from harness.generators.states.fields import check_fields
from harness.generators.states.inputs import structure_parameters
from harness.generators.states.native.untranslatable import LateDisagreement
from harness.generators.states.read_only_check import Unchanged
from harness.generators.states.reference.plus_search import class_name
from harness.generators.targets import check_targets
from harness.generators.watchdog import EndlessCandidate, endless, executed
from harness.kernel.inputs.state_space import StateSpace, item_size
from harness.kernel.inputs.suites import SuiteHeader, SuiteWriter
from harness.model.finitization import Finitization


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

    _generator: Generator
    _running: Production | None

    def __init__(self, generator: Generator, generation: Generation, workshop: Workshop | None) -> None:
        super().__init__(generator, generation)
        self._workshop = workshop

    def _opened(self) -> SuiteHeader:
        generation = self._generation
        spec, module, scope = generation.spec, generation.module, generation.scope
        generation.begins(f"executing finitization({scope}) of {generation.spec_file}")
        declared = spec.finitization(scope)
        check_same(declared, spec.finitization(scope), f"finitization({scope})")
        generation.begins(f"executing {generation.own_file or f'rep_ok of {generation.spec_file}'}")
        _check_all_fields(declared, generation.text.source)
        check_targets(declared, module)
        task = Task(spec, module, declared, generation.seed, self._workshop, scope, generation.begins)
        production = self._begun(self._generator.produce(task))
        outside = production.outside
        finitization = declared.extended(outside) if outside else declared
        self._space = space = StateSpace(finitization)
        header = self._new_header(space.width, item_size(space), [target.name for target in finitization.targets])
        header.outside = {place: list(held) for place, held in outside.items()}
        return header

    def _produced(self, writer: SuiteWriter) -> Production:
        assert self._running is not None
        targets = self._space.finitization.targets
        by_rep_ok = frozenset(number for number, target in enumerate(targets) if not target.any_state)
        look = Unchanged(self._space, self._generation.module, self._generation.spec.rep_ok).look
        self._running.write_states(writer, StateCheck(look, by_rep_ok))
        return self._running

    def _complete(self, header: SuiteHeader, facts: ProductionFacts) -> None:
        assert self._running is not None
        header.structures = self._running.structures
        header.classes = [[class_name(value), describe(self._space, state)] for value, state in facts.classes.items()]
        self._notices += facts.notices if self._generation.own_file else ()
        _look_at_structures(self._space.finitization, self._generation.module, self._running)
        if not header.inputs:
            raise _no_inputs(header)

    def _endless(self, ended: EndlessCandidate) -> str:
        if self._running is None:  # the search has not begun
            beginning = executed(ended, self._generation.spec_file) or f"finitization({self._generation.scope})"
            return endless(f"{beginning} did not return", ended)
        return endless(f"{self._running.executing} did not return on candidate {self._running.current}", ended)


def _look_at_structures(finitization: Finitization, module: ModuleType, production: Production) -> None:
    for key, parameter in structure_parameters(finitization).items():
        unchanged = Unchanged(StateSpace(parameter.finitization), module, parameter.rep_ok)
        for at, vector in enumerate(production.structures[key]):
            if STATE_SAMPLE.has(at):
                unchanged.look(vector)


def _check_all_fields(finitization: Finitization, source: str) -> None:
    check_fields(StateSpace(finitization), source)
    for parameter in structure_parameters(finitization).values():
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
