"""Runs a generator of sequences and writes its suite, as a stream."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial

from harness.errors import SpecError
from harness.generators.generation import Generation, RunningGeneration, check_same
from harness.generators.protocol import (
    ProductionFacts,
    SequenceGenerator,
    SequenceProduction,
    SequenceTask,
    until_symbolic,
)
from harness.generators.sampled import STATE_SAMPLE
from harness.generators.targets import check_classes
from harness.generators.watchdog import EndlessCandidate, endless_call
from harness.kernel.inputs.describe import show_sequence
from harness.kernel.inputs.suites import SuiteHeader, SuiteReader, SuiteWriter
from harness.kernel.judging.prepared import SequenceProgram, run_whole
from harness.kernel.objects.module_state import state_of
from harness.kernel.objects.steady import SteadyPredicate
from harness.kernel.specs.spec import always

NUMBERS_PER_STATE, BYTES_PER_NUMBER = 2, 4
"""The layout of states of sequences in `harness.kernel.inputs.suites`."""


def generate_sequences(generator: SequenceGenerator, generation: Generation) -> SuiteHeader:
    """Write the suite of a generator of sequences, and return its header.

    Args:
        generator: the generator.
        generation: the suite to be made.

    Raises:
        SpecError: the bounds are unusable, or differ when they are requested again; a call does not return, or fails;
            or there is no input at all.
        UsageError: the generator does not work at this scope.
    """
    return until_symbolic(lambda concrete: _Run(generator, generation, concrete).suite())


class _Run(RunningGeneration):
    """One run of a generator."""

    _generator: SequenceGenerator
    _running: SequenceProduction | None

    def __init__(self, generator: SequenceGenerator, generation: Generation, concrete: Mapping[int, str]) -> None:
        super().__init__(generator, generation)
        self._concrete = concrete
        spec, scope, source = generation.spec, generation.scope, generation.text.source
        generation.begins(f"executing sequences({scope}) of {generation.spec_file}", is_brief=True)
        self._bounds = spec.sequences(scope, source)
        if spec.sequences_of is None:
            check_classes(spec.finitization(scope), generation.module)
        check_same(self._bounds, spec.sequences(scope, source), f"{generation.spec_file}: sequences({scope})")
        self._notices += [
            f"sequences derived from the finitization leave out {name!r}, as its lists, sets or dicts hold objects, "
            "or are too many; give its arguments in sequences(scope) of the spec"
            for name in self._bounds.left_out
        ]
        generation.begins(f"executing calls of {generation.own_file or generation.text.filename}")

    def _opened(self) -> SuiteHeader:
        return self._new_header(NUMBERS_PER_STATE, BYTES_PER_NUMBER, [one.name for one in self._bounds.routines])

    def _produced(self, writer: SuiteWriter) -> SequenceProduction:
        generation = self._generation
        task = SequenceTask(
            generation.spec,
            generation.module,
            self._bounds,
            generation.scope,
            generation.seed,
            notice=self._notices.append,
            text=generation.text,
            concrete=self._concrete,
        )
        production = self._begun(self._generator.explore(task))
        production.write(writer)
        return production

    def _complete(self, header: SuiteHeader, facts: ProductionFacts) -> None:
        # Paths differ between machines.
        places = f"{self._generation.module.__file__}: ", f"{self._generation.text.filename}: "
        header.notices = [line.removeprefix(places[0]).removeprefix(places[1]) for line in self._notices]
        if not header.inputs:
            raise SpecError(
                f"{header.subject}: {header.generator} made no sequence at scope {header.scope}: "
                f"all of {header.explored} were misuse, or beyond the bounds; correct the domains of the routines"
            )

    def _look(self) -> None:
        """Check that rep_ok only looks at the objects of the first sequences.

        Raises:
            SpecError: it changes one, or gives more than one answer.
        """
        if self._generation.spec.rep_ok is always:
            return
        rep_ok, bounds = SteadyPredicate(self._generation.spec.rep_ok), self._bounds
        suite = SuiteReader(self._generation.folder)
        program = SequenceProgram(self._generation.module, bounds, suite, state_of(self._generation.module))
        for number in range(min(len(suite), STATE_SAMPLE.first)):
            sequence = program.prepare(number)
            run_whole(sequence)
            if program.routines.is_of_root(sequence.root):
                rep_ok.look(sequence.root, partial(show_sequence, bounds, suite.sequence(number)))

    def _endless(self, ended: EndlessCandidate) -> str:
        running = self._running
        current, remedy = ("a call", "") if running is None else (running.current, running.remedy)
        return endless_call(ended, self._generation.spec_file, self._generation.text.filename, current, remedy)
