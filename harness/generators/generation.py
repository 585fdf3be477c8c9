"""The request for one suite, and what runs of generators of states and of sequences have in common."""

from __future__ import annotations

import time
from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType
from typing import TypeVar

from harness.errors import EndlessSpecError, SpecError, UsageError
from harness.generators.processor_time import WHOLE, ProcessorTime, processor_seconds
from harness.generators.protocol import AnyGenerator, AnyProduction, ProductionFacts
from harness.generators.watchdog import EndlessCandidate, Watchdog, endless, executed
from harness.kernel.inputs.suites import SuiteHeader, SuiteWriter
from harness.kernel.program.loader import ModuleText
from harness.kernel.specs.described import DescribedBounds
from harness.kernel.specs.spec import Spec
from harness.model.finitization import Finitization
from harness.model.sequence import SequenceScope

Run = TypeVar("Run", bound=AnyProduction)
Progress = Callable[[int, int, int], None]
"""A function that takes the numbers of explored candidates or sequences, of written states and of written inputs."""


@dataclass(frozen=True, kw_only=True)
class Generation:
    """A suite to be made, for one spec at one scope.

    Attributes:
        spec: the spec, executed.
        module: the implementation, executed from `text`.
        text: the implementation as text, with its companion modules.
        subject: the name of the subject.
        subject_hash: the hash of the subject's content.
        scope: the bound on the size of inputs.
        seed: the seed of generators that draw at random.
        folder: where the suite appears once it is complete; its parents are made.
        progress: called about five times a second from a signal handler.
        candidate_seconds: the limit, in seconds of processor time, for a predicate on one candidate, for one call, and
            for `finitization`. With this or `progress`, the main thread and SIGALRM are needed.
        begins: called with each stage of the work (`Headway.begins`).
        notice: called with one line about a suite, after it was written.
        own_file: the file of a user's generator, whose code may not return either; empty for other generators.
    """

    spec: Spec
    module: ModuleType
    text: ModuleText
    subject: str
    subject_hash: str
    scope: int
    seed: int
    folder: Path
    progress: Progress | None = None
    candidate_seconds: float | None = None
    begins: Callable[..., None] = lambda stage, is_brief=False: None
    notice: Callable[[str], object] = lambda text: None
    own_file: str = ""

    @property
    def spec_file(self) -> str:
        """The file of the spec, as messages name it."""
        return str(self.spec.module.__file__)

    def watched(
        self, reached: Callable[[], tuple[int, int, int]], headway: Callable[[], int] = lambda: 0, own_file: str = ""
    ) -> AbstractContextManager[object]:
        """Return a context that reports progress, and ends code of users that makes no headway.

        Args:
            reached: returns the numbers for `progress`.
            headway: returns a number that grows even while `reached` returns the same.
            own_file: the file of a user's generator.
        """
        if self.progress is None and self.candidate_seconds is None:
            return nullcontext()

        def beat() -> object:
            numbers = reached()
            if self.progress is not None:
                self.progress(*numbers)
            return numbers, headway()

        limit = float("inf") if self.candidate_seconds is None else self.candidate_seconds
        return Watchdog(beat, limit, self.text.filename, self.spec_file, own_file)


def check_same(bounds: Finitization | SequenceScope, again: Finitization | SequenceScope, where: str) -> None:
    """Compare two bounds of one scope, with the types of values: inputs are numbers in them.

    Raises:
        SpecError: the bounds differ.
    """
    if repr(DescribedBounds.of(bounds)) != repr(DescribedBounds.of(again)):
        raise SpecError(
            f"{where} is not the same when it is called again; make it depend on the scope alone (no random, time, set "
            "order or state of its own)"
        )


class RunningGeneration(ABC):
    """A run of a generator, whose progress is read from a signal handler."""

    def __init__(self, generator: AnyGenerator, generation: Generation) -> None:
        self._generation = generation
        self._generator = generator
        self._header: SuiteHeader | None = None
        self._running: AnyProduction | None = None
        self._notices: list[str] = []

    def suite(self) -> SuiteHeader:
        """Write the suite and return its header.

        Raises:
            NotSymbolic: the run must be repeated.
        """
        own_file = self._generation.own_file
        try:
            with self._generation.watched(self._reached, self._headway, own_file):
                header = self._written()
        except EndlessCandidate as ended:
            if own_file and (executing := executed(ended, own_file)):
                raise UsageError(endless(f"{own_file}: {executing} gave no new input", ended)) from None
            raise EndlessSpecError(self._endless(ended)) from None
        for line in self._notices:
            self._generation.notice(line)
        return header

    def _written(self) -> SuiteHeader:
        started = time.perf_counter()
        header = self._header = self._opened()
        with SuiteWriter(self._generation.folder, header, processor_seconds) as writer:
            with (spent := ProcessorTime()):
                production = self._produced(writer)
            facts = production.facts()
            facts.keep_in(header)
            header.explored = production.explored
            header.cpu_seconds = header.cpu_seconds or {WHOLE: spent.seconds}
            self._complete(header, facts)
            header.seconds = time.perf_counter() - started
            written = writer.close()
        self._look()
        return written

    @abstractmethod
    def _opened(self) -> SuiteHeader:
        """Return the header of the suite, before anything is in it."""

    @abstractmethod
    def _produced(self, writer: SuiteWriter) -> AnyProduction:
        """Write the inputs."""

    @abstractmethod
    def _complete(self, header: SuiteHeader, facts: ProductionFacts) -> None:
        """Add to the header what only this kind of suites has, and refuse a suite without inputs."""

    @abstractmethod
    def _endless(self, ended: EndlessCandidate) -> str:
        """Return the message about code of the spec or the program that did not return."""

    def _look(self) -> None:
        """Check the written suite."""
        return

    def _new_header(self, width: int, itemsize: int, targets: Sequence[str]) -> SuiteHeader:
        generation, generator = self._generation, self._generator
        return SuiteHeader(
            subject=generation.subject,
            subject_hash=generation.subject_hash,
            generator=generator.name,
            generator_version=generator.version,
            scope=generation.scope,
            seed=generation.seed,
            width=width,
            itemsize=itemsize,
            targets=list(targets),
            kind=generator.input_kind.value,
        )

    def _begun(self, production: Run) -> Run:
        """Return the run of the generator, whose progress is told from now on.

        Raises:
            UsageError: it is none.
        """
        parts = "explored", "current", "headway", "facts"
        if missing := [part for part in parts if not (hasattr(type(production), part) or hasattr(production, part))]:
            raise UsageError(
                f"generator {self._generator.name!r}: its run lacks {', '.join(missing)}; derive its class from "
                "harness.generators.protocol.ProductionBase"
            )
        self._running = production
        return production

    def _headway(self) -> int:
        return 0 if self._running is None else self._running.headway

    def _reached(self) -> tuple[int, int, int]:
        explored = 0 if self._running is None else self._running.explored
        return (explored, 0, 0) if self._header is None else (explored, self._header.states, self._header.inputs)
