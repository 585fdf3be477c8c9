"""The request for one suite, and the reports of its progress."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType
from typing import Protocol

from harness.errors import SpecError
from harness.generators.watchdog import Watchdog
from harness.kernel.inputs.suites import InputKind, SuiteHeader
from harness.kernel.program.loader import ModuleText
from harness.kernel.specs.described import DescribedBounds
from harness.kernel.specs.spec import Spec
from harness.model.finitization import Finitization
from harness.model.sequence import SequenceScope

Progress = Callable[[int, int, int], None]
"""A function that takes the numbers of explored candidates or sequences, of written states and of written inputs."""


class Begins(Protocol):
    """A function that reports the work that begins, and whether this work is brief (`FactWriter.begins`)."""

    def __call__(self, stage: str, *, is_brief: bool = False) -> None: ...


class _Explored(Protocol):
    @property
    def explored(self) -> int: ...


class _Named(Protocol):
    @property
    def name(self) -> str: ...

    @property
    def version(self) -> str: ...


def _ignore(stage: str, *, is_brief: bool = False) -> None:
    pass


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
        begins: called with each stage of the work.
        notice: called with one line about a suite of sequences, after it was written.
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
    begins: Begins = _ignore
    notice: Callable[[str], object] = lambda text: None
    own_file: str = ""

    @property
    def spec_file(self) -> str:
        """The file of the spec, as messages name it."""
        return str(self.spec.module.__file__)

    def header(
        self, generator: _Named, *, width: int, itemsize: int, targets: Sequence[str], kind: InputKind
    ) -> SuiteHeader:
        """Return the header of the suite, before anything is in it."""
        return SuiteHeader(
            subject=self.subject,
            subject_hash=self.subject_hash,
            generator=generator.name,
            generator_version=generator.version,
            scope=self.scope,
            seed=self.seed,
            width=width,
            itemsize=itemsize,
            targets=list(targets),
            kind=kind.value,
        )

    def watched(
        self, reached: Callable[[], tuple[int, int, int]], *files: str | None, headway: Callable[[], int] = lambda: 0
    ) -> AbstractContextManager[object]:
        """Return a context that reports progress, and ends code of `files` that makes no headway.

        Args:
            reached: returns the numbers for `progress`.
            files: the files of the user's code, which may not return.
            headway: returns a number that grows even while `reached` returns the same.
        """
        if self.progress is None and self.candidate_seconds is None:
            return nullcontext()

        def beat() -> object:
            numbers = reached()
            if self.progress is not None:
                self.progress(*numbers)
            return numbers, headway()

        return Watchdog(beat, float("inf") if self.candidate_seconds is None else self.candidate_seconds, *files)


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


class RunningGeneration:
    """A run of a generator, whose progress is read from a signal handler; header and production are set by the run."""

    def __init__(self) -> None:
        self._header: SuiteHeader | None = None
        self._production: _Explored | None = None

    def _reached(self) -> tuple[int, int, int]:
        explored = 0 if self._production is None else self._production.explored
        return (explored, 0, 0) if self._header is None else (explored, self._header.states, self._header.inputs)
