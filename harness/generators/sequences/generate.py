"""Runs a generator of sequences and writes its suite, as a stream."""

from __future__ import annotations

import time
from collections.abc import Mapping
from functools import partial
from types import ModuleType

from harness.errors import EndlessSpecError, SpecError, UsageError
from harness.generators.generation import Generation, RunningGeneration, check_same
from harness.generators.processor_time import WHOLE, ProcessorTime, processor_seconds
from harness.generators.sampled import STATE_SAMPLE
from harness.generators.sequences.protocol import SequenceGenerator, SequenceProduction, SequenceTask, until_symbolic
from harness.generators.targets import check_classes
from harness.generators.watchdog import EndlessCandidate, endless, endless_call, executed
from harness.kernel.inputs.call_source import show_sequence
from harness.kernel.inputs.suites import InputKind, SuiteHeader, SuiteReader, SuiteWriter
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

    def make(concrete: Mapping[int, str]) -> tuple[SuiteHeader, list[str]]:
        run = _Run(generator, generation, concrete)
        return run.suite(), run.notices

    header, notices = until_symbolic(make)
    for line in notices:
        generation.notice(line)
    return header


class _Run(RunningGeneration):
    """One run of a generator."""

    _production: SequenceProduction | None

    def __init__(self, generator: SequenceGenerator, generation: Generation, concrete: Mapping[int, str]) -> None:
        super().__init__()
        self._generator = generator
        self._generation = generation
        self._concrete = concrete
        self.notices: list[str] = []

    def suite(self) -> SuiteHeader:
        """Write the suite and return its header.

        Raises:
            NotSymbolic: the run must be repeated.
        """
        generation = self._generation
        started = time.perf_counter()
        header = self._header = self._begun()
        try:
            files = generation.text.filename, generation.spec_file, generation.own_file or None
            with generation.watched(self._reached, *files):
                with SuiteWriter(generation.folder, header, processor_seconds) as writer:
                    self._write(writer, header)
                    header.seconds = time.perf_counter() - started
                    written = writer.close()
                self._look_at_objects()
                return written
        except EndlessCandidate as ended:
            if generation.own_file and (executing := executed(ended, generation.own_file)):
                raise UsageError(endless(f"{generation.own_file}: {executing} gave no new input", ended)) from None
            production = self._production
            current, remedy = ("a call", "") if production is None else (production.current, production.remedy)
            message = endless_call(ended, generation.spec_file, generation.text.filename, current, remedy)
            raise EndlessSpecError(message) from None

    def _look_at_objects(self) -> None:
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

    def _begun(self) -> SuiteHeader:
        """Return the header of a suite with the bounds that the spec gives."""
        generation, scope = self._generation, self._generation.scope
        generation.begins(f"executing sequences({scope}) of {generation.spec_file}", is_brief=True)
        self._bounds = generation.spec.sequences(scope, generation.text.source)
        again = generation.spec.sequences(scope, generation.text.source)
        if generation.spec.sequences_of is None:
            check_classes(generation.spec.finitization(scope), generation.module)
        check_same(
            self._bounds,
            again,
            f"{generation.spec_file}: sequences({scope})",
        )
        self.notices += [
            f"sequences derived from the finitization leave out {name!r}, as its lists, sets or dicts hold objects, "
            "or are too many; give its arguments in sequences(scope) of the spec"
            for name in self._bounds.left_out
        ]
        generation.begins(f"executing calls of {generation.own_file or generation.text.filename}")
        targets = [routine.name for routine in self._bounds.routines]
        sizes = {"width": NUMBERS_PER_STATE, "itemsize": BYTES_PER_NUMBER}
        return generation.header(self._generator, **sizes, targets=targets, kind=InputKind.SEQUENCES)

    def _write(self, writer: SuiteWriter, header: SuiteHeader) -> None:
        generation, generator = self._generation, self._generator
        task = SequenceTask(
            generation.spec,
            generation.module,
            self._bounds,
            generation.scope,
            generation.seed,
            notice=self.notices.append,
            text=generation.text,
            concrete=self._concrete,
        )
        with (spent := ProcessorTime()):
            self._production = production = generator.explore(task)
            production.write(writer)
        production.facts().keep_in(header)
        header.cpu_seconds = {WHOLE: spent.seconds}
        header.explored = production.explored
        header.notices = [_without_place(line, generation.module, generation.text.filename) for line in self.notices]
        if not header.inputs:
            raise SpecError(
                f"{generation.subject}: {generator.name} made no sequence at scope {generation.scope}: "
                f"all of {header.explored} were misuse, or beyond the bounds; correct the domains of the routines"
            )


def _without_place(line: str, module: ModuleType, source_path: str) -> str:
    """Return a notice without the file at its beginning, whose path differs between machines."""
    return line.removeprefix(f"{module.__file__}: ").removeprefix(f"{source_path}: ")
