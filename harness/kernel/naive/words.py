"""The orders and words of the naive path's process (`harness.kernel.naive.process`), and its job."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Annotated

from harness.codec.codec import MOST_NUMBER, Bound, Codec, codec_of
from harness.kernel.program.loader import ModuleText, SuiteJob
from harness.model.outcome import KillReason, Location, OracleName, Phase
from harness.model.sequence import Observation

ENDLESS = 1 << 62

Number = Annotated[int, Bound(MOST_NUMBER)]


@dataclass(frozen=True)
class Execution:
    """A mutant to be run on the inputs `first` to `last - 1`, up to the first kill if not on `every_input`."""

    text: ModuleText
    first: int
    last: int
    every_input: bool


@dataclass(frozen=True)
class ReportedKill:
    """The way in which an input distinguishes a mutant from the original."""

    reason: KillReason
    phase: Phase
    detail: str


@dataclass(frozen=True)
class Fault:
    """The judge itself failed."""

    fault: str


@dataclass(frozen=True)
class Stillborn:
    """The mutant does not compile; `raised` is the type of the exception."""

    raised: str


@dataclass(frozen=True)
class Loaded:
    """The mutant is loaded; or the subject is, and orders are waited for."""


@dataclass(frozen=True)
class Unloadable:
    """Loading the mutant raised an exception of this type."""

    raised: str


@dataclass(frozen=True)
class Allowed:
    """The seconds within which the next word is due, as that is the mutant's, or not."""

    seconds: float


@dataclass(frozen=True)
class Judgement:
    """The steps of an input, and why it kills the mutant, if it does."""

    steps: Number
    kill: ReportedKill | None


@dataclass(frozen=True)
class Died:
    """The death of the mutant's process."""

    reason: KillReason
    detail: str


@dataclass(frozen=True)
class Done:
    """The mutant has run on all inputs that were ordered, or up to its first kill."""


Word = Fault | Stillborn | Loaded | Unloadable | Allowed | Judgement | Died | Done
EXECUTIONS: Codec[Execution] = codec_of(Execution)
WORDS: Codec[Word] = codec_of(Word)
LAST_WORDS = (Fault, Stillborn, Unloadable, Died, Done)
"""Words after which nothing more is said of a mutant."""


@dataclass(frozen=True)
class SubjectJob(SuiteJob):
    """The original with its spec and a suite's folder; this is enough for a judge, and contains nothing of a mutant."""

    concrete: bool
    observed: str = Observation.END.value
    oracle: str = OracleName.DIFFERENTIAL.value

    def text(self, source: str) -> ModuleText:
        """Return the module with `source` instead of the original's source."""
        return replace(self.implementation, source=source)


@dataclass(frozen=True)
class NaiveJob:
    """A mutant as stored (`replacement` for the text `original` at `location`) and its subject.

    Inputs are run from the first to number `last - 1`, and if not `every_input`, to the first kill.
    """

    subject: SubjectJob
    location: Location
    original: str
    replacement: str
    every_input: bool
    last: int


def mutated(job: NaiveJob) -> str:
    """Return the source with the replacement in place.

    Raises:
        ValueError: the source has another text there.
    """
    at, source = job.location, job.subject.implementation.source
    lines = source.split("\n")
    if max(at.line, at.end_line) > len(lines):
        raise ValueError(f"the source has no line {max(at.line, at.end_line)}")
    before = "\n".join([*lines[: at.line - 1], lines[at.line - 1][: at.column]])
    after = "\n".join([lines[at.end_line - 1][at.end_column :], *lines[at.end_line :]])
    if before + job.original + after != source:
        raise ValueError(f"the source does not have {job.original!r} at {at}")
    return before + job.replacement + after
