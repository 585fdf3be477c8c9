"""Facts of runs: a forked child reports them to its zygote, and the zygote to its parent."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

from harness.codec.codec import Codec, codec_of
from harness.codec.kinds import Bound, Count
from harness.model.outcome import KillReason, Phase

LONGEST_DETAIL = 4000

Detail = Annotated[str, Bound(LONGEST_DETAIL, storable=True)]


@dataclass(frozen=True, kw_only=True)
class MutantRun:
    """A run of a mutant on inputs.

    Attributes:
        reason: why the first input that kills it does; None if none does.
        phase: when that was seen.
        detail: words about it.
        input: the number of that input; None if there is none, if the mutant died while it was loaded, or if nobody
            knows at which input it died.
        inputs_run: how many inputs were run, those included that need no execution.
        executed: how many of them were executed.
        steps: what they took; None if the process died, which takes along what it has counted.
        died: whether the process died.
        left: whether the mutant left something in its module. Nothing else that is told is of use then.
    """

    reason: KillReason | None
    phase: Phase | None
    detail: Detail
    input: Count | None
    inputs_run: Count
    executed: Count
    steps: Count | None
    died: bool = False
    left: bool = False


@dataclass(frozen=True, kw_only=True)
class MutantFacts(MutantRun):
    """The facts of one mutant, as a zygote tells them.

    Attributes:
        id: of the order.
        bits: the row of kills, if one is wanted and known.
        input_text: the input that kills it first, in words.
        seconds: how long it took, if a zygote has told it.
    """

    id: str
    bits: bytes | None = None
    input_text: str = ""
    seconds: float | None = None


@dataclass(frozen=True)
class HarnessFault:
    """A fault of the harness: an order could not be carried out, and that is not its mutant's doing."""

    id: str
    fault: str
    seconds: float | None = None


@dataclass(frozen=True)
class BaselineFacts:
    """Totals of the original on the inputs of a slice, which is written."""

    id: str
    inputs: Count
    steps: Count
    raised: Count
    cpu_seconds: float
    lost: str = ""
    """The place that keeps something which cannot be put back before each input; empty if there is none."""


@dataclass(frozen=True)
class ProbeFacts:
    """The hash of the rows that are written, and whether the original leaves something to later inputs."""

    id: str
    digest: str
    left: bool


@dataclass(frozen=True)
class BatchFacts:
    """The facts of the first orders of a batch, at least of one."""

    id: str
    facts: tuple[MutantFacts | HarnessFault, ...]


@dataclass(frozen=True)
class Ready:
    """The original is loaded, and orders are waited for."""


@dataclass(frozen=True)
class Alive:
    """The zygote works on its order."""


Answer = BaselineFacts | ProbeFacts | MutantFacts | BatchFacts | HarnessFault
WORDS: Codec[Answer | Ready | Alive] = codec_of(Answer | Ready | Alive)
"""The words that a zygote says; errors of the user's making are reported besides."""
